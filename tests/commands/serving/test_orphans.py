"""What a worker that was killed leaves running is ended, and what it held is free."""

from __future__ import annotations

import subprocess
from datetime import timedelta

import psutil

from commands.workforce import end_orphans
from core.config import Settings
from core.lease import process_name
from core.models.leases import UPLOAD_LEASES
from tests.support import factories
from tests.support.embedded import wait_until
from tests.support.site import tidy_context


def test_the_session_of_a_dead_worker(settings: Settings) -> None:
    worker = subprocess.Popen(
        ["/bin/sh", "-c", "sleep 600 & echo $!; wait"], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert worker.stdout
    horse = psutil.Process(int(worker.stdout.readline()))
    with tidy_context(settings) as context:
        with context.database.session() as session:
            key = factories.make_upload(session, status="stored").id
            assert UPLOAD_LEASES.take(session, key, process_name(horse.pid), timedelta(minutes=1))
        worker.kill()
        worker.wait()
        worker.stdout.close()
        assert end_orphans(context, worker.pid) == 1
        wait_until(lambda: not horse.is_running() or horse.status() == psutil.STATUS_ZOMBIE)
        with context.database.session() as session:
            assert UPLOAD_LEASES.current(session, key) is None
        assert end_orphans(context, worker.pid) == 0

"""The queue's server is stopped and comes back: nothing that was committed is refused, lost or sent twice."""

from __future__ import annotations

import io
import os
import signal
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis.exceptions import RedisError

from core.config import Settings
from core.embedded.handles import start_valkey
from core.models import Profile
from core.work import Work
from flask_app import create_app
from services.accounts.api_tokens import make_token
from services.context import Context
from services.reconcile import reconcile
from services.recovery.kinds import ALL
from services.recovery.work import queue_rows
from services.uploads.submit import IncomingFile, submit_files
from tests.support import services
from tests.support.embedded import KINDS, fresh_var, wait_until
from tests.support.office import make_person
from tests.support.queued import queue_depth
from tests.support.site import person, sign_in_as, tidy_context, unreachable_redis

SENTENCE = "Your files are safe"


@pytest.mark.parametrize("work", ALL, ids=lambda work: work.name)
def test_no_kind_of_work_needs_the_queue(context: Context, work: Work[Any]) -> None:
    queue_rows(replace(context, redis=unreachable_redis()), work, uuid.uuid4(), uuid.uuid4())


def test_the_reconciler_ends_where_the_queue_is_away(context: Context) -> None:
    away = replace(context, redis=unreachable_redis())
    submit_files(away, make_person(away), [IncomingFile("a.pdf", b"a")])
    with pytest.raises(RedisError):
        reconcile(away)


def test_a_server_that_stops_and_starts_again(settings: Settings) -> None:
    with (
        fresh_var(services.quick_folder()) as valkey_var,
        start_valkey(valkey_var) as handle,
        tidy_context(settings.model_copy(update={"redis_url": handle.url})) as context,
    ):
        sender = person(context, "uploader")
        client = client_of(context, sender)
        token = make_token(context, sender.id, "test", 1)
        with stopped(valkey_var):
            sent = client.post(
                "/upload", data={"files": [(io.BytesIO(b"1"), "one.pdf"), (io.BytesIO(b"2"), "two.pdf")]}
            )
            assert sent.status_code == 302 and SENTENCE in client.get(sent.location).text
            batch = client.get(f"/api/v1{sent.location}", headers={"Authorization": f"Bearer {token}"}).json
            assert batch["unqueued"] and SENTENCE in batch["notice"]
            health = client.get("/healthz")
            assert (health.status_code, health.json["queue"]) == (503, "down")
            wrong = client.post("/sign-in", data={"email": "a@example.org", "password": "guess"})
            assert wrong.status_code < 500
        wait_until(lambda: client.get("/healthz").json["queue"] == "ok")
        assert reconcile(context) == 2
        assert queue_depth(context.redis) == 2
        assert SENTENCE not in client.get(sent.location).text


@contextmanager
def stopped(var_dir: Path) -> Iterator[None]:
    """The server is killed, and its keeper starts it again only after the block."""
    keeper = int(KINDS["valkey"].server(var_dir).place.keeper.read_text())
    os.kill(keeper, signal.SIGSTOP)
    try:
        KINDS["valkey"].main_process(var_dir).kill()
        yield
    finally:
        os.kill(keeper, signal.SIGCONT)


def client_of(context: Context, sender: Profile) -> FlaskClient:
    app = create_app(context.settings, context)
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    client = app.test_client()
    sign_in_as(client, sender)
    return client

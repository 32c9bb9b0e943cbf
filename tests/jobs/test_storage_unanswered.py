"""Storage keeps what a worker uploads, its answers are lost, and the next attempt is told that the file exists."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import func, select

from core.config import load_settings
from core.errors import StorageError
from core.models import Submission, Upload
from services.context import Context
from services.queue.failed_work import failed_numbers
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import make_person, settled, wait_until, working
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.servers.supabase_storage_server import SupabaseStorageServer
from tests.support.site import tidy_context

pytestmark = pytest.mark.slow


@pytest.fixture
def storage() -> Iterator[SupabaseStorageServer]:
    with SupabaseStorageServer() as server:
        yield server
    assert server.faults == []


@pytest.fixture
def context(chosen: dict[str, Any], storage: SupabaseStorageServer) -> Iterator[Context]:
    keys = {"supabase_url": storage.url, "supabase_service_role_key": storage.key}
    with tidy_context(load_settings(**chosen, **keys, auth_provider="local")) as opened:
        opened.redis.flushdb()
        yield opened


def send(context: Context, person: uuid.UUID) -> uuid.UUID:
    return submit_files(context, person, [IncomingFile("entry.pdf", acroform(COMPLETE))])


def test_a_person_and_a_worker_try_again(context: Context, storage: SupabaseStorageServer) -> None:
    person = make_person(context)
    # A person's file: none of the request is there, and the same file is no duplicate when it is sent again.
    storage.unanswered = storage.told_it_exists = 1
    with pytest.raises(StorageError):
        send(context, person)
    batch = send(context, person)
    assert context.database.scalars(select(Upload.status)) == ["stored"]
    # What the worker stores of it: its job is tried again.
    storage.unanswered, storage.told_it_exists = 1, 2
    with working(context):
        wait_until(lambda: settled(context, batch), "the entry's end", seconds=120)
    assert storage.unanswered == 0
    with context.database.session() as session:
        assert session.scalars(select(Submission.status)).all() == ["completed"]
        assert session.scalar(select(func.count()).select_from(Upload)) == 1
    assert sum(failed_numbers(context).values()) == 0

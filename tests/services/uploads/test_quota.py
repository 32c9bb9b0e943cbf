"""A person may hand in so much within a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, update

from core.errors import UploadQuotaError
from core.models import Upload
from services.context import Context
from services.uploads.submit import IncomingFile, submit_files
from tests.support import factories
from tests.support.site import person


def send(context: Context, actor, *texts: bytes) -> None:
    submit_files(context, actor.id, [IncomingFile(f"{text[:9]!r}.txt", text) for text in texts])


@pytest.fixture
def narrow(context: Context) -> Context:
    with context.database.session() as session:
        factories.make_season(session)
    limits = {"max_files_per_day": 3, "max_bytes_per_day": 100}
    return replace(context, settings=context.settings.model_copy(update=limits))


def test_files_and_bytes_of_a_day(narrow: Context) -> None:
    ana, eva = person(narrow, "uploader"), person(narrow, "uploader")
    send(narrow, ana, b"one", b"two")
    with pytest.raises(UploadQuotaError):
        send(narrow, ana, b"three", b"four")
    send(narrow, ana, b"five")
    with pytest.raises(UploadQuotaError):
        send(narrow, ana, b"six")
    with pytest.raises(UploadQuotaError):
        send(narrow, eva, b"x" * 101)
    send(narrow, eva, b"x" * 100)
    with narrow.database.session() as session:
        assert session.scalar(func.count(Upload.id)) == 4
        session.execute(update(Upload).values(created_at=func.now() - timedelta(days=1)))
    send(narrow, ana, b"six")

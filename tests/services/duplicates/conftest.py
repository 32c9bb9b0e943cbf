"""Entries as files that somebody sends, read without the supervisor."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from core.models import Submission
from services.context import Context
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import make_person, uploads_of
from tests.support.reading.entries import COMPLETE, ESSAY, acroform

#: Another essay of the same length.
OTHER_ESSAY = (
    "In summer we plant tomatoes behind the garage and my uncle shows me how deep the seeds go. Nobody "
    "else in our street has so many birds at the fence. He keeps a notebook with the weather of each day since he "
    "came here, and on rainy evenings we read old pages and laugh about the snow in April. He never shouts. If "
    "something breaks we take it apart on the kitchen table and look for the reason until it is late."
)
Send: TypeAlias = Callable[..., str]


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, settings=context.settings.model_copy(update={"use_orchestrator": False}))


@pytest.fixture
def send(context: Context) -> Send:
    """Hand in one entry; return the id of its run, which is still to be done."""

    def sent(essay: str = ESSAY, **values: str) -> str:
        given = {**COMPLETE, **{name.replace("_", " "): value for name, value in values.items()}}
        if name := given.pop("Name", None):
            given["Student's Name"] = name
        # No two files are the same, byte for byte.
        data = acroform(given, essay) + f"\n%{uuid.uuid4()}".encode()
        batch = submit_files(context, make_person(context), [IncomingFile("entry.pdf", data)])
        (upload,) = uploads_of(context, batch)
        (run_id,) = analyse_upload(context, upload.id)
        return run_id

    return sent


@pytest.fixture
def settled(context: Context, send: Send) -> Callable[..., Submission]:
    """Hand in one entry and have it read; return it."""

    def done(essay: str = ESSAY, **values: str) -> Submission:
        run_id = send(essay, **values)
        assert run_submission(context, run_id)
        return entry_of(context, run_id)

    return done


def entry_of(context: Context, run_id: str) -> Submission:
    """The entry of a run as it is now."""
    return context.database.get_one(Submission, uuid.UUID(run_id.partition(":")[0]))

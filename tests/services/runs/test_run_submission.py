"""A run of one entry: what it may take."""

from __future__ import annotations

import uuid
from dataclasses import replace
from unittest.mock import Mock

import pytest
from sqlalchemy import select

from core.error_codes import Cost
from core.errors import StorageError, TooCostlyError
from core.messages import Message
from core.models import ReviewSuggestion, Submission
from pipeline.pages.page_model import Recent
from pipeline.recognition import page_contents
from services.context import Context
from services.review.waiting import waiting_item
from services.runs.run import run_submission
from services.runs.settle import fail_run
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import make_person, uploads_of
from tests.support.reading.entries import COMPLETE, acroform, two_names


@pytest.mark.parametrize("orchestrated", [True, False])
def test_an_entry_that_takes_more_time_than_it_may_fails_and_says_so(
    context: Context, monkeypatch: pytest.MonkeyPatch, orchestrated: bool
) -> None:
    """All calls of children count, within the graph's threads as well."""
    batch = submit_files(context, make_person(context), [IncomingFile("entry.pdf", acroform(COMPLETE))])
    (upload,) = uploads_of(context, batch)
    (run_id,) = analyse_upload(context, upload.id)
    # As in another process, which has not read these pages.
    monkeypatch.setattr(page_contents, "_RECENT", Recent(1))
    hasty = {"use_orchestrator": orchestrated, "parse_file_seconds": 0.001}
    short_of_time = replace(context, settings=context.settings.model_copy(update=hasty))
    with pytest.raises(TooCostlyError) as refused:
        run_submission(short_of_time, run_id)
    assert refused.value.message == Message.of(Cost.TIME, seconds=0)
    fail_run(context, run_id, refused.value)
    entry = context.database.get_one(Submission, uuid.UUID(run_id.partition(":")[0]))
    assert (entry.status, entry.error) == ("failed", refused.value.message)


def test_a_run_that_fails_after_its_proposal_leaves_nothing_to_decide(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = submit_files(context, make_person(context), [IncomingFile("entry.pdf", two_names())])
    (upload,) = uploads_of(context, batch)
    (run_id,) = analyse_upload(context, upload.id)
    away = Mock(side_effect=StorageError("away"))
    monkeypatch.setattr("services.runs.run.settle_run", away)
    with pytest.raises(StorageError) as error:
        run_submission(context, run_id)
    fail_run(context, run_id, error.value)
    assert context.database.one(select(ReviewSuggestion.run_id)) == run_id
    assert waiting_item(context, uuid.UUID(run_id.partition(":")[0])) is None

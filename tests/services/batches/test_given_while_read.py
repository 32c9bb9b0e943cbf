"""A value of the batch that changes while an entry is read has the same result as one that was given before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from core.models import Run, RunFact, Submission
from services.accounts.person import Person
from services.batches.default_values import SaidOfBatch
from services.batches.giving import apply_defaults, undo_defaults
from services.context import Context
from services.runs import run as running
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.services.batches.test_defaults import CHILDREN, NO_SCHOOL, SCHOOL, field, give, read, run_due, view_of
from tests.support.office import entries_of, uploads_of
from tests.support.reading.entries import acroform

OTHER = {"school_name": "Sterling Oaks"}
RESULT = (
    "status",
    "needs_review",
    "school_name",
    "missing_fields",
    "review_reason_codes",
    "confidence",
    "language",
)


def result_of(entry: Submission) -> list[object]:
    return [getattr(entry, name) for name in RESULT]


@pytest.mark.parametrize("orchestrated", [True, False])
@pytest.mark.parametrize(("before", "after"), [({}, SCHOOL), (SCHOOL, {}), (SCHOOL, OTHER)])
def test_a_change_reaches_the_entry_that_is_being_read(
    context: Context,
    ana: Person,
    monkeypatch: pytest.MonkeyPatch,
    before: Mapping[str, str],
    after: Mapping[str, str],
    orchestrated: bool,
) -> None:
    context = replace(context, settings=context.settings.model_copy(update={"use_orchestrator": orchestrated}))
    (early,) = entries_of(context, read(context, ana, [{**NO_SCHOOL, "Grade": "6"}], **after))
    name, essay = CHILDREN[1]
    file = IncomingFile("1.pdf", acroform({**NO_SCHOOL, "Grade": "6", "Student's Name": name}, essay))
    batch_id = submit_files(context, ana.id, [file], said=SaidOfBatch(defaults=before))
    (upload,) = uploads_of(context, batch_id)
    (run_id,) = analyse_upload(context, upload.id)
    settle = running.settle_run

    def after_a_change(*args: Any) -> bool:
        if not after:
            view = view_of(context, batch_id)
            assert view is not None
            undo_defaults(context, ana, batch_id, view.id)
        else:
            apply_defaults(context, ana, batch_id, after, int(bool(before)))
        assert give(context, batch_id) == (0, 0), "it is being read"
        return settle(*args)

    with monkeypatch.context() as patched:
        patched.setattr(running, "settle_run", after_a_change)
        assert run_submission(context, run_id)
    run_due(context)
    (entry,) = entries_of(context, batch_id)
    assert entry.school_name == after.get("school_name") and result_of(entry) == result_of(early)
    assert field(context, entry.id, "school_name").way == field(context, early.id, "school_name").way
    with context.database.session() as session:
        runs = session.scalars(select(Run.status).filter_by(submission_id=entry.id).order_by(Run.run_no)).all()
        counted = session.scalars(select(RunFact.run_id).filter_by(submission_id=entry.id)).all()
    assert (runs[0], len(runs), counted) == ("superseded", 2, [f"{entry.id}:2"])

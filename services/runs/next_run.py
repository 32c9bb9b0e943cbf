"""Create the next run of an entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import Run, RunStatus, Submission, SubmissionStatus


def next_run(session: Session, submission: Submission, options: Mapping[str, Any] | None = None) -> Run:
    """Create and return the run that reads the entry again; the caller queues it after the commit.

    `options` override the settings: `ocr_provider`, `profile`, `ask_model`.
    """
    submission.run_no += 1
    submission.version += 1
    submission.status = SubmissionStatus.QUEUED.value
    submission.error = None
    submission.updated_at = utcnow()
    run = Run(
        run_id=f"{submission.id}:{submission.run_no}",
        submission_id=submission.id,
        season_id=submission.season_id,
        run_no=submission.run_no,
        status=RunStatus.QUEUED.value,
        options=dict(options or {}),
    )
    session.add(run)
    return run

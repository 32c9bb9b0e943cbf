"""Record how a piece of work failed, without what the exceptions say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from core.log import get_logger
from core.models import JobFailure
from core.work import JobKind
from services.context import Context

log = get_logger(__name__)
#: How long the last failure of a piece of work is kept.
KEPT = timedelta(days=30)
_LONGEST_KEY = 200


def note_failure(context: Context, kind: JobKind, key: str, errors: Sequence[dict[str, Any]]) -> None:
    """Record a failure in place of an earlier one of the same work; `errors`: see `core.queue.masked_error`.

    A database that does not answer is no error: it may be what the job failed of. Nor is a key that is no text.
    """
    values = {"failed_at": func.now(), "errors": list(errors)}
    # The rest of a run is the same run.
    of_kind = JobKind.RUN if kind is JobKind.REST else kind
    row = insert(JobFailure).values(kind=of_kind.value, key=key[:_LONGEST_KEY], **values)
    again = row.on_conflict_do_update(
        index_elements=[JobFailure.kind, JobFailure.key], set_={**values, "times": JobFailure.times + 1}
    )
    try:
        with context.database.session() as session:
            session.execute(again)
    except (SQLAlchemyError, ValueError) as failed:
        log.warning("failure_not_recorded", kind=type(failed).__name__)


def forget_old_failures(session: Session) -> None:
    """Remove failures that are older than KEPT."""
    session.execute(delete(JobFailure).where(JobFailure.failed_at < func.now() - KEPT))

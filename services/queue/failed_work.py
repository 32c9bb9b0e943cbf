"""Work that has failed for good: rows that wait for a person to try them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Text, and_, cast, func, literal, null, select, union_all
from sqlalchemy.dialects.postgresql import JSONB

from core.messages import Message
from core.models import JobFailure
from core.work import FailedRows, JobKind, Work
from services.context import Context
from services.recovery.kinds import ALL

_NO_PARAMS = cast(null(), JSONB)
#: Limit of failed work that is listed.
LISTED = 50


@dataclass(frozen=True)
class FailedWork:
    """One row that has failed."""

    kind: JobKind
    #: The key of the row as its jobs have it.
    key: str
    #: What its page is found by: a file's upload, an entry, a document, a report.
    place: str
    failed_at: datetime
    #: What went wrong, for people; None where the row does not say it.
    error: Message | None
    #: See `core.queue.masked_error.masked`; empty where nothing was recorded.
    traceback: Sequence[Mapping[str, Any]]


#: What can fail for good, and how its rows are found.
_FAILED = [(work, work.failed) for work in ALL if work.failed is not None]
#: Kinds whose rows can fail for good.
MAY_FAIL = frozenset(work.kind for work, _ in _FAILED)


def failed_numbers(context: Context) -> dict[JobKind, int]:
    """Return how many rows of each kind have failed and wait for a person."""
    counts = union_all(
        *(
            select(literal(work.name), func.count()).where(failed.where).select_from(_table(work, failed))
            for work, failed in _FAILED
        )
    )
    with context.database.session() as session:
        return {JobKind(kind): number for kind, number in session.execute(counts)}


def failed_work(context: Context, kind: JobKind | None = None, limit: int = LISTED) -> list[FailedWork]:
    """Return what has failed last, of one kind or of all."""
    found_of = [_newest(work, failed, limit) for work, failed in _FAILED if kind in (None, work.kind)]
    rows = union_all(*found_of).subquery()
    query = (
        select(rows, JobFailure.errors)
        .outerjoin(JobFailure, and_(JobFailure.kind == rows.c.kind, JobFailure.key == rows.c.key))
        .order_by(rows.c.failed_at.desc(), rows.c.key)
        .limit(limit)
    )
    with context.database.session() as session:
        found = session.execute(query).all()
    return [
        FailedWork(
            JobKind(row.kind),
            row.key,
            row.place,
            row.failed_at,
            Message(row.code, row.params or {}) if row.code else None,
            row.errors or (),
        )
        for row in found
    ]


def _table(work: Work[Any], failed: FailedRows) -> Any:
    """Return the model of the rows that fail."""
    return failed.table or work.key.class_


def _newest(work: Work[Any], failed: FailedRows, limit: int) -> Select[Any]:
    table = _table(work, failed)
    key = cast(work.key if failed.key is None else failed.key, Text)
    newest = (
        select(
            literal(work.name, Text).label("kind"),
            key.label("key"),
            (key if failed.place is None else cast(failed.place, Text)).label("place"),
            failed.at.label("failed_at"),
            table.error_code.label("code"),
            getattr(table, "error_params", _NO_PARAMS).label("params"),
        )
        .where(failed.where)
        .order_by(failed.at.desc())
        .limit(limit)
        .subquery()
    )
    return select(newest)

"""Recorded reports and supervisions: rows made with a model, for showing in another installation.

The demo has no model. `lab/cassettes/sample_reports` wrote the rows of its samples with recorded replies.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from core.models import (
    LibraryDocument,
    LibraryStatus,
    Report,
    ReportClaim,
    ReportGap,
    ReportPassage,
    ReportRevision,
    ReportRound,
    ReportSource,
    ReportSupervision,
    ReportTask,
    ReportVersion,
)
from core.models.base import Base
from services.context import Context
from services.seasons import current_season
from services.supervision.documents import original_key

#: What a report consists of, in an order in which rows can be added. Calls of models are left out.
_TABLES: tuple[type[Base], ...] = (
    Report,
    ReportRound,
    ReportTask,
    ReportGap,
    ReportSource,
    ReportPassage,
    ReportClaim,
    ReportVersion,
    ReportSupervision,
    ReportRevision,
)
#: Replaces the id of a library document, which differs between installations.
_DOCUMENT = "document-{sha256}"
#: Columns that belong to the process that researched.
_OF_PROCESS = ("lease_owner", "lease_until", "enqueued_at", "claimed_by", "claimed_until")

Rows = dict[str, list[dict[str, Any]]]


def recorded_rows(session: Session, report_id: uuid.UUID, moment: str) -> Rows:
    """Return a report as rows by table, with `moment` for all times, "" for people, and hashes for documents."""
    rows: Rows = {}
    for model in _TABLES:
        table = model.__tablename__
        key, order = ("id", "id") if model is Report else ("report_id", _order(model))
        found = session.scalars(
            text(f"select to_jsonb(t) from {table} t where {key} = :id order by {order}"), {"id": report_id}
        )
        rows[table] = [_portable(model, row, moment) for row in found]
    dumped = json.dumps(rows)
    for document in session.execute(select(LibraryDocument.id, LibraryDocument.sha256)):
        dumped = dumped.replace(str(document.id), _DOCUMENT.format(sha256=document.sha256))
    known: Rows = json.loads(dumped)
    return known


def add_recorded(context: Context, person_id: uuid.UUID, rows: Rows, original: bytes | None = None) -> bool:
    """Add a recorded report as a sample of this person; return False if it is there already.

    `original`: the file, for an uploaded report. Links to documents that the library lacks are dropped.
    """
    report_id = uuid.UUID(rows[Report.__tablename__][0]["id"])
    with context.database.session() as session:
        if session.get(Report, report_id) is not None:
            return False
        dumped = json.dumps(rows)
        has_text = LibraryDocument.status != LibraryStatus.REMOVED
        for document in session.execute(select(LibraryDocument.id, LibraryDocument.sha256).where(has_text)):
            dumped = dumped.replace(_DOCUMENT.format(sha256=document.sha256), str(document.id))
        known: Rows = json.loads(dumped)
        season_id = str(current_season(session).id)
        for model in _TABLES:
            own = [_own(model, row, str(person_id), season_id) for row in known[model.__tablename__]]
            _insert(session, model, own)
    if original is not None:
        context.store.put(original_key(report_id), original, "application/octet-stream")
    return True


def is_recorded(context: Context, report_id: uuid.UUID | None, revision_id: uuid.UUID | None) -> bool:
    """Return whether a report, or the report of a revision, is such a sample."""
    wanted = Report.id == report_id
    if revision_id is not None:
        wanted = Report.id.in_(select(ReportRevision.report_id).where(ReportRevision.id == revision_id))
    return context.database.scalar(select(Report.id).where(Report.is_sample, wanted)) is not None


def _order(model: type[Base]) -> str:
    if model is ReportRevision:
        return "created_at, iteration"
    return ", ".join(column.name for column in model.__table__.primary_key)


def _portable(model: type[Base], row: Mapping[str, Any], moment: str) -> dict[str, Any]:
    """Return the columns of a row without people and season, which differ between installations."""
    columns = {name: row[name] for name in model.__table__.columns.keys() if name not in _OF_PROCESS}  # noqa: SIM118
    columns |= {name: moment for name, value in columns.items() if name.endswith("_at") and value is not None}
    people = {name: "" for name in _referring(model, "profiles") if columns.get(name) is not None}
    return columns | people | dict.fromkeys(_referring(model, "seasons"), "")


def _own(model: type[Base], row: Mapping[str, Any], person_id: str, season_id: str) -> dict[str, Any]:
    """Return a row with the person, the season and the documents of this installation."""
    own = dict(row)
    own |= {name: person_id for name in _referring(model, "profiles") if own.get(name) is not None}
    own |= dict.fromkeys(_referring(model, "seasons"), season_id)
    for name in _referring(model, "library_documents"):
        if str(own.get(name)).startswith(_DOCUMENT.partition("{")[0]):
            own[name] = None
    return own | ({"is_sample": True} if model is Report else {})


def _referring(model: type[Base], table: str) -> Iterator[str]:
    return (
        column.name
        for column in model.__table__.columns
        if any(key.target_fullname == f"{table}.id" for key in column.foreign_keys)
    )


def _insert(session: Session, model: type[Base], rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    names = ", ".join(rows[0])
    table = model.__tablename__
    session.execute(
        text(
            f"insert into {table} ({names}) select {names} from jsonb_populate_recordset("
            f"cast(null as {table}), cast(:rows as jsonb))"
        ),
        {"rows": json.dumps(rows)},
    )

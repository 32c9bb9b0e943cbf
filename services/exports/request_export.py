"""Ask for an export: a row, and a job that makes the file."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFailedError
from core.models import Export, Profile, Season
from core.models.base import error_columns
from core.models.export import ExportKind, ExportStatus
from services.accounts.person import Person
from services.context import Context
from services.entries.submission_filter import SubmissionFilter
from services.exports.columns import checked_columns
from services.exports.kinds import checked_format
from services.messages.export import ExportRefused
from services.recovery.kinds import EXPORTS
from services.recovery.work import enqueue
from services.seasons import current_season


@dataclass(frozen=True)
class ExportRequest:
    """What somebody asks for."""

    kind: ExportKind
    #: A key of `ExportFormat`.
    format: str
    wanted: SubmissionFilter = field(default_factory=SubmissionFilter)
    #: Keys of `services.exports.columns`, in the order of the file; all for none.
    columns: Sequence[str] = ()
    #: None for the current season.
    season_id: uuid.UUID | None = None


def request_export(context: Context, person: Person, asked: ExportRequest) -> uuid.UUID:
    """Record the export, have it made, and return its id; the chosen columns are remembered.

    Raises InvalidInputError for a format, a column or a season that there is not.
    """
    file_format = checked_format(asked.kind, asked.format)
    columns = checked_columns(asked.columns)
    with context.database.session() as session:
        export = Export(
            season_id=_season(session, asked.season_id),
            requested_by=person.id,
            kind=asked.kind.value,
            format=file_format.value,
            filter=asked.wanted.to_json(),
            columns=list(columns),
        )
        session.add(export)
        if asked.columns:
            session.execute(update(Profile).where(Profile.id == person.id).values(export_columns=list(columns)))
        session.flush()
        export_id = export.id
    enqueue(context, EXPORTS, export_id)
    return export_id


def retry_export(context: Context, export_id: uuid.UUID) -> None:
    """Have an export made again that failed. Raises NotFailedError."""
    with context.database.session() as session:
        won = session.scalar(
            update(Export)
            .where(Export.id == export_id, Export.status == ExportStatus.FAILED.value)
            .values(status=ExportStatus.QUEUED.value, attempts=0, finished_at=None, **error_columns(None))
            .returning(Export.id)
        )
    if won is None:
        raise NotFailedError(ExportRefused.NOT_FAILED)
    enqueue(context, EXPORTS, export_id, replace=True)


def remembered_columns(context: Context, person: Person) -> list[str]:
    """Return the columns that the person chose last; none where none were chosen."""
    with context.database.session() as session:
        return list(session.scalar(select(Profile.export_columns).where(Profile.id == person.id)) or ())


def _season(session: Session, season_id: uuid.UUID | None) -> uuid.UUID:
    if season_id is None:
        return current_season(session).id
    if session.scalar(select(func.count()).select_from(Season).where(Season.id == season_id)) == 0:
        raise InvalidInputError(ExportRefused.SEASON_UNKNOWN)
    return season_id

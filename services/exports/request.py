"""Ask for an export, list the exports, remove them."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, or_, select, true, update
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFailedError, NotFoundError
from core.file_store import FileStore
from core.messages import Message
from core.models import Export, Profile, Season
from core.models.base import columns_of, error_columns
from core.models.operations import ExportKind, ExportStatus
from core.plain_data import built
from core.queue import forget_jobs
from services.accounts.person import Person
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.exports.contents import KEPT, checked_columns, checked_format, key_of
from services.keyset import RowPage, fetch_page
from services.messages.entries import ExportRefused
from services.recovery.kinds import EXPORTS
from services.recovery.work import queue_rows, update_and_queue
from services.seasons import current_season


@dataclass(frozen=True)
class ExportRequest:
    kind: ExportKind
    #: A key of `ExportFormat`.
    format: str
    wanted: SubmissionFilter = field(default_factory=SubmissionFilter)
    #: Keys of `services.exports.contents`, in the order of the file; empty for all.
    columns: Sequence[str] = ()
    #: None for the current season.
    season_id: uuid.UUID | None = None


def request_export(context: Context, person: Person, asked: ExportRequest) -> uuid.UUID:
    """Record the export, have it made, and return its id; the chosen columns are remembered.

    Raises InvalidInputError for an unknown format, column or season.
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
    queue_rows(context, EXPORTS, export_id)
    return export_id


def retry_export(context: Context, export_id: uuid.UUID) -> None:
    """Have a failed export made again. Raises NotFailedError."""
    failed = (Export.id == export_id, Export.status == ExportStatus.FAILED.value)
    again = {"status": ExportStatus.QUEUED.value, "finished_at": None, **error_columns(None)}
    if not update_and_queue(context, EXPORTS, failed, again, replace=True):
        raise NotFailedError(ExportRefused.NOT_FAILED)


def remembered_columns(context: Context, person: Person) -> list[str]:
    """Return the columns that the person chose last; empty if they never chose any."""
    return list(context.database.scalar(select(Profile.export_columns).where(Profile.id == person.id)) or ())


def _season(session: Session, season_id: uuid.UUID | None) -> uuid.UUID:
    if season_id is None:
        return current_season(session).id
    if session.scalar(select(func.count()).select_from(Season).where(Season.id == season_id)) == 0:
        raise InvalidInputError(ExportRefused.SEASON_UNKNOWN)
    return season_id


#: Key of the database lock that keeps exports and erasures apart.
_FORGETTING = func.hashtextextended("exports", 0)


def remove_export(context: Context, person: Person, export_id: uuid.UUID) -> None:
    """Remove an export with its file; one that is being made is stopped. Raises NotFoundError, StorageError."""
    if not _remove(context, Export.id == export_id, visible_exports(person)):
        raise NotFoundError("no such export for this person")


def purge_exports(context: Context) -> int:
    """Remove the exports whose time is over; return their number."""
    return _remove(context, Export.created_at < func.now() - KEPT)


def exports_showing(season_id: uuid.UUID, report_ids: Collection[uuid.UUID]) -> ColumnElement[bool]:
    """Return the condition: an export of the season, of one of the reports, or of passages taken from one."""
    return or_(Export.season_id == season_id, Export.report_id.in_(report_ids))


def forget_exports(session: Session, season_id: uuid.UUID, report_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Delete their rows in the transaction of an erasure and return their ids; see `delete_export_files`.

    No export begins to read until the transaction ends; see `wait_for_erasures`.
    """
    session.execute(select(func.pg_advisory_xact_lock(_FORGETTING)))
    showing = exports_showing(season_id, report_ids)
    return list(session.scalars(delete(Export).where(showing).returning(Export.id)))


def wait_for_erasures(session: Session) -> None:
    """Wait for uncommitted erasures that have deleted exports; later ones wait for this transaction.

    The next erasure deletes an export whose row was committed before; what is read afterwards has nothing left of
    earlier erasures.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(_FORGETTING)))


def delete_export_files(store: FileStore, ids: list[uuid.UUID]) -> None:
    """Delete the files of exports. Raises StorageError; deleting again does no harm."""
    for export_id in ids:
        store.delete(key_of(export_id))


def _remove(context: Context, *where: ColumnElement[bool]) -> int:
    """Delete rows, then files: a file whose deletion fails has no row any more, and is removed as a stray."""
    gone = context.database.scalars(delete(Export).where(*where).returning(Export.id))
    forget_jobs(context.redis, [EXPORTS.job_id(export_id) for export_id in gone])
    delete_export_files(context.store, gone)
    return len(gone)


PAGE_SIZE = 50


@dataclass(frozen=True)
class ExportView:
    id: uuid.UUID
    kind: str
    format: str
    wanted: SubmissionFilter
    columns: list[str]
    status: str
    season: str
    requested_by: str
    rows_total: int | None
    rows_done: int
    byte_size: int | None
    error: Message | None
    created_at: datetime
    finished_at: datetime | None
    #: When its file is removed.
    kept_until: datetime

    @property
    def filename(self) -> str:
        """The name under which it is downloaded."""
        return f"{self.kind}-{self.created_at:%Y-%m-%d}-{str(self.id)[:8]}.{self.format}"

    @property
    def working(self) -> bool:
        """Whether its state may still change without a person."""
        return self.status in ("queued", "running")


def list_exports(
    context: Context, person: Person, cursor: str | None = None, limit: int = PAGE_SIZE
) -> RowPage[ExportView]:
    """Return one page, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.reading() as session:
        rows, after, before = fetch_page(session, _query(person), Export.created_at, Export.id, cursor, limit)
    return RowPage([_view(row) for row in rows], after, before)


def find_export(context: Context, person: Person, export_id: uuid.UUID) -> ExportView:
    """Return one export. Raises NotFoundError if there is none that this person may see."""
    with context.database.reading() as session:
        row = session.execute(_query(person).where(Export.id == export_id)).first()
    if row is None:
        raise NotFoundError("no such export for this person")
    return _view(row)


def visible_exports(person: Person) -> ColumnElement[bool]:
    """Return the condition that an export is of entries, and the person made it or is an admin."""
    own = true() if person.role.may_administer else Export.requested_by == person.id
    return and_(Export.report_id.is_(None), own)


def _query(person: Person) -> Select[*tuple[Any, ...]]:
    return (
        select(
            *columns_of(Export, ExportView),
            Export.filter,
            Export.error_code,
            Export.error_params,
            Season.name.label("season"),
            Profile.display_name,
            Profile.email,
        )
        .join(Season, Season.id == Export.season_id)
        .join(Profile, Profile.id == Export.requested_by)
        .where(visible_exports(person))
    )


def _view(row: Row[Any]) -> ExportView:
    return built(
        ExportView,
        row,
        wanted=SubmissionFilter.from_json(row.filter),
        columns=list(row.columns),
        requested_by=row.display_name or row.email,
        error=None if row.error_code is None else Message(row.error_code, row.error_params),
        kept_until=row.created_at + KEPT,
    )

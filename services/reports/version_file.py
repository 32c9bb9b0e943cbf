"""Files of a report, made by jobs as exports: of a version, shared by all readers; of a person's own document."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, TextClause, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import Export, Report, ReportVersion
from core.models.base import error_columns
from core.models.export import OF_REPORT, OWN_DOCUMENT, ExportStatus
from core.queue import forget_jobs
from research.exports import content_type_of, filename_of
from services.context import Context
from services.exports.stored import key_of
from services.recovery.kinds import EXPORTS
from services.recovery.work import enqueue
from services.reports.own_document import as_report, own_document

#: How long after a failure the file is not made again where somebody asks for it.
_FAILURE_HOLDS = timedelta(minutes=10)


@dataclass(frozen=True)
class VersionFile:
    """The file of one version, or of a person's own document, in one format."""

    id: uuid.UUID
    report_id: uuid.UUID
    #: None for a document of a person's own.
    version_no: int | None
    format: str
    status: ExportStatus
    #: Why it could not be made.
    error: Message | None
    filename: str

    @property
    def working(self) -> bool:
        """Whether it is waiting or being made."""
        return self.status in (ExportStatus.QUEUED, ExportStatus.RUNNING)

    @property
    def content_type(self) -> str:
        """Its media type."""
        return content_type_of(self.format)


def version_file(
    context: Context, person_id: uuid.UUID, report_id: uuid.UUID, format: str, version_no: int | None = None
) -> VersionFile:
    """Return the file of a version, the latest by default; where it was never asked for, a job makes it.

    One that failed a while ago is made anew, and so is one whose file is gone. Raises NotFoundError where there is
    no such version, InvalidInputError for an unknown format.
    """
    content_type_of(format)
    with context.database.session() as session:
        season_id, version_no = _version(session, report_id, version_no)
    values = {"requested_by": person_id, "kind": OF_REPORT, "version_no": version_no, "filter": {}}
    unique = ("report_id", "version_no", "format"), Export.report_id.is_not(None)
    _ask(context, {**values, "season_id": season_id, "report_id": report_id, "format": format}, *unique)
    return _current(context, *_of(report_id, format, version_no))


def own_file(context: Context, person_id: uuid.UUID, report_id: uuid.UUID, format: str) -> VersionFile:
    """Return the file of a person's own document; a job makes it where that has changed since. Raises as above."""
    content_type_of(format)
    made_of = as_report(own_document(context, report_id, person_id)).model_dump(mode="json")
    with context.database.session() as session:
        season_id, _ = _version(session, report_id, None)
    values = {"requested_by": person_id, "kind": OWN_DOCUMENT, "version_no": None, "filter": made_of}
    # As the index has it: a parameter in its place is not known to be the same.
    unique = ("report_id", "requested_by", "format"), text(f"kind = '{OWN_DOCUMENT}'")
    _ask(context, {**values, "season_id": season_id, "report_id": report_id, "format": format}, *unique)
    where = _own(report_id, format, person_id)
    found = _current(context, *where)
    # What is being made is looked at again when it is done.
    changed = not found.working and _again(context, found, Export.filter != made_of, filter=made_of)
    return changed or found


def remove_version_file(
    context: Context, person_id: uuid.UUID, report_id: uuid.UUID, format: str, version_no: int | None
) -> None:
    """Remove the file of a version, of the person's own document for None, or stop its being made.

    It is no error if there is none. Raises StorageError.
    """
    where = _own(report_id, format, person_id) if version_no is None else _of(report_id, format, version_no)
    with context.database.session() as session:
        gone = list(session.scalars(delete(Export).where(*where).returning(Export.id)))
    forget_jobs(context.redis, [EXPORTS.job_id(export_id) for export_id in gone])
    for export_id in gone:
        context.store.delete(key_of(export_id))


def _ask(
    context: Context, values: Mapping[str, Any], unique: Sequence[str], where: ColumnElement[bool] | TextClause
) -> None:
    """Have a job make the file unless its row is there."""
    row = insert(Export).values(columns=[], **values)
    with context.database.session() as session:
        new = session.scalar(
            row.on_conflict_do_nothing(index_elements=unique, index_where=where).returning(Export.id)
        )
    if new is not None:
        enqueue(context, EXPORTS, new)


def _current(context: Context, *where: ColumnElement[bool]) -> VersionFile:
    """Return the file; one that failed a while ago is made anew, and one whose bytes are gone."""
    found = _read(context, *where)
    if found.status == ExportStatus.DONE and not context.store.exists(key_of(found.id)):
        return _again(context, found, Export.status == ExportStatus.DONE.value) or found
    if found.status == ExportStatus.FAILED:
        late = Export.finished_at < func.now() - _FAILURE_HOLDS
        return _again(context, found, Export.status == ExportStatus.FAILED.value, late) or found
    return found


def _of(report_id: uuid.UUID, format: str, version_no: int) -> tuple[ColumnElement[bool], ...]:
    return Export.report_id == report_id, Export.format == format, Export.version_no == version_no


def _own(report_id: uuid.UUID, format: str, person_id: uuid.UUID) -> tuple[ColumnElement[bool], ...]:
    is_own = Export.kind == OWN_DOCUMENT, Export.requested_by == person_id
    return Export.report_id == report_id, Export.format == format, *is_own


def _version(session: Session, report_id: uuid.UUID, version_no: int | None) -> tuple[uuid.UUID, int]:
    """Return the season of the report and the number of the version. Raises NotFoundError."""
    query = (
        select(Report.season_id, ReportVersion.version_no)
        .join(ReportVersion, ReportVersion.report_id == Report.id)
        .where(Report.id == report_id)
    )
    if version_no is not None:
        query = query.where(ReportVersion.version_no == version_no)
    row = session.execute(query.order_by(ReportVersion.version_no.desc()).limit(1)).one_or_none()
    if row is None:
        raise NotFoundError("no such version")
    return row.season_id, row.version_no


def _read(context: Context, *where: ColumnElement[bool]) -> VersionFile:
    title = (
        select(ReportVersion.document["title"].astext)
        .where(
            ReportVersion.report_id == Export.report_id,
            func.coalesce(Export.version_no, ReportVersion.version_no) == ReportVersion.version_no,
        )
        .order_by(ReportVersion.version_no.desc())
        .limit(1)
        .scalar_subquery()
    )
    with context.database.session() as session:
        found = session.execute(select(Export, title).where(*where)).one_or_none()
        if found is None:
            raise NotFoundError("removed meanwhile")
        row, name = found[0], filename_of(found[1] or "", found[0].format)
        return VersionFile(
            row.id, row.report_id, row.version_no, row.format, ExportStatus(row.status), row.error, name
        )


def _again(context: Context, file: VersionFile, *where: ColumnElement[bool], **changed: Any) -> VersionFile | None:
    """Have the file made again if its row is still so; return it as it is then, None where it is not."""
    anew = {"status": ExportStatus.QUEUED.value, "attempts": 0, "finished_at": None, **error_columns(None)}
    with context.database.session() as session:
        won = session.scalar(
            update(Export).where(Export.id == file.id, *where).values(**anew, **changed).returning(Export.id)
        )
    if won is None:
        return None
    enqueue(context, EXPORTS, file.id, replace=True)
    return _read(context, Export.id == file.id)

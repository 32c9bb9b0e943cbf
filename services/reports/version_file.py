"""The file of a version of a report: made once by a job, as an export that all readers of the report share."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import Export, Report, ReportVersion
from core.models.base import error_columns
from core.models.export import OF_REPORT, ExportStatus
from core.queue import forget_jobs
from research.exports import content_type_of, filename_of
from services.context import Context
from services.exports.stored import key_of
from services.recovery.kinds import EXPORTS
from services.recovery.work import enqueue

#: How long after a failure the file is not made again where somebody asks for it.
_FAILURE_HOLDS = timedelta(minutes=10)


@dataclass(frozen=True)
class VersionFile:
    """The file of one version in one format."""

    id: uuid.UUID
    report_id: uuid.UUID
    version_no: int
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
        new = session.scalar(
            insert(Export)
            .values(
                season_id=season_id,
                requested_by=person_id,
                kind=OF_REPORT,
                format=format,
                filter={},
                columns=[],
                report_id=report_id,
                version_no=version_no,
            )
            .on_conflict_do_nothing(
                index_elements=["report_id", "version_no", "format"], index_where=Export.report_id.is_not(None)
            )
            .returning(Export.id)
        )
    if new is not None:
        enqueue(context, EXPORTS, new)
    found = _read(context, report_id, format, version_no)
    if found.status == ExportStatus.DONE and not context.store.exists(key_of(found.id)):
        return _again(context, found, Export.status == ExportStatus.DONE.value)
    if found.status == ExportStatus.FAILED:
        late = Export.finished_at < func.now() - _FAILURE_HOLDS
        return _again(context, found, Export.status == ExportStatus.FAILED.value, late)
    return found


def remove_version_file(context: Context, report_id: uuid.UUID, format: str, version_no: int) -> None:
    """Remove the file, or stop its being made. It is no error if there is none. Raises StorageError."""
    with context.database.session() as session:
        gone = list(
            session.scalars(delete(Export).where(*_of(report_id, format, version_no)).returning(Export.id))
        )
    forget_jobs(context.redis, [EXPORTS.job_id(export_id) for export_id in gone])
    for export_id in gone:
        context.store.delete(key_of(export_id))


def _of(report_id: uuid.UUID, format: str, version_no: int) -> tuple[ColumnElement[bool], ...]:
    return Export.report_id == report_id, Export.format == format, Export.version_no == version_no


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


def _read(context: Context, report_id: uuid.UUID, format: str, version_no: int) -> VersionFile:
    with context.database.session() as session:
        row = session.execute(
            select(
                Export.id,
                Export.status,
                Export.error_code,
                Export.error_params,
                ReportVersion.document["title"].astext.label("title"),
            )
            .join(
                ReportVersion,
                (ReportVersion.report_id == Export.report_id) & (ReportVersion.version_no == Export.version_no),
            )
            .where(*_of(report_id, format, version_no))
        ).one_or_none()
    if row is None:
        raise NotFoundError("removed meanwhile")
    error = None if row.error_code is None else Message(row.error_code, row.error_params)
    name = filename_of(row.title, format)
    return VersionFile(row.id, report_id, version_no, format, ExportStatus(row.status), error, name)


def _again(context: Context, file: VersionFile, *where: ColumnElement[bool]) -> VersionFile:
    """Have the file made again if its row is still so; return it as it is then."""
    with context.database.session() as session:
        won = session.scalar(
            update(Export)
            .where(Export.id == file.id, *where)
            .values(status=ExportStatus.QUEUED.value, attempts=0, finished_at=None, **error_columns(None))
            .returning(Export.id)
        )
    if won is None:
        return file
    enqueue(context, EXPORTS, file.id, replace=True)
    return _read(context, file.report_id, file.format, file.version_no)

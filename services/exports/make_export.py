"""Make the file of an export; run by a job, safe to repeat."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import AppError, DocumentError, LeaseLostError, TooCostlyError
from core.lease import Lease
from core.models import Export, Profile, ReportVersion, Season
from core.models.base import error_columns
from core.models.export import OWN_DOCUMENT, ExportFormat, ExportKind, ExportStatus
from core.models.leases import EXPORT_LEASES
from research.document import ReportDocument
from research.exports import content_type_of, export_document
from services.accounts.person import person_of
from services.context import Context
from services.entries.submission_filter import SubmissionFilter
from services.exports.exported import ExportedSubmission, read_submissions, submission_ids
from services.exports.kinds import CONTENT_TYPES
from services.exports.record_made import record_made
from services.exports.stored import key_of, scratch
from services.exports.write_export import write_export
from services.messages.export import ExportRefused
from services.recovery.kinds import EXPORTS
from services.recovery.work import keeping, take

#: Seconds between two updates of the progress.
_NOTE_EVERY = 1.0


def make_export(context: Context, export_id: uuid.UUID) -> bool:
    """Make the file; return False if there was nothing to do.

    The entries are those that its person may see now. Raises LeaseLostError where the export was removed
    meanwhile, and what `write_export` and `export_document` raise.
    """
    lease = take(context, EXPORTS, export_id)
    if lease is None:
        return False
    with keeping(context, lease), scratch(context) as folder:
        path = folder / "file"
        rows, content_type = _write(context, lease, path)
        key = key_of(export_id)
        context.store.put_file(key, path, content_type)
        try:
            _finish(context, lease, rows, path.stat().st_size)
        except LeaseLostError:
            # Of a row that is still there, the file may by now be that of another worker.
            if not _is_there(context, export_id):
                context.store.delete(key)
            raise
    return True


def _write(context: Context, lease: Lease[Export], path: Path) -> tuple[int | None, str]:
    """Write the file; return the number of its entries, None for a report, and its content type."""
    with context.database.session() as session:
        export = lease.hold(session)
        of_report, document = export.format, _document(session, export)
    if document is None:
        return _write_submissions(context, lease, path)
    try:
        path.write_bytes(export_document(document, of_report))
    except DocumentError as exc:
        raise TooCostlyError(ExportRefused.TOO_LARGE) from exc
    return None, content_type_of(of_report)


def _document(session: Session, export: Export) -> ReportDocument | None:
    """Return the version of a report, or the own document of its person; None for an export of entries."""
    if export.kind == OWN_DOCUMENT:
        return ReportDocument.model_validate(export.filter)
    stored = session.scalar(
        select(ReportVersion.document).where(
            ReportVersion.report_id == export.report_id, ReportVersion.version_no == export.version_no
        )
    )
    return None if stored is None else ReportDocument.model_validate(stored)


def _write_submissions(context: Context, lease: Lease[Export], path: Path) -> tuple[int, str]:
    with context.database.session() as session:
        export = lease.hold(session)
        person = person_of(session.get_one(Profile, export.requested_by))
        kind, file_format, columns = ExportKind(export.kind), ExportFormat(export.format), list(export.columns)
        wanted = SubmissionFilter.from_json(export.filter)
        ids = submission_ids(session, person, export.season_id, wanted, kind)
    _note(context, lease, 0, len(ids))
    entries = _counted(context, lease, read_submissions(context, ids), len(ids))
    write_export(path, kind, file_format, columns, entries, context.store)
    return len(ids), CONTENT_TYPES[file_format]


def _counted(
    context: Context, lease: Lease[Export], entries: Iterator[ExportedSubmission], total: int
) -> Iterator[ExportedSubmission]:
    """Yield the entries, and note now and then how many there were. Raises LeaseLostError."""
    noted = time.monotonic()
    for number, entry in enumerate(entries):
        if time.monotonic() - noted >= _NOTE_EVERY:
            noted = time.monotonic()
            _note(context, lease, number, total)
        yield entry


def _note(context: Context, lease: Lease[Export], done: int, total: int) -> None:
    with context.database.session() as session:
        standing = session.scalar(
            update(Export).where(lease.is_mine()).values(rows_done=done, rows_total=total).returning(Export.id)
        )
    if standing is None:
        raise LeaseLostError("the export was removed")


def _finish(context: Context, lease: Lease[Export], rows: int | None, size: int) -> None:
    """Mark it as done and record that entries were taken out. Raises LeaseLostError."""
    with context.database.session() as session:
        export = lease.hold(session)
        export.status = ExportStatus.DONE.value
        export.byte_size = size
        export.error = None
        export.finished_at = session.scalar(func.now())
        if rows is None:
            return
        export.rows_total = export.rows_done = rows
        record_made(
            session,
            export.requested_by,
            f"{export.kind}.{export.format}",
            rows,
            session.get_one(Season, export.season_id),
            SubmissionFilter.from_json(export.filter),
        )


def _is_there(context: Context, export_id: uuid.UUID) -> bool:
    with context.database.session() as session:
        return session.get(Export, export_id) is not None


def fail_export(context: Context, export_id: uuid.UUID, error: AppError) -> None:
    """Mark an export as failed, with the code of the error."""
    with context.database.session() as session:
        session.execute(
            update(Export)
            .where(Export.id == export_id, EXPORTS.due, EXPORT_LEASES.expired())
            .values(status=ExportStatus.FAILED.value, finished_at=func.now(), **error_columns(error.told))
        )

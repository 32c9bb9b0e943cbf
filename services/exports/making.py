"""Make the file of an export."""

from __future__ import annotations

import errno
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, DocumentError, LeaseLostError, TooCostlyError
from core.folders import create_file, opened, require_kept
from core.lease import Lease
from core.models import Export, Profile, ReportVersion, Season
from core.models.operations import OWN_DOCUMENT, ExportFormat, ExportKind, ExportStatus
from research.document import ReportDocument
from research.exports.formats import export_document, report_media_type
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.exports.contents import (
    CONTENT_TYPES,
    ChosenSubmissions,
    ExportedSubmission,
    checked_columns,
    checked_format,
    key_of,
    read_submissions,
    record_made,
    scratch,
)
from services.exports.formats import write_export
from services.exports.request import ExportRequest, ExportView, find_export, wait_for_erasures
from services.messages.entries import ExportRefused
from services.recovery.kinds import EXPORTS
from services.recovery.work import keeping, take_lease
from services.seasons import season_called

#: Seconds between two updates of the progress.
_NOTE_EVERY = 1.0


def make_export(context: Context, export_id: uuid.UUID) -> bool:
    """Make the file; return False if there was nothing to do.

    The entries are those that its person may see now. Raises LeaseLostError if the export was removed
    meanwhile, and what `write_export` and `export_document` raise.
    """
    lease = take_lease(context, EXPORTS, export_id)
    if lease is None:
        return False
    with keeping(context, lease), scratch(context) as folder:
        path = folder / "file"
        with context.database.session() as session:
            wait_for_erasures(session)
        rows, content_type = _write(context, lease, path)
        key = key_of(export_id)
        context.store.put_file(key, path, content_type)
        try:
            _finish(context, lease, rows, path.stat().st_size)
        except LeaseLostError:
            # If the row is still there, the file may by now be another worker's.
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
    return None, report_media_type(of_report)


def _document(session: Session, export: Export) -> ReportDocument | None:
    """Return the version of a report, or a document of the person's own; None for an export of entries."""
    if export.kind == OWN_DOCUMENT:
        return ReportDocument.model_validate(export.filter)
    stored = session.execute(
        select(ReportVersion.document, ReportVersion.created_at).where(
            ReportVersion.report_id == export.report_id, ReportVersion.version_no == export.version_no
        )
    ).one_or_none()
    if stored is None:
        return None
    document = ReportDocument.model_validate(stored.document)
    return document.model_copy(update={"written_on": stored.created_at.date().isoformat()})


def _write_submissions(context: Context, lease: Lease[Export], path: Path) -> tuple[int, str]:
    with context.database.session() as session:
        export = lease.hold(session)
        person = person_of(session.get_one(Profile, export.requested_by))
        kind, file_format, columns = ExportKind(export.kind), ExportFormat(export.format), list(export.columns)
        wanted = SubmissionFilter.from_json(export.filter)
        chosen = ChosenSubmissions(context, person, export.season_id, wanted, kind)
    write_export(path, kind, file_format, columns, _counted(context, lease, chosen), context.store)
    return chosen.number, CONTENT_TYPES[file_format]


def _counted(context: Context, lease: Lease[Export], chosen: ChosenSubmissions) -> Iterator[ExportedSubmission]:
    """Yield the entries, and record the progress now and then. Raises LeaseLostError."""
    noted = 0.0
    for number, entry in enumerate(read_submissions(context, chosen)):
        if time.monotonic() - noted >= _NOTE_EVERY:
            noted = time.monotonic()
            _note(context, lease, number, chosen.number if chosen.is_whole else None)
        yield entry


def _note(context: Context, lease: Lease[Export], done: int, total: int | None) -> None:
    standing = context.database.scalar(
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
    return context.database.get(Export, export_id) is not None


def export_to_path(context: Context, path: Path, season_name: str, asked: ExportRequest) -> int:
    """Write the file, which must be new, and return the number of entries; the export is recorded.

    Raises NotFoundError for an unknown season, InvalidInputError for an unknown format or column,
    FileExistsError, StorageError, OSError, and what `write_export` raises.
    """
    file_format, columns = checked_format(asked.kind, asked.format), checked_columns(asked.columns)
    with new_file(path) as file, scratch(context) as folder:
        with context.database.session() as session:
            season = season_called(session, season_name)
        chosen = ChosenSubmissions(context, None, season.id, asked.wanted, asked.kind)
        # The writers also make files beside it, so they get a folder that nobody else can enter.
        made = folder / "file"
        write_export(made, asked.kind, file_format, columns, read_submissions(context, chosen), context.store)
        what = f"{asked.kind.value}.{file_format.value}"
        with context.database.session() as session:
            record_made(session, None, what, chosen.number, season, asked.wanted)
        with made.open("rb") as written:
            shutil.copyfileobj(written, file)
    return chosen.number


def require_new(path: Path) -> None:
    """Raise OSError if a file at this path would not belong to this account alone.

    FileExistsError if there is anything, even a link: others may have it open. PermissionError in a folder where
    others could replace the file.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    require_kept(path.parent)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file that only its owner can read, for the block to write; remove it if the block raises.

    Raises OSError, and what `require_new` raises.
    """
    require_new(path)
    with opened(path.parent.resolve()) as folder, create_file(folder, path.name) as file:
        try:
            yield file
            file.flush()
        except BaseException:
            # A partial file would be taken for a complete one.
            with suppress(FileNotFoundError):
                os.unlink(path.name, dir_fd=folder)
            raise


def ready_export(context: Context, person: Person, export_id: uuid.UUID) -> ExportView:
    """Return an export whose file is there. Raises NotFoundError, ConflictError if it is not done."""
    export = find_export(context, person, export_id)
    if export.status != ExportStatus.DONE:
        raise ConflictError(ExportRefused.NOT_READY)
    return export


class Made(Protocol):
    """An export of either kind."""

    @property
    def id(self) -> uuid.UUID: ...
    @property
    def filename(self) -> str: ...


def file_of(context: Context, export: Made) -> bytes | Path:
    """Return the path of the file if the store is a local folder, else its bytes.

    Raises NotFoundError, StorageError.
    """
    key = key_of(export.id)
    return context.store.local_path(key) or context.store.get(key)


def export_link(context: Context, export: Made) -> str | None:
    """Return a short-lived address of the file in the store; None if we send the file."""
    seconds = context.settings.supabase_signed_seconds
    return context.store.link(key_of(export.id), seconds, export.filename) if seconds else None


def export_content_type(export: ExportView) -> str:
    """Return the content type of its file."""
    return CONTENT_TYPES[ExportFormat(export.format)]

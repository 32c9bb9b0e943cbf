"""Upload a document for supervision; it becomes the first version of a new report."""

from __future__ import annotations

import uuid

from sqlalchemy import func

from core.errors import AppError, FileTooLargeError, NoFileError
from core.models import Report, ReportStatus
from research.document import ReportDocument
from research.supervision.revisions import add_version
from services.context import Context
from services.pages.drawn_page import one_of_few
from services.seasons import current_season
from services.supervision.read_upload import read_upload
from services.uploads.submit_files import display_name

_LONGEST_TITLE = 400


def upload_document(
    context: Context,
    person_id: uuid.UUID,
    filename: str,
    data: bytes,
    *,
    library_only: bool = False,
    is_sample: bool = False,
) -> uuid.UUID:
    """Store the original unchanged, read it, create a finished report from it and return the report's id.

    Raises NoFileError, FileTooLargeError, BusyError, and DocumentError, saying what to do, for a file that cannot
    be read; such a file is not kept. `library_only`: supervisions of it use no provider but the library.
    `is_sample`: the report is shown as a sample.
    """
    if not data:
        raise NoFileError
    if len(data) > context.settings.max_upload_bytes:
        raise FileTooLargeError(f"{len(data)} bytes")
    report_id = uuid.uuid4()
    key = original_key(report_id)
    context.store.put(key, data, "application/octet-stream")
    try:
        with one_of_few():
            document = read_upload(context.settings, data, filename)
        _write(context, report_id, person_id, display_name(filename), document, library_only, is_sample)
    except AppError:
        context.store.delete(key)
        raise
    return report_id


def original_key(report_id: uuid.UUID) -> str:
    """Return the key of the original document in the file store."""
    return f"reports/{report_id}/original"


def _write(
    context: Context,
    report_id: uuid.UUID,
    person_id: uuid.UUID,
    name: str,
    document: ReportDocument,
    library_only: bool,
    is_sample: bool,
) -> None:
    title = (document.title or name)[:_LONGEST_TITLE]
    with context.database.session() as session:
        row = Report(
            id=report_id,
            season_id=current_season(session).id,
            requested_by=person_id,
            origin="uploaded",
            query=title,
            language=document.language,
            type_chosen=True,
            kinds=["web", "academic", "book"],
            providers=["library"] if library_only else [],
            is_sample=is_sample,
            status=ReportStatus.DONE.value,
            phase="done",
            ended_because="complete",
            # No graph has run for it, so that there are no checkpoints to remove.
            pruned_at=func.now(),
        )
        session.add(row)
        session.flush()
        written = document.model_copy(update={"title": title})
        add_version(session, report_id, written, "uploaded", made_by=person_id, note=name)

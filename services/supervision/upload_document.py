"""Take in a long document of a person's own, to be deepened: a report whose first version it is."""

from __future__ import annotations

import uuid

from sqlalchemy import func

from core.errors import AppError, FileTooLargeError, NoFileError
from core.models import Report, ReportStatus
from research.document import ReportDocument
from research.supervision.version_rows import add_version
from services.context import Context
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
    """Store the original byte for byte, read it, and write it down as a finished report; its id.

    Raises NoFileError, FileTooLargeError, and DocumentError, saying what to do, for what cannot be read; nothing
    is kept of that. `library_only`: no loop over it asks any provider but the library. `is_sample`: shown as one.
    """
    if not data:
        raise NoFileError
    if len(data) > context.settings.max_upload_bytes:
        raise FileTooLargeError(f"{len(data)} bytes")
    report_id = uuid.uuid4()
    key = original_key(report_id)
    context.store.put(key, data, "application/octet-stream")
    try:
        document = read_upload(context.settings, data, filename)
        _write(context, report_id, person_id, display_name(filename), document, library_only, is_sample)
    except AppError:
        context.store.delete(key)
        raise
    return report_id


def original_key(report_id: uuid.UUID) -> str:
    """Where the file store has the document as it came."""
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
            # It was never a graph's.
            pruned_at=func.now(),
        )
        session.add(row)
        session.flush()
        written = document.model_copy(update={"title": title})
        add_version(session, report_id, written, "uploaded", made_by=person_id, note=name)

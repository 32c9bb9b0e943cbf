"""Make the pages of an erased entry blank in a file that other entries need."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import Page, Submission, Upload
from pipeline.files.content_type import PDF
from pipeline.mupdf.blanked import blank_pages
from services.context import Context

#: What a file is called from then on: its old name may be that of a child.
NEUTRAL_NAME = "erased-in-part.pdf"


def blank_file(context: Context, session: Session, upload_id: uuid.UUID, numbers: Sequence[int]) -> None:
    """Blank these pages, from 1, in the stored file, which the caller has locked.

    What came in is replaced too, by the PDF if it was none. Raises DocumentError and StorageError.
    """
    upload = session.get_one(Upload, upload_id, populate_existing=True)
    assert upload.pdf_key is not None  # it has entries, so its pages were read
    pdf = blank_pages(context.store.get(upload.pdf_key), numbers)
    context.store.put(upload.storage_key, pdf, PDF)
    if upload.pdf_key != upload.storage_key:
        context.store.delete(upload.pdf_key)
    upload.pdf_key = upload.storage_key
    upload.content_type = PDF
    upload.byte_size = len(pdf)
    upload.sha256 = hashlib.sha256(pdf).hexdigest()
    upload.original_filename = NEUTRAL_NAME
    upload.erased_pages = sorted({*upload.erased_pages, *numbers})
    upload.erased_at = utcnow()
    upload.updated_at = utcnow()
    upload.entry_count = session.scalar(select(func.count()).where(Submission.upload_id == upload_id))
    session.execute(
        update(Page)
        .where(Page.upload_id == upload_id, Page.page_no.in_(numbers))
        .values(role="blank_sheet", source=None, distrust=None, ocr_confidence=None)
    )
    session.flush()

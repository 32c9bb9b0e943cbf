"""The blank of a draft: its texts and rules read for the first marks, and its pages as pictures."""

from __future__ import annotations

import uuid

import numpy as np
from sqlalchemy import func, select

from core.confined.children import within
from core.errors import LeaseLostError, NotFoundError, existing
from core.lease import Lease
from core.models import FormDraft, FormDraftStatus, FormSample
from pipeline.blanks.marks import FormMarks, first_marks, marks_of_profile
from pipeline.files.intake import to_pdf
from pipeline.profiles import FormSpec, known_profile
from pipeline.recognition.page_contents import read_pages, render_page
from services.context import Context
from services.form_studio.draft import (
    DraftView,
    blank_key,
    blank_pdf_key,
    blank_picture_key,
    folder_of_draft,
    folder_of_sample,
    kept_step,
    sample_pdf_key,
)
from services.form_studio.samples import SampleView
from services.pages import drawn_page
from services.recovery.kinds import BLANKS
from services.recovery.work import keeping, take_lease

_DPI = 150
_POINTS = 72


def read_blank(context: Context, draft_id: uuid.UUID) -> bool:
    """Read a draft's blank; return False if there was nothing to do.

    Raises DocumentError, RecognitionError, StorageError, and LeaseLostError if the draft was removed meanwhile.
    """
    lease = take_lease(context, BLANKS, draft_id)
    if lease is None:
        return False
    with keeping(context, lease), within(context.settings.parse_file_seconds):
        with context.database.session() as session:
            draft = lease.hold(session)
            page_no, start_key, filename = draft.wanted_page, draft.start_key, draft.original_filename
        intake = to_pdf(context.store.get(blank_key(draft_id)), filename, context.settings)
        context.store.put(blank_pdf_key(draft_id), intake.pdf, "application/pdf")
        page_no = min(page_no, intake.page_count)
        marks = _marks(context, intake.pdf, page_no, known_profile(start_key))
        try:
            _finish(context, lease, marks, page_no, intake.page_count)
        except LeaseLostError:
            _clear_away(context, draft_id)
            raise
    return True


def _marks(context: Context, pdf: bytes, page_no: int, start: FormSpec | None) -> FormMarks:
    (page,) = read_pages(pdf, context.settings, context.store, pages=[page_no])
    if start is not None:
        return marks_of_profile(start, (page.width, page.height))
    grey = np.asarray(render_page(pdf, page_no, _DPI).convert("L"))
    return first_marks(page, grey, grey.shape[1] / page.width)


def _finish(context: Context, lease: Lease[FormDraft], marks: FormMarks, page_no: int, page_count: int) -> None:
    """Write the marks as the draft's next version; the former ones can be restored."""
    with context.database.session() as session:
        draft = lease.hold(session)
        if draft.marks is not None:
            session.add(kept_step(draft, draft.changed_by))
        draft.status = FormDraftStatus.READY.value
        draft.marks = marks.model_dump(mode="json")
        draft.version += 1
        draft.page_count = page_count
        draft.page_no = draft.wanted_page = page_no
        draft.error = None
        draft.changed_at = session.scalar(select(func.now()))


def _clear_away(context: Context, draft_id: uuid.UUID) -> None:
    """Delete the files of a draft that was removed meanwhile."""
    there = context.database.get(FormDraft, draft_id) is not None
    if not there:
        context.store.delete_prefix(folder_of_draft(draft_id))


#: Pixels of the width of a picture.
WIDTH = 1200


def blank_picture(context: Context, draft: DraftView) -> bytes:
    """Return the page of a blank that is the form, as WebP. Raises NotFoundError, and what `drawn_page` raises."""
    if draft.marks is None:
        raise NotFoundError("the blank was not read yet")
    dpi = round(WIDTH * _POINTS / draft.marks.page[0])
    key = blank_picture_key(draft.id, draft.page_no)
    return drawn_page(context, key, blank_pdf_key(draft.id), draft.page_no, dpi)


def sample_picture(context: Context, draft_id: uuid.UUID, sample: SampleView, page_no: int) -> bytes:
    """Return a page of a sample as WebP. Raises NotFoundError, and what `drawn_page` raises."""
    pages = sample.result.pages if sample.result else ()
    page = existing(next((one for one in pages if one.number == page_no), None), "no such page")
    dpi = round(WIDTH * _POINTS / page.width)
    key = f"{folder_of_sample(draft_id, sample.id)}/page-{page_no}.webp"
    drawn = drawn_page(context, key, sample_pdf_key(draft_id, sample.id), page_no, dpi)
    there = context.database.get(FormSample, sample.id) is not None
    if not there:
        # It was removed while it was drawn.
        context.store.delete(key)
    return drawn

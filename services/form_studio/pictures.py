"""Pages of blanks and samples as pictures, drawn once."""

from __future__ import annotations

import uuid

from core.errors import NotFoundError
from core.models import FormSample
from services.context import Context
from services.form_studio.draft import DraftView
from services.form_studio.samples import SampleView
from services.form_studio.stored import blank_pdf_key, blank_picture_key, folder_of_sample, sample_pdf_key
from services.pages.drawn_page import drawn_page

#: Pixels of the width of a picture.
WIDTH = 1200
_POINTS = 72


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
    page = next((one for one in pages if one.number == page_no), None)
    if page is None:
        raise NotFoundError("no such page")
    dpi = round(WIDTH * _POINTS / page.width)
    key = f"{folder_of_sample(draft_id, sample.id)}/page-{page_no}.webp"
    drawn = drawn_page(context, key, sample_pdf_key(draft_id, sample.id), page_no, dpi)
    with context.database.session() as session:
        there = session.get(FormSample, sample.id) is not None
    if not there:
        # It was removed while it was drawn.
        context.store.delete(key)
    return drawn

"""A page as a picture: rendered once for each width and cached as WebP."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import Page, Upload
from services.context import Context
from services.pages.drawn_page import drawn_page
from services.pages.forget_erased import forget_if_erased

#: Widths in pixels that are rendered; others are rounded up, so that the cache stays small.
WIDTHS = (240, 800, 1200, 1800, 2400)
_POINTS_AN_INCH = 72


def page_image(context: Context, upload_id: uuid.UUID, page_no: int, width: int) -> bytes:
    """Return a page as WebP in the next of WIDTHS that is not below `width` pixels, or in the largest.

    Raises NotFoundError, and what `drawn_page` raises.
    """
    wanted = next((step for step in WIDTHS if step >= width), WIDTHS[-1])
    with context.database.session() as session:
        row = session.execute(
            select(Upload.pdf_key, Upload.sha256, Page.width)
            .join(Page, Page.upload_id == Upload.id)
            .where(Upload.id == upload_id, Page.page_no == page_no)
        ).first()
    if row is None or row.pdf_key is None:
        raise NotFoundError("no such page")
    dpi = round(wanted * _POINTS_AN_INCH / row.width)
    key = f"cache/pages/{upload_id}/{page_no}-{wanted}.webp"
    picture = drawn_page(context, key, row.pdf_key, page_no, dpi)
    forget_if_erased(context, row.sha256, upload_id, key)
    return picture

"""Pages without what shines through from the other side of their sheets, for whatever looks at their pixels."""

from __future__ import annotations

import io
from collections.abc import Sequence

from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.pictured import with_pages_pictured
from pipeline.pages.page_model import PageContent
from pipeline.pages.render import render
from pipeline.recognition.bleed_through import other_side

#: Dots per inch of the pictures that replace such pages: as fields are looked at closer.
_RESOLUTION = 200


def with_own_ink(pdf: bytes, pages: Sequence[PageContent]) -> bytes:
    """Return the PDF in which those of these pages that the other side shines through show their own ink alone.

    Pages keep their numbers. The PDF itself where there are none. Raises DamagedDocumentError.
    """
    through = [page for page in pages if page.other_side and page.words]
    if not through:
        return pdf
    pictures: dict[int, bytes] = {}
    with open_pdf(pdf) as file:
        for page in through:
            if (side := other_side(file, page.number, page.other_side)) is not None:
                png = io.BytesIO()
                side.without(render(file, page.number, _RESOLUTION)).save(png, "PNG", compress_level=1)
                pictures[page.number] = png.getvalue()
    return with_pages_pictured(pdf, [page.number for page in pages], pictures)

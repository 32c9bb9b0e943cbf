"""Set essays under numbers, each on pages of its own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from core.confined.children import confined
from core.mupdf import pymupdf
from pipeline.mupdf.library import open_document, own_errors
from pipeline.mupdf.typeset import typeset

#: More than the longest text of a field fills.
_MOST_PAGES = 200


class NumberedEssay(NamedTuple):
    """An essay under the number that stands for its writer."""

    number: str
    text: str


@confined
def set_essays(essays: Sequence[NumberedEssay]) -> bytes:
    """Return a PDF of letter pages, each essay beginning on a new one.

    Raises TooManyPagesError, DamagedDocumentError.
    """
    with pymupdf.open() as packet, own_errors("the essays cannot be set"):
        for essay in essays:
            with open_document(typeset([_html(essay)], {}, _MOST_PAGES)) as pages:
                packet.insert_pdf(pages)
        return bytes(packet.tobytes(garbage=4, deflate=True))


def _html(essay: NumberedEssay) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in essay.text.splitlines() if line.strip())
    return f"<h2>{escape(essay.number)}</h2>{paragraphs}"

"""What annotations write on a page (PDF 32000-1, 12.5): text boxes, stamps, callouts."""

from __future__ import annotations

from itertools import islice

from core.mupdf import pymupdf
from pipeline.mupdf.plain import Note, Rect, Span, TextLine
from pipeline.mupdf.text import TEXT, lines_in

#: Annotations of a page that are looked at; the text of any more counts as the page's own.
MOST_NOTES = 500
_UNSEEN = pymupdf.PDF_ANNOT_IS_HIDDEN | pymupdf.PDF_ANNOT_IS_NO_VIEW
_HIDDEN = "2"


def take_notes(page: pymupdf.Page) -> tuple[list[Note], pymupdf.Page]:
    """Return what annotations write on the page, and the page with them hidden.

    MuPDF counts their text as text of the page. The document in memory is changed, its bytes are not.
    """
    if page.first_annot is None:
        return [], page
    notes = []
    for annotation in list(islice(page.annots(), MOST_NOTES)):
        if not annotation.flags & _UNSEEN and (note := _note(page, annotation)) is not None:
            notes.append(note)
            page.parent.xref_set_key(annotation.xref, "F", _HIDDEN)
    return (notes, page.parent.reload_page(page)) if notes else ([], page)


def _note(page: pymupdf.Page, annotation: pymupdf.Annot) -> Note | None:
    """Return an annotation's lines in MuPDF's unrotated page; None where it writes nothing."""
    lines, _ = lines_in(annotation.get_textpage(flags=TEXT))
    if not lines:
        return None
    back = page.derotation_matrix
    rect = _moved(tuple(annotation.rect), back) if page.rotation else tuple(annotation.rect)
    return Note(
        _may_fill(page, annotation), rect, [_unrotated(line, back) if page.rotation else line for line in lines]
    )


def _may_fill(page: pymupdf.Page, annotation: pymupdf.Annot) -> bool:
    """Whether it is a text box, with which forms are filled too; a callout points at what is there already."""
    if annotation.type[0] != pymupdf.PDF_ANNOT_FREE_TEXT:
        return False
    return bool(page.parent.xref_get_key(annotation.xref, "IT")[1] != "/FreeTextCallout")


def _unrotated(line: TextLine, back: pymupdf.Matrix) -> TextLine:
    """An annotation's text comes in the page as it is displayed, other text in the page before it is rotated."""
    x, y = line.direction
    direction = (x * back.a + y * back.c, x * back.b + y * back.d)
    spans = [Span(_moved(span.rect, back), *span[1:]) for span in line.spans]
    return TextLine(direction, spans, [(*_moved(word[:4], back), word[4]) for word in line.words])


def _moved(rect: Rect, matrix: pymupdf.Matrix) -> Rect:
    x0, y0, x1, y1 = pymupdf.Rect(rect) * matrix
    return x0, y0, x1, y1

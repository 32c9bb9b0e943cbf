"""Make one PDF of a document and what came in its file: pages parted into sheets, attached documents behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.confined.children import confined
from core.mupdf import pymupdf
from pipeline.mupdf.library import load_page, open_document, own_errors
from pipeline.mupdf.plain import Mark, Rect
from pipeline.mupdf.typeset import typeset
from pipeline.mupdf.whole_file.joining import append_pages
from pipeline.mupdf.whole_file.marks import set_mark

#: Pages that the data of one form may fill.
_MOST_PAGES = 50
#: Length of a letter page in points. Standing sheets that are shorter than the other were printed smaller.
_LETTER, _SMALL = 792.0, 680.0


@confined
def put_together(
    document: bytes | None, sheets: Mapping[int, Sequence[Rect]], others: Sequence[bytes], *, carries: bool
) -> bytes:
    """Return a PDF of the document's pages, then of the others, each of which begins a document of its own.

    A page with sheets (places in points of the displayed page) becomes a page for each. `carries`: the others were
    attached to the document, which is left behind where it is None; it keeps nothing attached. Raises
    DamagedDocumentError, EncryptedDocumentError, TooCostlyError.
    """
    first, *rest = [document, *others] if document is not None else others
    with open_document(first) as made, own_errors("the parts of the file cannot be put together"):
        for number in sorted(sheets, reverse=True):
            _part(made, number, sheets[number])
        if carries and document is not None:
            _detach(made)
        for other in rest:
            begins = made.page_count
            with open_document(other) as document_of_its_own:
                append_pages(made, document_of_its_own)
            set_mark(load_page(made, begins + 1), Mark.BEGINS)
        return bytes(made.tobytes(garbage=3, deflate=True))


@confined
def pages_of_texts(texts: Sequence[str]) -> bytes:
    """Return HTML texts as a PDF, each from a new page on. Raises TooManyPagesError."""
    return typeset(texts, {}, _MOST_PAGES)


def _part(document: pymupdf.Document, number: int, sheets: Sequence[Rect]) -> None:
    """Replace a page by one for each sheet."""
    page = load_page(document, number)
    places = [(pymupdf.Rect(sheet) * page.derotation_matrix).normalize() for sheet in sheets]
    heights = [y1 - y0 for x0, y0, x1, y1 in sheets if y1 - y0 > x1 - x0]
    if len(heights) == len(sheets) and max(heights) < _SMALL and not page.annot_xrefs():
        _enlarge(document, number, places)
        return
    for _ in sheets[1:]:
        document.fullcopy_page(number - 1, number - 1)
    for place, rect in enumerate(places):
        _crop(load_page(document, number + place), rect)


def _enlarge(document: pymupdf.Document, number: int, places: Sequence[pymupdf.Rect]) -> None:
    """Replace a page by one for each place, as long as a letter page: it was printed smaller."""
    rotation = load_page(document, number).rotation
    for step, place in enumerate(places):
        with pymupdf.open() as alone:
            alone.insert_pdf(document, from_page=number - 1, to_page=number - 1)
            page = alone.load_page(0)
            page.set_rotation(0)
            _clear_around(page, place)
            scale = _LETTER / max(place.width, place.height)
            made = document.new_page(pno=number + step, width=place.width * scale, height=place.height * scale)
            made.show_pdf_page(made.rect, alone, 0, clip=place)
            made.set_rotation(rotation)
    document.delete_page(number - 1)


def _crop(page: pymupdf.Page, place: pymupdf.Rect) -> None:
    """Crop a page, and take away the annotations and fields that lie on another sheet."""
    for widget in list(page.widgets()):
        if not _lies_on(widget.rect, place):
            page.delete_widget(widget)
    for annotation in list(page.annots()):
        if not _lies_on(annotation.rect, place):
            page.delete_annot(annotation)
    _clear_around(page, place)
    origin = page.cropbox_position
    moved = pymupdf.Rect(place.tl + origin, place.br + origin)
    page.set_cropbox(moved & page.mediabox)


def _clear_around(page: pymupdf.Page, place: pymupdf.Rect) -> None:
    """Take what lies around a place out of the page's bytes: it is another child's, who may have it erased."""
    x0, y0, x1, y1 = page.rect if page.rotation in (0, 180) else (0, 0, page.rect.height, page.rect.width)
    around = (
        (x0, y0, place.x0, y1),
        (place.x1, y0, x1, y1),
        (place.x0, y0, place.x1, place.y0),
        (place.x0, place.y1, place.x1, y1),
    )
    for rect in map(pymupdf.Rect, around):
        if rect.width >= 1 and rect.height >= 1:
            page.add_redact_annot(rect, fill=False)
    page.apply_redactions(
        images=pymupdf.PDF_REDACT_IMAGE_PIXELS,
        graphics=pymupdf.PDF_REDACT_LINE_ART_REMOVE_IF_COVERED,
        text=pymupdf.PDF_REDACT_TEXT_REMOVE,
    )


def _lies_on(rect: pymupdf.Rect, place: pymupdf.Rect) -> bool:
    middle = (rect.tl + rect.br) / 2
    return bool(place.x0 <= middle.x <= place.x1 and place.y0 <= middle.y <= place.y1)


def _detach(document: pymupdf.Document) -> None:
    """Take away what is attached, which would be read again from the PDF that is made, and mark the pages."""
    catalog = document.pdf_catalog()
    for key in ("Names/EmbeddedFiles", "AF", "Collection"):
        if document.xref_get_key(catalog, key)[0] != "null":
            document.xref_set_key(catalog, key, "null")
    for number in range(1, document.page_count + 1):
        page = load_page(document, number)
        for xref, kind, _ in page.annot_xrefs():
            if kind == pymupdf.mupdf.PDF_ANNOT_FILE_ATTACHMENT:
                document.xref_set_key(xref, "FS", "null")
        set_mark(page, Mark.CARRIES)

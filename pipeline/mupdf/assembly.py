"""Make PDFs of pages of several files, sheets, pictures and texts, and make pages blank."""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape, unescape
from typing import NamedTuple

from core.confined.children import confined
from core.confined.mupdf import pymupdf
from core.errors import EmptyDocumentError, TooManyPagesError
from pipeline.mupdf.fonts import JOINED, Glyphs, with_letters
from pipeline.mupdf.library import append_pages, grey_of, load_page, open_document, own_errors, set_mark
from pipeline.mupdf.page_data import Grey, PageMark, Rect

# Assemble one PDF from pages of several, in any order, optionally turned.


class Leaf(NamedTuple):
    """Page `number` (from 1) of the part at `part`, turned clockwise by `rotation` degrees."""

    part: int
    number: int
    rotation: int


def join_pdfs(parts: Sequence[bytes]) -> bytes:
    """Return one PDF with the pages of all parts in order, form fields included.

    A single part is returned unchanged. Raises EmptyDocumentError when there is none, and what `assemble` raises.
    """
    if not parts:
        raise EmptyDocumentError("no files")
    return parts[0] if len(parts) == 1 else _joined(parts)


#: In a file with more objects, equal ones are not merged: MuPDF would compare all pairs, for minutes.
_MOST_COMPARED = 10_000


def _saved(document: pymupdf.Document, *, streams: bool = False) -> bytes:
    """Return the bytes of a document without unused objects; equal ones, and with `streams` those, are merged."""
    alike = 4 if streams else 3
    few = document.xref_length() <= _MOST_COMPARED
    return bytes(document.tobytes(garbage=alike if few else 2, deflate=True))


@confined
def _joined(parts: Sequence[bytes]) -> bytes:
    with pymupdf.open() as joined, own_errors("the files cannot be joined"):
        for part in parts:
            with open_document(part) as document:
                append_pages(joined, document)
        return _saved(joined)


@confined
def assemble(parts: Sequence[bytes], leaves: Sequence[Leaf]) -> bytes:
    """Return the leaves as one PDF, form fields included; the parts are not changed.

    Raises DamagedDocumentError for a missing page, EncryptedDocumentError, TooCostlyError.
    """
    starts = [0]
    for part in parts:
        with open_document(part) as document:
            starts.append(starts[-1] + document.page_count)
    with open_document(join_pdfs(parts)) as joined:
        wanted = [starts[leaf.part] + leaf.number for leaf in leaves]
        for number, leaf in zip(wanted, leaves, strict=True):
            page = load_page(joined, number)
            page.set_rotation((page.rotation + leaf.rotation) % 360)
        joined.select([number - 1 for number in wanted])
        return _saved(joined)


# Make pages of a PDF blank, so that nothing of them remains in its bytes.


@confined
def blank_pages(data: bytes, numbers: Collection[int]) -> bytes:
    """Return the PDF with empty pages of the same displayed size at these numbers, from 1.

    The other pages are copied into a new file, which leaves out what belongs to the entire file: earlier
    revisions, metadata, attachments, outlines, scripts and the data of forms. Raises what `open_document` raises,
    and DamagedDocumentError for a missing page.
    """
    with open_document(data) as document, pymupdf.open() as made, own_errors("pages cannot be made blank"):
        blank = sorted(set(numbers))
        sizes = [load_page(document, number).rect for number in blank]
        _copy_others(made, document, blank)
        for number, size in zip(blank, sizes, strict=True):
            made.new_page(pno=number - 1, width=size.width, height=size.height)
        return _saved(made, streams=True)


@confined
def only_pages(data: bytes, numbers: Collection[int]) -> bytes:
    """Return a PDF of these pages, from 1, with nothing of the others in its bytes.

    Raises what `blank_pages` raises.
    """
    with open_document(data) as document, pymupdf.open() as made, own_errors("pages cannot be taken out"):
        for number in numbers:
            load_page(document, number)
        _copy_others(made, document, sorted(set(range(1, document.page_count + 1)) - set(numbers)))
        return _saved(made, streams=True)


def _copy_others(made: pymupdf.Document, document: pymupdf.Document, gone: Sequence[int]) -> None:
    """Copy all pages but these into an empty file; the source is changed."""
    shared = _named(document, gone)
    kept = [number for number in range(1, document.page_count + 1) if number not in gone]
    for number in kept:
        if shared & _named(document, [number]):
            # Scanners give all pages one dictionary of pictures: keep those that the page shows.
            load_page(document, number).clean_contents(sanitize=True)
    if kept:
        if gone:
            document.delete_pages([number - 1 for number in gone])
        # Saved first and copied at once: otherwise PyMuPDF would not copy the fields.
        with open_document(_saved(document)) as rest:
            made.insert_pdf(rest)


def _named(document: pymupdf.Document, numbers: Collection[int]) -> set[int]:
    """Return the objects that these pages refer to: pictures and forms."""
    return {
        entry[0]
        for number in numbers
        for entry in (*document.get_page_images(number - 1, full=True), *document.get_page_xobjects(number - 1))
    }


# Typeset essays under numbers, each on its own pages.


#: More pages than the longest text of a field takes.
_MOST_ESSAY_PAGES = 200


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
            with open_document(typeset([_html(essay)], {}, _MOST_ESSAY_PAGES)) as pages:
                packet.insert_pdf(pages)
        return _saved(packet, streams=True)


def _html(essay: NumberedEssay) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in essay.text.splitlines() if line.strip())
    return f"<h2>{escape(essay.number)}</h2>{paragraphs}"


# PDFs whose pages are pictures.


class PictureSheet(NamedTuple):
    """A page that is one picture."""

    #: The picture in a format that a PDF can embed: PNG, JPEG.
    picture: bytes
    #: Of the page, in points.
    width: float
    height: float


def pdf_of_sheets(sheets: Iterable[PictureSheet]) -> bytes:
    """Return a PDF of these pages, taken one at a time, so that only one picture is in memory."""
    with pymupdf.open() as document:
        for sheet in sheets:
            page = document.new_page(width=sheet.width, height=sheet.height)
            page.insert_image(page.rect, stream=sheet.picture)
        # Pictures other than JPEG would otherwise be uncompressed: 11 MB for a page at 200 dpi.
        return bytes(document.tobytes(deflate_images=True))


@confined
def with_pages_pictured(pdf: bytes, numbers: Collection[int], pictures: Mapping[int, bytes]) -> bytes:
    """Return a PDF with some of the pages replaced by their pictures, in the same size.

    Pages keep their numbers (from 1). Of a long file only the pages from the first to the last of `numbers` are
    kept, after empty ones. Raises DamagedDocumentError, EncryptedDocumentError, TooCostlyError.
    """
    with open_document(pdf) as document, pymupdf.open() as made:
        for _ in range(min(numbers) - 1):
            made.new_page()
        made.insert_pdf(document, from_page=min(numbers) - 1, to_page=max(numbers) - 1)
        for number, picture in pictures.items():
            rect = load_page(document, number).rect
            page = made.new_page(pno=number - 1, width=rect.width, height=rect.height)
            page.insert_image(page.rect, stream=picture)
            made.delete_page(number)
        return bytes(made.tobytes(deflate_images=True))


# Draw type in the plain sans serif that every PDF reader has, and typeset letters.


#: Helvetica, or a family of the same widths.
_FACE = "helv"
#: Pages that one letter may have.
_MOST_LETTER_PAGES = 20


@confined
def letter_pages(letters: Sequence[str]) -> bytes:
    """Return HTML texts as one PDF, each from a new page on. Raises TooManyPagesError."""
    return typeset(letters, {}, _MOST_LETTER_PAGES)


def width_of(text: str, size: float) -> float:
    """Return the width of a text in points."""
    return float(pymupdf.get_text_length(text, fontname=_FACE, fontsize=size))


def drawn_text(text: str, size: float, at: tuple[float, float], sheet: tuple[float, float], scale: float) -> Grey:
    """Return a text in black on a white sheet of this width and height, `scale` pixels a point.

    `at` is where its baseline begins, in points.
    """
    width, height = sheet
    with pymupdf.open() as document:
        page = document.new_page(width=width, height=height)
        page.insert_text(at, text, fontname=_FACE, fontsize=size)
        return grey_of(page, scale)


# Make one PDF of a document and what came in its file: pages split into sheets, then attached documents.


#: Pages that the data of one form may fill.
_MOST_FORM_PAGES = 50
#: Length of a letter page, and length below which an upright sheet was printed smaller (points).
_LETTER, _SMALL = 792.0, 680.0


@confined
def put_together(
    document: bytes | None, sheets: Mapping[int, Sequence[Rect]], others: Sequence[bytes], *, carries: bool
) -> bytes:
    """Return a PDF of the document's pages followed by the others, each of which begins a new document.

    A page with sheets (places in points of the displayed page) becomes a page for each. `carries`: the others were
    attached to the document, which may be None. The result has no attachments. Raises DamagedDocumentError,
    EncryptedDocumentError, TooCostlyError.
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
            set_mark(load_page(made, begins + 1), PageMark.BEGINS)
        return _saved(made)


@confined
def pages_of_texts(texts: Sequence[str]) -> bytes:
    """Return HTML texts as a PDF, each from a new page on. Raises TooManyPagesError."""
    return typeset(texts, {}, _MOST_FORM_PAGES)


def _part(document: pymupdf.Document, number: int, sheets: Sequence[Rect]) -> None:
    """Replace a page with one for each sheet."""
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
    """Replace a page with one for each place, enlarged to a letter page: it was printed smaller."""
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
    """Crop a page, and remove the annotations and fields that are on another sheet."""
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
    """Remove the surroundings of a place from the page's bytes: another child's data may have to be erased."""
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
    """Remove attachments, which would be read again from the resulting PDF, and mark the pages."""
    catalog = document.pdf_catalog()
    for key in ("Names/EmbeddedFiles", "AF", "Collection"):
        if document.xref_get_key(catalog, key)[0] != "null":
            document.xref_set_key(catalog, key, "null")
    for number in range(1, document.page_count + 1):
        page = load_page(document, number)
        for xref, kind, _ in page.annot_xrefs():
            if kind == pymupdf.mupdf.PDF_ANNOT_FILE_ATTACHMENT:
                document.xref_set_key(xref, "FS", "null")
        set_mark(page, PageMark.CARRIES)


# Typeset HTML on letter pages.


_WIDTH, _HEIGHT, _MARGIN = 612, 792, 72
#: Room for text on a page, in points.
BODY_WIDTH, BODY_HEIGHT = _WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN
_CSS = "body {font-family: sans-serif; font-size: 11pt} p {margin: 0 0 6pt 0} td {padding: 0 6pt 0 0}"
#: Letters and their marks; joiners and marks of direction.
_WORD = re.compile(
    "(?:[^\\W\\d_]|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u109f])+"
)
_SILENT = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069]")


def typeset(texts: Sequence[str], pictures: Mapping[str, bytes], max_pages: int) -> bytes:
    """Return HTML texts as one PDF, each from a new page on; pictures are those of that name.

    Raises TooManyPagesError if a text takes more pages.
    """
    archive = pymupdf.Archive()
    for name, picture in pictures.items():
        archive.add(picture, name)
    out = io.BytesIO()
    writer = pymupdf.DocumentWriter(out)
    glyphs = Glyphs() if any(JOINED.search(html) for html in texts) else None
    for html in texts:
        _place(pymupdf.Story(html, user_css=_CSS, archive=archive), writer, max_pages, glyphs)
    writer.close()
    return out.getvalue() if glyphs is None else with_letters(out.getvalue(), glyphs.letters)


def _place(story: pymupdf.Story, writer: pymupdf.DocumentWriter, max_pages: int, glyphs: Glyphs | None) -> None:
    sheet = pymupdf.Rect(0, 0, _WIDTH, _HEIGHT)
    body = pymupdf.Rect(_MARGIN, _MARGIN, _WIDTH - _MARGIN, _HEIGHT - _MARGIN)
    more, pages = True, 0
    while more:
        pages += 1
        if pages > max_pages:
            raise TooManyPagesError(f"more than {max_pages} pages")
        device = writer.begin_page(sheet)
        more, _ = story.place(body)
        if glyphs is None:
            story.draw(device)
        else:
            glyphs.draw(story, device)
        writer.end_page()


def words_lost(pdf: bytes, html: str) -> int:
    """Return how many words of joined letters in the HTML are not among the words of the PDF.

    Letters that are drawn in another order, such as Indic vowels, are read in the order of their places.
    """
    if not JOINED.search(html):
        return 0
    written = Counter(_words(unescape(re.sub(r"<[^<>]*+>", " ", html))))
    with pymupdf.open("pdf", pdf) as document:
        for page in document:
            for word in page.get_text("words"):
                written.subtract(_words(word[4]))
    return sum(count for count in written.values() if count > 0)


def _words(text: str) -> list[str]:
    """Return the words with joined letters, without signs and marks of direction."""
    return [
        word for word in _WORD.findall(unicodedata.normalize("NFKC", _SILENT.sub("", text))) if JOINED.search(word)
    ]

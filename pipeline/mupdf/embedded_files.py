"""What a PDF holds besides its pages: embedded files, data of XFA forms, several sheets on a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.etree import ElementTree

from core.config import FileBounds
from core.confined.mupdf import pymupdf
from pipeline.mupdf.copies import WordAt
from pipeline.mupdf.library import load_page
from pipeline.mupdf.page_data import AttachedFile, Beside, Rect
from pipeline.mupdf.repeated_lines import LEAST_SAME, sheets_on_page

# What a PDF holds besides its pages: attached files, and the data of a form that only XFA draws.


mupdf: Any = pymupdf.mupdf
_MOST_ATTACHMENTS = 500
#: Keys of an embedded file's stream (PDF 32000-1, table 45), the usual ones first.
_STREAMS = ("F", "UF", "Unix", "DOS", "Mac")
#: Key of the type of `Page.annot_xrefs`.
_FILE = int(mupdf.PDF_ANNOT_FILE_ATTACHMENT)
#: Text of a portfolio's page for readers that do not show portfolios.
_PORTFOLIO = re.compile(r"portfolio|acrobat|adobe reader", re.IGNORECASE)
_LONGEST_COVER = 1500
#: Text of a dynamic form's page for readers that do not draw XFA.
_WAITING = re.compile(r"please wait|adobe reader|acrobat|pdf viewer", re.IGNORECASE)


def beside_pages(document: pymupdf.Document, bounds: FileBounds) -> Beside:
    """Find all of it. The document's streams must have been checked against the bounds."""
    attached = list(_attached_files(document, bounds.max_unpacked_bytes))
    catalog = document.pdf_catalog()
    is_cover = bool(attached) and _has(document, catalog, "Collection") and _has_only(document, _PORTFOLIO)
    is_dynamic = _is_dynamic(document, catalog)
    looked = {} if is_dynamic else _looked(document)
    return Beside(
        attached=attached,
        is_portfolio_cover=is_cover,
        is_dynamic=is_dynamic,
        form_data=read_xfa(document) if is_dynamic else [],
        sheets={number: look.sheets for number, look in looked.items() if look.sheets},
        pictured={number: look.picture for number, look in looked.items() if look.picture is not None},
    )


def _looked(document: pymupdf.Document) -> dict[int, Looked]:
    return {number: looked_at(load_page(document, number)) for number in range(1, document.page_count + 1)}


def _has(document: pymupdf.Document, xref: int, key: str) -> bool:
    return bool(document.xref_get_key(xref, key)[0] != "null")


def _has_only(document: pymupdf.Document, pattern: re.Pattern[str]) -> bool:
    """Whether the document is one short page with this text."""
    if document.page_count > 1:
        return False
    text = load_page(document, 1).get_text()
    return len(text) <= _LONGEST_COVER and bool(pattern.search(text))


def _is_dynamic(document: pymupdf.Document, catalog: int) -> bool:
    """Whether only a reader of XFA draws the values (PDF 32000-1, 12.7.8).

    Static forms have XFA in addition to fields that any reader draws.
    """
    if not _has(document, catalog, "AcroForm/XFA"):
        return False
    if document.xref_get_key(catalog, "NeedsRendering")[1] == "true":
        return True
    has_fields = any(next(load_page(document, n + 1).widgets(), None) for n in range(document.page_count))
    return not has_fields and _has_only(document, _WAITING)


def _attached_files(document: pymupdf.Document, limit: int) -> Iterator[AttachedFile]:
    """Yield the attached files, each once; together they have at most `limit` bytes."""
    seen: set[int] = set()
    for spec in _specifications(document):
        stream = next((found for key in _STREAMS if (found := _got(spec, "EF", key)) is not None), None)
        if stream is None or mupdf.pdf_to_num(stream) in seen:
            continue
        if len(seen) >= _MOST_ATTACHMENTS:
            return
        seen.add(mupdf.pdf_to_num(stream))
        data = _unpacked(stream)
        if data is not None and len(data) > limit:
            data = None
        limit -= len(data or b"")
        yield AttachedFile(_name(spec), data)


def _specifications(document: pymupdf.Document) -> Iterator[Any]:
    """Yield the file specifications: of the document, and of attachments on its pages."""
    catalog = document.pdf_catalog()
    if _has(document, catalog, "Names/EmbeddedFiles"):
        tree = mupdf.pdf_load_name_tree(pymupdf._as_pdf_document(document), mupdf.PDF_ENUM_NAME_EmbeddedFiles)
        for place in range(mupdf.pdf_dict_len(tree)):
            yield mupdf.pdf_dict_get_val(tree, place)
    if _has(document, catalog, "AF"):
        listed = mupdf.pdf_dict_gets(_object(document, catalog), "AF")
        for place in range(mupdf.pdf_array_len(listed)):
            yield mupdf.pdf_array_get(listed, place)
    for index in range(document.page_count):
        if not _has(document, document.page_xref(index), "Annots"):
            continue
        for xref, kind, _ in load_page(document, index + 1).annot_xrefs():
            if kind == _FILE:
                yield mupdf.pdf_dict_gets(_object(document, xref), "FS")


def _object(document: pymupdf.Document, xref: int) -> Any:
    return mupdf.pdf_load_object(pymupdf._as_pdf_document(document), xref)


def _got(spec: Any, *keys: str) -> Any | None:
    """Look up a path of keys in nested dictionaries; None if a key is missing."""
    for key in keys:
        spec = mupdf.pdf_dict_gets(spec, key)
    return spec if spec.m_internal else None


def _name(spec: Any) -> str:
    found = _got(spec, "UF") or _got(spec, "F") or _got(spec, "Desc")
    return str(mupdf.pdf_to_text_string(found)) if found is not None else ""


def _unpacked(stream: Any) -> bytes | None:
    try:
        return bytes(pymupdf.JM_BinFromBuffer(mupdf.pdf_load_stream(stream)))
    except (RuntimeError, mupdf.FzErrorBase):
        return None


# The data of a form drawn by XFA (XML Forms Architecture 3.3, "Data Mapping").


_MOST_BYTES = 8 << 20
_MOST_FIELDS = 400
#: Most letters of one value.
_LONGEST = 20_000
_REFERENCE = re.compile(r"(?<!\d)(\d{1,10}) \d{1,5} R")
_BEGIN, _END = re.compile(rb"<(?:\w{1,40}:)?datasets\b"), b"datasets>"


def read_xfa(document: pymupdf.Document) -> list[tuple[str, str]]:
    """Return the filled-in values, each with its label, in the order of the data."""
    xml = _packets(document)
    found = _parsed(xml)
    if found is None and (begin := _BEGIN.search(xml)) is not None:
        found = _parsed(xml[begin.start() : xml.rfind(_END) + len(_END)])
    if found is None:
        return []
    captions = dict(_captions(found))
    data = next((node for node in found.iter() if _tag(node) == "data"), None)
    if data is None:
        return []
    values: list[tuple[str, str]] = []
    for node in _leaves(data):
        if (text := _text(node)) and len(values) < _MOST_FIELDS:
            values.append((captions.get(_tag(node)) or _label(_tag(node)), text[:_LONGEST]))
    return values


def _packets(document: pymupdf.Document) -> bytes:
    """Return the XML, which may be in several streams that follow one another."""
    kind, value = document.xref_get_key(document.pdf_catalog(), "AcroForm/XFA")
    numbers = [int(number) for number in _REFERENCE.findall(value)]
    if kind == "xref" and not document.xref_is_stream(numbers[0]):
        numbers = [int(number) for number in _REFERENCE.findall(document.xref_object(numbers[0]))]
    xml = b""
    for number in numbers:
        if 0 < number < document.xref_length() and document.xref_is_stream(number):
            xml += document.xref_stream(number) or b""
        if len(xml) > _MOST_BYTES:
            return b""
    return xml


def _parsed(xml: bytes) -> ElementTree.Element | None:
    # Forms need no document type, and nested entities would expand without limit.
    if b"<!DOCTYPE" in xml or b"<!ENTITY" in xml or b"\0" in xml[:200]:
        return None
    try:
        return ElementTree.fromstring(xml)  # nosec B314
    except (ElementTree.ParseError, ValueError):
        return None


def _tag(node: ElementTree.Element) -> str:
    return str(node.tag).rpartition("}")[2]


def _captions(found: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Yield the caption that the template prints for each field, by the field's name."""
    for field in found.iter():
        if _tag(field) != "field" or not field.get("name"):
            continue
        for caption in (node for node in field if _tag(node) == "caption"):
            if text := " ".join(" ".join(caption.itertext()).split()):
                yield field.get("name", ""), text.rstrip(":")


def _leaves(data: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Yield the elements that hold a value: text, or text with its formatting as XHTML."""
    waiting = [data]
    while waiting:
        node = waiting.pop()
        inner = list(node)
        if not inner or any(_tag(child) == "body" for child in inner):
            yield node
        else:
            waiting += reversed(inner)


def _text(node: ElementTree.Element) -> str:
    paragraphs = [child for child in node.iter() if _tag(child) == "p"]
    if paragraphs:
        return "\n".join(" ".join("".join(child.itertext()).split()) for child in paragraphs).strip()
    return "".join(node.itertext()).strip()


def _label(tag: str) -> str:
    """Return an element's name as words: studentName, student_name as "Student name"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_.\-]+", " ", tag).split()
    return " ".join(words).capitalize()


# Find the sheets on a page with several printed or scanned sheets, side by side or one above the other.
#
# Sheets differ from columns in repeated print: two copies of a form begin with the same line and repeat others at
# the same distance, and nothing crosses the gap between them.


#: Ratio of width to height from which a page is landscape.
_LIES = 1.15
#: Least share of the page, and least pixels, of pictures that are the page rather than logos.
_PICTURED, _PIXELS = 0.6, 400_000
#: Least share on a page without text, such as a page of a text document with only a photo.
_ALONE = 0.3
#: Strings shown by a page's contents (PDF 32000-1, 9.4.3): letters, hexadecimal codes, or several with spaces
#: between them. Those that are too short for a label are left out.
_WRITTEN = re.compile(
    rb"(?:\(((?:[^()\\]|\\.){4,})\)|<([0-9A-Fa-f]{16,})>)\s*Tj|\[([^\[\]]{12,})\]\s*TJ", re.DOTALL
)
#: First bytes of such a string that are compared, since a label may be written together with its value.
_LETTERS, _CODES = 12, 24
#: Most embedded pages that a page consists of, nested ones included. More are letters drawn as outlines.
_MOST_DRAWN = 40
#: Pages with more bytes of contents are not forms.
_MOST_CONTENTS = 1 << 20


class Looked(NamedTuple):
    """What is known of a page without drawing it."""

    #: The places of the sheets in the order of reading, in points of the displayed page; none for one sheet.
    sheets: list[Rect]
    #: The place of the picture that makes up the page, whose sheets only pixels can show; None without one.
    picture: Rect | None = None


def looked_at(page: pymupdf.Page) -> Looked:
    """Find the sheets on a page.

    Upright pages with a text layer are examined only if they consist of other pages, which is cheap to check.
    """
    width, height = page.rect.width, page.rect.height
    lies = width > _LIES * height
    pictures = page.get_images(full=True)
    picture = _picture_of(page) if _pixels(pictures) >= _PIXELS else None
    if picture is not None and not (lies and page.get_text().strip()):
        return Looked([], picture)
    if not (lies or _is_put_together(page, pictures)):
        return Looked([])
    sheets = sheets_on_page(_words(page), (0.0, 0.0, width, height))
    return Looked(sheets, None if sheets else picture)


def _is_put_together(page: pymupdf.Page, pictures: list[tuple[int, ...]]) -> bool:
    """Whether the page draws other pages, or repeats things: a logo at the head of two forms, several labels."""
    drawn = [picture[0] for picture in pictures]
    if len(set(drawn)) < len(drawn) or 1 < len(page.get_xobjects()) <= _MOST_DRAWN:
        return True
    contents = page.read_contents()
    if len(contents) > _MOST_CONTENTS:
        return False
    starts = Counter(
        letters[:_LETTERS] or (codes or several)[:_CODES] for letters, codes, several in _WRITTEN.findall(contents)
    )
    return sum(times > 1 for times in starts.values()) >= LEAST_SAME


def _pixels(pictures: list[tuple[int, ...]]) -> int:
    return sum(picture[2] * picture[3] for picture in pictures)


def _picture_of(page: pymupdf.Page) -> Rect | None:
    """Return the place of the picture (or strips) that makes up a page; almost the entire page counts as all."""
    turn = page.rotation_matrix
    found = [(pymupdf.Rect(info["bbox"]) * turn).normalize() & page.rect for info in page.get_image_info()]
    share = sum(abs(rect.width * rect.height) for rect in found if not rect.is_empty) / abs(page.rect)
    if share < _ALONE or (share < _PICTURED and page.get_text().strip()):
        return None
    if share >= _PICTURED:
        return (0.0, 0.0, page.rect.width, page.rect.height)
    whole = pymupdf.Rect()
    for rect in found:
        whole |= rect
    return (whole.x0, whole.y0, whole.x1, whole.y1)


def _words(page: pymupdf.Page) -> list[WordAt]:
    turn = page.rotation_matrix
    return [WordAt(word[4], tuple((pymupdf.Rect(word[:4]) * turn).normalize())) for word in page.get_text("words")]

"""PyMuPDF as this package uses it: silent, with our own errors, and checks before a PDF is read."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import numpy as np

from core.config import FileBounds
from core.confined.mupdf import pymupdf
from core.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    PictureTooLargeError,
    TooManyPagesError,
    UnpacksTooLargeError,
)
from pipeline.mupdf.page_data import Grey, PageMark

# Checks of a PDF before it is read: it has pages, they can be drawn, and nothing is lost.


#: A page that is longer than this many times its width has no pixels when drawn small.
_LONGEST = 400


def check_document(document: pymupdf.Document, data: Data, bounds: FileBounds) -> None:
    """Check an open PDF, whose bytes are `data`. Raises what `pipeline.mupdf.file.check_pdf` raises."""
    with own_errors("its structure cannot be walked"):
        _check_pages(document, data, bounds)
        check_losses(document, data)


def _check_pages(document: pymupdf.Document, data: Data, bounds: FileBounds) -> None:
    count = document.page_count
    if count > bounds.max_pages:
        raise TooManyPagesError(f"{count} pages")
    if count == 0:
        # A truncated file without a page tree has no pages either.
        raise DamagedDocumentError("no pages are left") if document.is_repaired else EmptyDocumentError
    check_streams(document, data, bounds.max_unpacked_bytes)
    for number in range(1, count + 1):
        _check_page(load_page(document, number), bounds)


def _check_page(page: pymupdf.Page, bounds: FileBounds) -> None:
    width, height = page.rect.width, page.rect.height
    if width < 1 or height < 1 or max(width, height) > _LONGEST * min(width, height):
        raise DamagedDocumentError("a page without a size, or like a thread")
    if width * height > bounds.max_image_pixels:
        raise PictureTooLargeError(f"a page of {width:.0f} x {height:.0f} points")
    for image in page.get_images(full=True):
        if image[2] * image[3] > bounds.max_image_pixels:
            raise PictureTooLargeError(f"{image[2]} x {image[3]} pixels")


# Pages drawn in shades of grey.


def grey_of(page: pymupdf.Page, scale: float) -> Grey:
    """Return a page as displayed, at `scale` pixels per point."""
    pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)


# Append the pages of one PDF to another, form fields included.


#: Most parents of a field that are followed, in case they form a circle.
_MOST_PARENTS = 32


def append_pages(made: pymupdf.Document, document: pymupdf.Document) -> None:
    """Append all pages of a document, which is changed in memory."""
    if not document.is_form_pdf:
        _list_fields(document)
    made.insert_pdf(document)


def _list_fields(document: pymupdf.Document) -> None:
    """List the fields of pages whose document lists none: PyMuPDF copies only listed ones.

    Preview and other programs save such forms, and readers display them.
    """
    fields: dict[int, None] = {}
    for number in range(1, document.page_count + 1):
        for xref, kind, _ in load_page(document, number).annot_xrefs():
            if kind == pymupdf.mupdf.PDF_ANNOT_WIDGET:
                fields[_root(document, xref)] = None
    if fields:
        listed = " ".join(f"{xref} 0 R" for xref in fields)
        document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields[{listed}]>>")


def _root(document: pymupdf.Document, xref: int) -> int:
    for _ in range(_MOST_PARENTS):
        kind, value = document.xref_get_key(xref, "Parent")
        if kind != "xref":
            break
        xref = int(value.split()[0])
    return xref


# Marks on pages of PDFs that this program assembles from several files.
#
# A mark is the private data of a page-piece dictionary (PDF 32000-1, 14.5), which no reader displays.


_WHERE = "PieceInfo/SecondReader/Private"


def mark_of(page: pymupdf.Page) -> str:
    """Return the value of a page's mark, "" without one."""
    kind, value = page.parent.xref_get_key(page.xref, _WHERE)
    return str(value).removeprefix("/") if kind == "name" else ""


def set_mark(page: pymupdf.Page, mark: PageMark) -> None:
    piece = f"<</SecondReader<</LastModified(D:20000101000000Z)/Private/{mark.value}>>>>"
    page.parent.xref_set_key(page.xref, "PieceInfo", piece)


# Check whether a PDF that MuPDF had to repair has lost objects that its pages need.


_REFERENCE = re.compile(r"(?<!\d)(\d++) \d++ R\b")
_OBJECT = re.compile(rb"(?:^|[\r\n\s])\d+ \d+ obj\b")


def check_losses(document: pymupdf.Document, data: Data) -> None:
    """Raise DamagedDocumentError if the file ends within an object or refers to a missing one."""
    if not document.is_repaired:
        return
    if _ends_within_object(data):
        raise DamagedDocumentError("it ends in the middle of an object")
    waiting = [document.page_xref(index) for index in range(document.page_count)]
    waiting += _references(document.xref_get_key(document.pdf_catalog(), "AcroForm")[1])
    seen: set[int] = set()
    while waiting:
        xref = waiting.pop()
        if xref in seen:
            continue
        seen.add(xref)
        source = document.xref_object(xref, compressed=True) if 0 < xref < document.xref_length() else ""
        if source in ("", "null"):
            raise DamagedDocumentError(f"object {xref} is gone")
        waiting += _references(source)


def _references(source: str) -> list[int]:
    return [int(number) for number in _REFERENCE.findall(source)]


def _ends_within_object(data: Data) -> bool:
    """Whether the file ends within its last object; a cut in the cross-reference stream after it loses nothing."""
    starts = [match.start() for match in _OBJECT.finditer(data)]
    if not starts:
        return True
    last = bytes(data[starts[-1] :])
    return b"endobj" not in last and b"/XRef" not in last[:1024]


# Limit the decompressed size of a PDF's streams before MuPDF unpacks them.


#: Deflate's maximum ratio (zlib technical details); streams shorter than the limit over this cannot exceed it.
_BEST_RATIO = 1032
_STEP = 1 << 20
#: A stream's filters, however the key is spelled (PDF 32000-1, 7.3.5), that are not simply the name of one. The
#: dictionary of a stream is never packed itself, so its key can be seen in the file's bytes.
_MANY_FILTERS = re.compile(rb"/(?:F|#46)(?:i|#69)(?:l|#6[cC])(?:t|#74)(?:e|#65)(?:r|#72)(?![\s\0]*/)")


def check_streams(document: pymupdf.Document, data: Data, limit: int) -> None:
    """Raise UnpacksTooLargeError if the deflated streams of a document unpack to more than `limit` bytes.

    `data` is the whole file.
    """
    # If all streams together, deflated once, cannot exceed the limit, only those deflated twice can.
    least = 2 if len(data) * _BEST_RATIO <= limit else 1
    if least == 2 and not _MANY_FILTERS.search(data):
        return
    unpacked = 0
    for xref in range(1, document.xref_length()):
        if document.xref_is_stream(xref):
            unpacked += _unpacked_size(document, xref, limit - unpacked, least)


def _unpacked_size(document: pymupdf.Document, xref: int, limit: int, least: int) -> int:
    """Return the unpacked size of a stream; 0 if it is deflated less than `least` times or too short to matter."""
    filters = re.findall(r"/(\w+)", _filters(document, xref))
    if len(filters) < least or any(name not in ("FlateDecode", "Fl") for name in filters):
        return 0
    raw = document.xref_stream_raw(xref) or b""
    if len(filters) == 1 and len(raw) * _BEST_RATIO <= limit:
        return 0
    for _ in filters[:-1]:
        raw = _unpacked(raw, limit)
    return _measured(raw, limit)


def _filters(document: pymupdf.Document, xref: int) -> str:
    """Return a stream's filters as written, also where they are in a separate object."""
    kind, value = document.xref_get_key(xref, "Filter")
    return str(document.xref_object(int(value.split()[0]), compressed=True) if kind == "xref" else value)


def _unpacked(raw: bytes, limit: int) -> bytes:
    try:
        data = zlib.decompressobj().decompress(raw, limit + 1)
    except zlib.error:
        return b""
    if len(data) > limit:
        raise UnpacksTooLargeError("a stream within a stream")
    return data


def _measured(raw: bytes, limit: int) -> int:
    """Return the number of bytes that `raw` unpacks to, without storing them."""
    machine = zlib.decompressobj()
    size = 0
    try:
        while raw and not machine.eof:
            size += len(machine.decompress(raw, _STEP))
            raw = machine.unconsumed_tail
            if size > limit:
                raise UnpacksTooLargeError("a stream")
    except zlib.error:
        return size
    return size


# PyMuPDF as this package uses it: silent, and with our own errors.


# MuPDF prints warnings to stderr, including text of the document.
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

#: The bytes of a file; a view for a large one.
Data: TypeAlias = bytes | memoryview
#: Exceptions of MuPDF's binding for invalid input.
_MUPDF_ERRORS = (RuntimeError, ValueError, TypeError, IndexError, pymupdf.mupdf.FzErrorBase)


@contextmanager
def own_errors(detail: str) -> Iterator[None]:
    """Raise MuPDF's errors as our own: DamagedDocumentError, and MemoryError if it got no memory."""
    try:
        yield
    except pymupdf.mupdf.FzErrorSystem as exc:
        # A parser of bytes in memory makes system calls only for memory.
        raise MemoryError(str(exc)) from exc
    except _MUPDF_ERRORS as exc:
        raise DamagedDocumentError(detail) from exc


@contextmanager
def open_document(data: Data) -> Iterator[pymupdf.Document]:
    """Yield the document behind `data`.

    Raises EmptyDocumentError for no bytes, DamagedDocumentError for a broken PDF and EncryptedDocumentError
    where a password is required.
    """
    if not data:
        raise EmptyDocumentError("no bytes")
    with own_errors("MuPDF cannot open it"):
        document = pymupdf.open("pdf", data)
    try:
        with document:
            if document.needs_pass:
                raise EncryptedDocumentError
            yield document
    finally:
        # MuPDF caches up to 256 MB of fonts and pictures, including those of closed documents.
        pymupdf.TOOLS.store_shrink(100)


def load_page(document: pymupdf.Document, number: int) -> pymupdf.Page:
    """Return page `number`, from 1. Raises DamagedDocumentError if it is missing or cannot be loaded."""
    if not 1 <= number <= document.page_count:
        raise DamagedDocumentError(f"there is no page {number}")
    with own_errors(f"page {number} cannot be loaded"):
        return document.load_page(number - 1)


@contextmanager
def unmanaged_colours() -> Iterator[None]:
    """Have MuPDF ignore ICC profiles, for uses in which only darkness matters.

    Setting up the profiles, again for each document, takes longer than reading a page.
    """
    pymupdf.TOOLS.set_icc(False)
    try:
        yield
    finally:
        pymupdf.TOOLS.set_icc(True)

"""Convert Word files to PDF; paragraphs, accents, page headers and pasted pictures are kept, formatting is not."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from html import escape
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError

import mammoth
from PIL import Image

from core.config import FileBounds
from core.confined.children import confined
from core.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    PictureTooLargeError,
    UnpacksTooLargeError,
)
from pipeline.mupdf.typeset import BODY_HEIGHT, BODY_WIDTH, typeset

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: Exceptions of the libraries for an invalid Word file.
BROKEN_WORD = (
    zipfile.BadZipFile,
    # Of every XML parser, lxml's in python-docx too.
    SyntaxError,
    LookupError,
    ValueError,
    AttributeError,
    OSError,
    EOFError,
    NotImplementedError,
    RecursionError,
    RuntimeError,
    zlib.error,
    ExpatError,
)
_MAX_PARTS = 5000


@confined
def docx_to_pdf(data: bytes, bounds: FileBounds) -> bytes:
    """Return the document as a PDF of letter pages.

    Raises UnpacksTooLargeError and PictureTooLargeError (both before unpacking), DamagedDocumentError and
    EmptyDocumentError.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(archive, bounds)
            header = _headers(archive)
        pictures = _Pictures(bounds)
        body = mammoth.convert_to_html(io.BytesIO(data), convert_image=mammoth.images.img_element(pictures)).value
    except BROKEN_WORD as exc:
        raise DamagedDocumentError("the Word file cannot be read") from exc
    if not header and not re.sub(r"<(?!img)[^<>]*+>|\s", "", body):
        raise EmptyDocumentError("a Word file without text or pictures")
    return typeset(header + _spaced(body), pictures.by_name, bounds.max_pages)


def check_archive(archive: zipfile.ZipFile, bounds: FileBounds) -> None:
    """Check a Word file's ZIP archive before it is converted.

    Only XML parts are unpacked, after the sizes of all parts were checked. Raises UnpacksTooLargeError,
    EncryptedDocumentError.
    """
    parts = archive.infolist()
    if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > bounds.max_unpacked_bytes:
        raise UnpacksTooLargeError(f"{len(parts)} parts")
    if any(part.flag_bits & 1 for part in parts):
        raise EncryptedDocumentError("an encrypted zip")
    for part in parts:
        if part.filename.endswith((".xml", ".rels")) and _declares_entities(archive.read(part)):
            # Word writes no document type; nested entities would expand without limit.
            raise UnpacksTooLargeError("an XML part with a document type")


def _declares_entities(xml: bytes) -> bool:
    return b"<!DOCTYPE" in xml or "<!DOCTYPE".encode("utf-16-le") in xml or "<!DOCTYPE".encode("utf-16-be") in xml


def _headers(archive: zipfile.ZipFile) -> str:
    """Return the page headers as HTML, each once: writers put their name there, and mammoth omits them."""
    lines: dict[str, None] = {}
    for name in sorted(name for name in archive.namelist() if re.fullmatch(r"word/header\d*\.xml", name)):
        # Parts with a document type were refused by `check_archive`.
        part = ElementTree.fromstring(archive.read(name))  # nosec B314
        for paragraph in part.iter(f"{_W}p"):
            text = "".join(_run_text(node) for node in paragraph.iter())
            if re.search(r"[^\W\d_]{2}", text):
                lines[text.strip()] = None
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _run_text(node: ElementTree.Element) -> str:
    if node.tag == f"{_W}t":
        return node.text or ""
    return " " if node.tag in (f"{_W}tab", f"{_W}br") else ""


def _spaced(html: str) -> str:
    """Replace tabs by wide gaps: HTML would collapse "Name:<tab>Grade:" to a single space."""
    return html.replace("\t", "&#160;&#160;&#160;&#160; ")


class _Pictures:
    """Keeps each pasted picture for the typesetter."""

    def __init__(self, bounds: FileBounds) -> None:
        self._bounds = bounds
        self.by_name: dict[str, bytes] = {}

    def __call__(self, image: object) -> dict[str, str]:
        with image.open() as stream:  # type: ignore[attr-defined]
            data: bytes = stream.read()
        try:
            with Image.open(io.BytesIO(data)) as picture:
                width, height = picture.size
        except OSError:
            # A drawing in one of Word's own formats (EMF, WMF) is skipped; the text around it still counts.
            return {"alt": ""}
        if width * height > self._bounds.max_image_pixels:
            raise PictureTooLargeError(f"{width} x {height} pixels")
        name = f"picture{len(self.by_name) + 1}"
        self.by_name[name] = data
        scale = min(1.0, BODY_WIDTH / width, (BODY_HEIGHT - 1) / height)
        sides = {"width": width, "height": height}
        return {"src": name, **{side: f"{max(size * scale, 1):.0f}" for side, size in sides.items()}}

"""Small documents for tests of reading: PDFs with known words at known places, pictures, Word files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from PIL import Image

from core.mupdf import pymupdf

ESSAY = (
    "My father drives the night bus. When he comes home he makes pancakes and asks me what I dreamed about. "
    "He fixes my bike and lets me hold the wrench. He says that a good father listens first and talks later. "
    "Last winter he walked with me to school every day because the road was icy, although he had not slept."
)
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="word/document.xml" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
)


def drawn(draw: Callable[[pymupdf.Page], object], pages: int = 1, **save: object) -> bytes:
    """A letter PDF whose every page was drawn by `draw`."""
    with pymupdf.open() as document:
        for _ in range(pages):
            draw(document.new_page(width=612, height=792))
        return bytes(document.tobytes(**save))


def essay_page(page: pymupdf.Page) -> None:
    """A name, a school and an essay."""
    page.insert_text((72, 80), "Marisol Quintero", fontsize=14)
    page.insert_text((72, 100), "Lakeview Elementary School", fontsize=12)
    page.insert_textbox((72, 130, 540, 700), ESSAY, fontsize=12)


def essay_pdf(pages: int = 1, **save: object) -> bytes:
    """Typed pages with a text layer."""
    return drawn(essay_page, pages, **save)


def scanned(pdf: bytes, dpi: int = 150, turned: int = 0) -> bytes:
    """The pages of `pdf` as pictures, turned clockwise by `turned` degrees."""
    with pymupdf.open("pdf", pdf) as source, pymupdf.open() as scan:
        for page in source:
            pixels = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
            picture = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
            picture = picture.rotate(-turned, expand=True)
            sheet = scan.new_page(width=picture.width * 72 / dpi, height=picture.height * 72 / dpi)
            sheet.insert_image(sheet.rect, stream=encoded(picture, "PNG"))
        return bytes(scan.tobytes())


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    """The picture in a file format of Pillow's."""
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def docx(body: str, **parts: str | bytes) -> bytes:
    """A Word file with this XML as its body; `parts` are further files, `/` written as `__`, `.` as `_dot_`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELS)
        archive.writestr("word/document.xml", f"<w:document {_W}><w:body>{body}</w:body></w:document>")
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return out.getvalue()


def paragraph(text: str) -> str:
    """One paragraph of a Word file."""
    return f'<w:p><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def header_part(text: str) -> str:
    """A page header of a Word file."""
    return f"<w:hdr {_W}>{paragraph(text)}</w:hdr>"

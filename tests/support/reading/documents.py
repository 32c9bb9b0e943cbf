"""Small documents for tests of reading: PDFs with known words at known places, pictures, Word files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from PIL import Image

from core.confined.mupdf import pymupdf

ESSAY = (
    "My father drives the night bus. When he comes home he makes pancakes and asks me what I dreamed about. "
    "He fixes my bike and lets me hold the wrench. He says that a good father listens first and talks later. "
    "Last winter he walked with me to school every day because the road was icy, although he had not slept."
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_W = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "r": _OFFICE,
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "wp": f"{_DRAWING}/wordprocessingDrawing",
        "a": f"{_DRAWING}/main",
        "pic": f"{_DRAWING}/picture",
        "dgm": f"{_DRAWING}/diagram",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "wpg": "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
    }.items()
)
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
    return word_part("hdr", paragraph(text))


def word_part(tag: str, content: str) -> str:
    """A part of a Word file: "hdr", "ftr", "styles", "footnotes"."""
    return f"<w:{tag} {_W}>{content}</w:{tag}>"


def relations(**targets: str) -> str:
    """What the main part of a Word file refers to: `rId2="header header1.xml"`; external with a third word."""
    found = []
    for key, said in targets.items():
        kind, target, *external = said.split()
        mode = ' TargetMode="External"' if external else ""
        found.append(f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}"{mode}/>')
    return (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f"{''.join(found)}</Relationships>"
    )


def with_relations(body: str, targets: dict[str, str], parts: dict[str, str | bytes]) -> bytes:
    """A Word file whose main part refers to further parts, which are named as in `word/`."""
    files = {f"word__{name.replace('/', '__').replace('.', '_dot_')}": data for name, data in parts.items()}
    return docx(body, word___rels__document_dot_xml_dot_rels=relations(**targets), **files)


def rewritten(data: bytes, change: Callable[[str, bytes], tuple[str, bytes]]) -> bytes:
    """A package whose parts and their names were changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as changed:
        for name in archive.namelist():
            changed.writestr(*change(name, archive.read(name)))
    return out.getvalue()

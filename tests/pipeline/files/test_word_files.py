import io
import struct
import zipfile
from collections.abc import Callable

import pytest
from PIL import Image

from core.config import load_settings
from core.confined.mupdf import pymupdf
from core.errors import (
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    UnpacksTooLargeError,
)
from pipeline.files.word.document import docx_to_pdf
from services.library.reading import read_word
from tests.support.reading.documents import docx, encoded, header_part, paragraph, with_relations

BOUNDS = load_settings().file_bounds


def text_of(data: bytes) -> str:
    with pymupdf.open("pdf", docx_to_pdf(data, BOUNDS).pdf) as document:
        return "\n".join(page.get_text() for page in document)


def test_paragraphs_and_accents_are_kept() -> None:
    lines = text_of(docx(paragraph("Sofía Ibáñez Güell") + paragraph("¿Qué es un papá? ¡Él!"))).splitlines()
    assert lines[:2] == ["Sofía Ibáñez Güell", "¿Qué es un papá? ¡Él!"]


def test_a_page_header_comes_first() -> None:
    section = '<w:sectPr><w:headerReference w:type="default" r:id="rId2"/></w:sectPr>'
    header = {"header1.xml": header_part("Ana Bell 4th grade")}
    lines = text_of(
        with_relations(paragraph("My essay") + section, {"rId2": "header header1.xml"}, header)
    ).splitlines()
    assert lines[:2] == ["Ana Bell 4th grade", "My essay"]


def test_a_tab_keeps_its_neighbours_apart() -> None:
    tab = "<w:p><w:r><w:t>Name:</w:t><w:tab/><w:t>Grade</w:t></w:r></w:p>"
    with pymupdf.open("pdf", docx_to_pdf(docx(tab), BOUNDS).pdf) as document:
        name, grade = document[0].get_text("words")
        assert grade[0] - name[2] > 8


def test_a_long_essay_takes_several_pages() -> None:
    body = "".join(paragraph(f"Paragraph number {n}") for n in range(120))
    assert "Paragraph number 119" in text_of(docx(body))


_PICTURE = (
    '<w:p><w:r><w:drawing xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><wp:inline><a:graphic><a:graphicData>'
    '<pic:pic><pic:blipFill><a:blip r:embed="rId7"/></pic:blipFill></pic:pic>'
    "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
)
_PICTURE_RELATION = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId7" Target="media/image1.png" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"/></Relationships>'
)


def with_picture(data: bytes) -> bytes:
    return docx(
        paragraph("My form:") + _PICTURE,
        word___rels__document_dot_xml_dot_rels=_PICTURE_RELATION,
        word__media__image1_dot_png=data,
    )


def test_a_pasted_picture_is_kept_and_fits_the_page() -> None:
    data = with_picture(encoded(Image.new("L", (2000, 2600), 90), "PNG"))
    with pymupdf.open("pdf", docx_to_pdf(data, BOUNDS).pdf) as document:
        boxes = [info["bbox"] for page in document for info in page.get_image_info()]
        assert len(boxes) == 1
        assert pymupdf.Rect(0, 0, 612, 792).contains(boxes[0])
        assert boxes[0][2] - boxes[0][0] > 400


def test_a_drawing_in_an_unknown_format_does_not_cost_the_text() -> None:
    assert "My form:" in text_of(with_picture(b"\x01\x00\x00\x00EMF drawing"))


_BOMB = bytes(3_000_000)
_ENTITIES = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


def _lying_directory() -> bytes:
    """A part that says in the directory that it is far smaller than it unpacks to."""
    data = bytearray(docx(paragraph("x" * 2_000_000)))
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    data[at + 24 : at + 28] = struct.pack("<I", 500)
    return bytes(data)


def _many_parts() -> bytes:
    out = io.BytesIO(docx(paragraph("Hi")))
    with zipfile.ZipFile(out, "a") as archive:
        for n in range(6000):
            archive.writestr(f"word/part{n}.txt", b"")
    return out.getvalue()


BOMBS = {
    "one part": docx(paragraph("Hi"), word__media__image1_dot_png=_BOMB),
    "the document": docx(paragraph("x" * 3_000_000)),
    "several parts": docx(paragraph("Hi"), **{f"word__media__i{n}": bytes(700_000) for n in range(4)}),
    "an unrelated part": docx(paragraph("Hi"), junk=_BOMB),
    "a nested zip": docx(paragraph("Hi"), word__embeddings__a_dot_zip=docx("", junk=_BOMB) + bytes(2_500_000)),
    "many parts": _many_parts(),
    "entities": docx(paragraph("Hi"), word__styles_dot_xml=f"<?xml version='1.0'?>{_ENTITIES}<w>&b;</w>"),
    "wide entities": docx(paragraph("Hi"), word__styles_dot_xml=f"{_ENTITIES}<w>&b;</w>".encode("utf-16")),
    "fonts": docx(paragraph("Hi"), word__fonts__a_dot_odttf=_BOMB),
}


@pytest.mark.parametrize("data", BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_is_found_before_it_is_unpacked(data: bytes) -> None:
    with pytest.raises(UnpacksTooLargeError):
        docx_to_pdf(data, load_settings(max_unpacked_bytes=2_400_000).file_bounds)


TROUBLES: dict[str, tuple[bytes, type[DocumentError]]] = {
    "no text": (docx(""), EmptyDocumentError),
    "blank paragraphs": (docx(paragraph(" ") * 3), EmptyDocumentError),
    "broken xml": (docx("<w:p><w:r>"), DamagedDocumentError),
    "a directory that lies": (_lying_directory(), DamagedDocumentError),
    "deep nesting": (docx("<w:p>" * 20_000 + "</w:p>" * 20_000), DamagedDocumentError),
}


@pytest.mark.parametrize(("data", "error"), TROUBLES.values(), ids=TROUBLES.keys())
def test_other_troubles_are_named(data: bytes, error: type[DocumentError]) -> None:
    with pytest.raises(error):
        docx_to_pdf(data, BOUNDS)


@pytest.mark.parametrize("read", [docx_to_pdf, read_word])
@pytest.mark.parametrize("declared", ['version="1.0" encoding="UTF-99"', 'version="1.0'])
def test_what_no_parser_of_xml_takes_is_damage(read: Callable[..., object], declared: str) -> None:
    part = f"<?xml {declared}?><Relationships/>"
    data = docx(paragraph("Hi"), word___rels__document_dot_xml_dot_rels=part)
    with pytest.raises(DamagedDocumentError) as error:
        read(data, BOUNDS)
    assert error.value.detail == "the Word file cannot be read"


def test_an_encrypted_part_is_named() -> None:
    data = bytearray(docx(paragraph("Hi")))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    with pytest.raises(EncryptedDocumentError):
        docx_to_pdf(bytes(data), BOUNDS)


@pytest.mark.parametrize("part", range(1, 9))
def test_rubbish_within_is_damage(part: int) -> None:
    data = bytearray(docx(paragraph("A father listens. " * 40)))
    at = data.index(b"word/document.xml") + len("word/document.xml") + part * 8
    data[at : at + 6] = b"\xff\x00\xff\x00\xff\x00"
    with pytest.raises(DamagedDocumentError):
        docx_to_pdf(bytes(data), BOUNDS)

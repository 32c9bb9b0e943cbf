import pytest

from core.errors import (
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    NotADocumentError,
)
from pipeline.files.content_type import DOCX, PDF, content_type
from tests.support.reading.documents import docx, essay_pdf, paragraph

CFB = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
NO_DOCUMENTS = {
    "text": b"Dear office, here is my essay.",
    "html": b"<!doctype html><html><body>Sign in to download</body></html>",
    "json": b'{"error": "expired"}',
    "program": b"\x7fELF\x02\x01\x01" + bytes(100),
    "windows program": b"MZ" + bytes(100),
    "video": b"\x00\x00\x00\x18ftypmp42" + bytes(50),
    "rar": b"Rar!\x1a\x07\x00" + bytes(50),
    "old word file": CFB,
    "empty zip": b"PK\x05\x06" + bytes(18),
    "zip of photos": docx("").replace(b"word/document.xml", b"phot/document.xml"),
    "blanks": b" \n" * 500,
    "zeros": bytes(2000),
    "postscript": b"%!PS-Adobe-3.0\n" + bytes(40),
    "late header": b"x" * 1100 + b"%PDF-1.7",
}


@pytest.mark.parametrize("data", NO_DOCUMENTS.values(), ids=NO_DOCUMENTS.keys())
def test_what_is_no_document_is_refused_whatever_its_name(data: bytes) -> None:
    with pytest.raises(NotADocumentError):
        content_type(data)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (essay_pdf(), PDF),
        (b"HTTP rubbish\r\n" + essay_pdf(), PDF),
        (docx(paragraph("Hi")), DOCX),
        (b"\x89PNG\r\n\x1a\n...", "image/png"),
        (b"\xff\xd8\xff\xe1...", "image/jpeg"),
        (b"MM\x00*....", "image/tiff"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x24ftypheic\x00\x00", "image/heic"),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1heic", "image/heic"),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avif", "image/avif"),
        (b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1miaf", "image/avif"),
        (b"GIF89a\x00\x00", "image/gif"),
    ],
)
def test_the_type_is_told_by_content(data: bytes, kind: str) -> None:
    assert content_type(data) == kind


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyDocumentError),
        (CFB + "EncryptedPackage".encode("utf-16-le"), EncryptedDocumentError),
        (docx(paragraph("cut off " * 50))[:-40], DamagedDocumentError),
    ],
)
def test_other_troubles_are_named(data: bytes, error: type[DocumentError]) -> None:
    with pytest.raises(error):
        content_type(data)

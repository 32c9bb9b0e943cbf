"""The type of a file by its content, and notes of what it holds besides the pages that are read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

from pydantic import BaseModel, Field

from core.confined.children import confined
from core.errors import DamagedDocumentError, EmptyDocumentError, EncryptedDocumentError, NotADocumentError
from core.plain_data import storable
from pipeline.files.word.package import main_parts
from pipeline.reason_codes import ReasonCode

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),
    (b"MM\x00+", "image/tiff"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
#: Brands of ISO-BMFF files that hold HEVC pictures (ISO/IEC 23008-12).
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
#: Brands of those that hold AV1 pictures (AV1 Image File Format 1.1, 9.1).
_AVIF_BRANDS = {b"avif", b"avis"}
#: Compound File Binary: old Office formats, and the wrapper around an encrypted new one.
_CFB = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: Most bytes of the box of brands that are examined.
_MOST_BRANDS = 256
#: Readers look for the header within the first kilobyte (ISO 32000-1, annex H.3.4.1).
_PDF_HEADER_WITHIN = 1024


def content_type(data: bytes) -> str:
    """Return the media type of a supported document.

    Raises EmptyDocumentError for no bytes, EncryptedDocumentError for a locked Office file,
    DamagedDocumentError for a Word file whose directory is cut off, NotADocumentError for the rest.
    """
    if not data:
        raise EmptyDocumentError("no bytes")
    if b"%PDF-" in data[:_PDF_HEADER_WITHIN] and not data.startswith((b"PK\x03\x04", _CFB)):
        return PDF
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:8] == b"ftyp" and (kind := _type_of_media(data)):
        return kind
    if data.startswith(b"PK\x03\x04"):
        return _type_of_zip(data)
    if data.startswith(_CFB) and "EncryptedPackage".encode("utf-16-le") in data:
        raise EncryptedDocumentError("an encrypted Office file")
    raise NotADocumentError


def _type_of_media(data: bytes) -> str | None:
    """Return the type of an ISO-BMFF file by all its brands: the main one may just mean a still picture."""
    length = min(max(int.from_bytes(data[:4], "big"), 16), _MOST_BRANDS)
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, length, 4))}
    if brands & _AVIF_BRANDS:
        return "image/avif"
    return "image/heic" if data[8:12] in _HEIC_BRANDS else None


@confined
def _type_of_zip(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            documents = main_parts(archive)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as exc:
        if b"word/" in data or b"[Content_Types].xml" in data[:4096]:
            raise DamagedDocumentError("the zip directory is unreadable") from exc
        raise NotADocumentError("a broken zip file") from exc
    if documents:
        return DOCX
    raise NotADocumentError("a zip file, but no Word document")


# What a file holds besides the pages that are read, so that nothing is lost without notice.


#: Most names that one note gives; the rest are only counted.
MOST_NAMES = 5
_LONGEST_NAME = 80


class FileNote(BaseModel):
    """Something in a file that was not read. Every entry of the file needs a person because of it."""

    code: ReasonCode
    #: How many there are.
    count: int = 1
    #: Names that the file gives to some of them.
    names: list[str] = Field(default_factory=list)


def file_note(code: ReasonCode, count: int = 1, names: Iterable[str] = ()) -> FileNote:
    """Return a note with as many names as fit."""
    shown = [name[:_LONGEST_NAME] for given in names if (name := storable(given).strip())]
    return FileNote(code=code, count=count, names=shown[:MOST_NAMES])


def codes_of(notes: Iterable[FileNote]) -> list[str]:
    """Return the reasons of the notes, each once."""
    return list(dict.fromkeys(note.code.value for note in notes))

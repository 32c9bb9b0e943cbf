"""Bad files of every kind that the product promises a clear sentence for; at least eight of each."""

from __future__ import annotations

import struct
import zlib

from PIL import Image

from core.confined.mupdf import pymupdf
from tests.support.reading.documents import docx, encoded, essay_pdf, paragraph

_CIPHERS = (
    pymupdf.PDF_ENCRYPT_RC4_40,
    pymupdf.PDF_ENCRYPT_RC4_128,
    pymupdf.PDF_ENCRYPT_AES_128,
    pymupdf.PDF_ENCRYPT_AES_256,
)
_CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"


def by_hand(*objects: bytes) -> bytes:
    """A PDF of these objects, the first the catalog, with a right cross-reference table."""
    out, places = b"%PDF-1.7\n", []
    for number, source in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, source)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    trailer = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table) + trailer


def png_that_claims(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header promises so many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(9)))


def jpeg_that_claims(width: int, height: int) -> bytes:
    """A small JPEG whose frame promises so many pixels."""
    data = bytearray(encoded(Image.new("L", (8, 8)), "JPEG"))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def no_documents() -> list[bytes]:
    """Bytes of no format that we read."""
    return [
        b"Dear office, the entry is attached to my next message.",
        b"<!doctype html><title>Entry</title><p>Please sign in to download.",
        b"MZ\x90\x00" + bytes(200),
        b"\x7fELF" + bytes(200),
        b"ID3\x04\x00" + bytes(200),
        b'{"error": "not found"}',
        b"PK\x05\x06" + bytes(18),
        bytes(range(256)) * 4,
        b"\x00" * 500,
    ]


def encrypted() -> list[bytes]:
    """PDFs that want a password."""
    return [
        essay_pdf(encryption=cipher, user_pw="open sesame", owner_pw=owner)
        for cipher in _CIPHERS
        for owner in ("open sesame", "office")
    ]


def truncated() -> list[bytes]:
    """A PDF that was cut off on its way, at eight places."""
    whole = essay_pdf(pages=3)
    return [whole[: len(whole) * tenth // 10] for tenth in range(1, 9)]


def without_pages() -> list[bytes]:
    """PDFs without a page."""
    bare = b"<</Type/Pages/Count 0/Kids[]>>"
    return [
        by_hand(_CATALOG, bare),
        by_hand(_CATALOG, b"<</Type/Pages/Count 0>>"),
        by_hand(_CATALOG, bare, b"<</Title(Essay)>>"),
        by_hand(_CATALOG[:-2] + b"/AcroForm<</Fields[]>>>>", bare),
        by_hand(_CATALOG, bare, b"<</Type/Outlines/Count 0>>"),
        by_hand(_CATALOG, bare, b"<</Type/Page/Parent 2 0 R>>"),
        by_hand(_CATALOG, b"<</Type/Pages/Count 0/Kids[3 0 R]>>", b"<</Type/Pages/Count 0/Kids[]/Parent 2 0 R>>"),
        by_hand(_CATALOG, b"<</Type/Pages/Count 0/Kids[]/MediaBox[0 0 612 792]>>"),
    ]


def too_many_pages() -> list[bytes]:
    """PDFs of 1,001 to 2,000 pages."""
    return [_blank_pages(count) for count in (1001, 1002, 1100, 1250, 1500, 1750, 1999, 2000)]


def _blank_pages(count: int) -> bytes:
    with pymupdf.open() as document:
        for _ in range(count):
            document.new_page()
        return bytes(document.tobytes())


def too_large_pictures() -> list[bytes]:
    """Pictures of 40,000 pixels and more a side, most of them by their header alone."""
    return [
        png_that_claims(40_000, 40_000),
        png_that_claims(40_000, 2_600),
        png_that_claims(2_600, 40_000),
        png_that_claims(2**31 - 1, 2**31 - 1),
        jpeg_that_claims(40_000, 40_000),
        jpeg_that_claims(65_000, 65_000),
        encoded(Image.new("1", (40_000, 2_600)), "PNG"),
        encoded(Image.new("L", (2_600, 40_000)), "JPEG"),
    ]


#: Bytes to which a document may unpack in tests that hand in `zip_bombs`: a tenth of what it may by default.
MOST_UNPACKED = 20 * 1024 * 1024


def zip_bombs() -> list[bytes]:
    """Word files of some kilobytes that unpack to more than MOST_UNPACKED bytes."""
    part = bytes(MOST_UNPACKED * 23 // 20)
    names = ("word__media__image1_dot_png", "word__styles_dot_xml", "word__a_dot_bin", "customXml__item1_dot_xml")
    one = [docx(paragraph("An essay."), **{name: part}) for name in names]
    half = part[: len(part) // 2]
    two = [docx(paragraph("An essay."), **{name: half, f"{name}2": half}) for name in names]
    return one + two


def climbing_names() -> list[str]:
    """File names that would leave the folder if they were ever used as a path."""
    return [
        "../entry.pdf",
        "../../../../etc/passwd.pdf",
        "..\\..\\windows\\system32\\entry.pdf",
        "/etc/cron.d/entry.pdf",
        "C:\\Users\\office\\entry.pdf",
        "a/../../entry.pdf",
        "....//....//entry.pdf",
        "..%2f..%2fentry.pdf",
    ]

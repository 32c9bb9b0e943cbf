import zlib

import pytest

from core.config import load_settings
from core.confined.mupdf import pymupdf
from core.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    PictureTooLargeError,
    TooManyPagesError,
    UnpacksTooLargeError,
)
from pipeline.mupdf.file import check_pdf
from tests.support.reading.bad_files import by_hand
from tests.support.reading.documents import essay_page, essay_pdf, scanned

BOUNDS = load_settings().file_bounds
_CIPHERS = (
    pymupdf.PDF_ENCRYPT_RC4_40,
    pymupdf.PDF_ENCRYPT_RC4_128,
    pymupdf.PDF_ENCRYPT_AES_128,
    pymupdf.PDF_ENCRYPT_AES_256,
)
_SAVES = {"plain": {}, "deflated": {"deflate": True}, "object streams": {"use_objstms": 1}}


@pytest.mark.parametrize("tenth", range(1, 9))
@pytest.mark.parametrize("save", _SAVES.values(), ids=_SAVES.keys())
def test_a_truncated_pdf_is_damaged_wherever_it_was_cut(tenth: int, save: dict[str, object]) -> None:
    data = essay_pdf(pages=3, **save)
    with pytest.raises(DamagedDocumentError):
        check_pdf(data[: len(data) * tenth // 10], BOUNDS)


@pytest.mark.parametrize("save", _SAVES.values(), ids=_SAVES.keys())
def test_no_cut_ever_loses_text_in_silence(save: dict[str, object]) -> None:
    data = essay_pdf(pages=2, **save)
    with pymupdf.open("pdf", data) as whole:
        text = [page.get_text() for page in whole]
    for cut in range(0, len(data), len(data) // 60):
        try:
            check_pdf(data[:cut], BOUNDS)
        except (DamagedDocumentError, EmptyDocumentError):
            continue
        with pymupdf.open("pdf", data[:cut]) as left:
            assert [page.get_text() for page in left] == text


@pytest.mark.parametrize("eighth", range(1, 9))
def test_a_truncated_scan_is_damaged(eighth: int) -> None:
    data = scanned(essay_pdf(), dpi=72)
    with pytest.raises(DamagedDocumentError):
        check_pdf(data[: len(data) * eighth // 9], BOUNDS)


def test_pages_lost_between_two_objects_are_noticed() -> None:
    data = essay_pdf(pages=3)
    cut = data.rindex(b"endobj", 0, len(data) * 6 // 10) + len(b"endobj\n")
    with pytest.raises(DamagedDocumentError):
        check_pdf(data[:cut], BOUNDS)


@pytest.mark.parametrize(
    "data",
    [
        b"mail rubbish\n" + essay_pdf(pages=2),
        essay_pdf(pages=2) + b"\n-- sent from my phone",
        essay_pdf(pages=2).replace(b"startxref", b"startxxxx"),
        essay_pdf(pages=2)[:-8],
    ],
    ids=["before", "behind", "no startxref", "no end mark"],
)
def test_what_repair_loses_nothing_of_passes(data: bytes) -> None:
    assert check_pdf(data, BOUNDS) == 2


@pytest.mark.parametrize("owner", [None, "office"], ids=["user only", "with owner"])
@pytest.mark.parametrize("cipher", _CIPHERS)
def test_a_locked_pdf_is_encrypted(cipher: int, owner: str | None) -> None:
    data = essay_pdf(encryption=cipher, user_pw="secret", owner_pw=owner or "secret")
    with pytest.raises(EncryptedDocumentError):
        check_pdf(data, BOUNDS)


def test_a_pdf_that_only_forbids_printing_passes() -> None:
    data = essay_pdf(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="office", permissions=0)
    assert check_pdf(data, BOUNDS) == 1


_CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
_NO_PAGES = {
    "empty kids": by_hand(_CATALOG, b"<</Type/Pages/Count 0/Kids[]>>"),
    "no kids": by_hand(_CATALOG, b"<</Type/Pages/Count 0>>"),
    "an info dictionary": by_hand(_CATALOG, b"<</Type/Pages/Count 0/Kids[]>>", b"<</Title(Essay)>>"),
    "an empty form": by_hand(_CATALOG[:-2] + b"/AcroForm<</Fields[]>>>>", b"<</Type/Pages/Count 0/Kids[]>>"),
    "outlines": by_hand(_CATALOG, b"<</Type/Pages/Count 0/Kids[]>>", b"<</Type/Outlines/Count 0>>"),
    "an unused page": by_hand(_CATALOG, b"<</Type/Pages/Count 0/Kids[]>>", b"<</Type/Page/Parent 2 0 R>>"),
    "empty subtrees": by_hand(
        _CATALOG, b"<</Type/Pages/Count 0/Kids[3 0 R]>>", b"<</Type/Pages/Count 0/Kids[]/Parent 2 0 R>>"
    ),
    "a media box": by_hand(_CATALOG, b"<</Type/Pages/Count 0/Kids[]/MediaBox[0 0 612 792]>>"),
}


@pytest.mark.parametrize("data", _NO_PAGES.values(), ids=_NO_PAGES.keys())
def test_a_pdf_without_pages_is_empty(data: bytes) -> None:
    with pytest.raises(EmptyDocumentError):
        check_pdf(data, BOUNDS)


@pytest.mark.parametrize("count", [11, 12, 50, 100, 500, 1000, 1999, 2000])
def test_too_many_pages_are_refused(count: int) -> None:
    with pytest.raises(TooManyPagesError):
        check_pdf(essay_or_blank(count), load_settings(max_pages=10).file_bounds)


def essay_or_blank(count: int) -> bytes:
    with pymupdf.open() as document:
        essay_page(document.new_page())
        for _ in range(count - 1):
            document.new_page()
        return bytes(document.tobytes())


@pytest.mark.parametrize(
    "kids",
    [b"[3 0 R]", b"[2 0 R]", b"[9 0 R]", b"[null]", b"[3 0 R 9 0 R]"],
    ids=["one", "itself", "gone", "null", "one gone"],
)
def test_a_count_that_lies_never_passes_as_so_many_pages(kids: bytes) -> None:
    data = by_hand(
        _CATALOG,
        b"<</Type/Pages/Count 1000000/Kids%s>>" % kids,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>",
    )
    with pytest.raises((TooManyPagesError, DamagedDocumentError, EmptyDocumentError)):
        check_pdf(data, BOUNDS)


def _with_image(width: int, height: int) -> bytes:
    stream = zlib.compress(bytes(100))
    image = (
        b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8"
        b"/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream" % (width, height, len(stream), stream)
    )
    content = b"<</Length 8>>\nstream\n/Im0 Do \nendstream"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</XObject<</Im0 5 0 R>>>>>>"
    return by_hand(_CATALOG, b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page, content, image)


def _sized(width: int, height: int) -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]>>" % (width, height)
    return by_hand(_CATALOG, b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page)


@pytest.mark.parametrize(
    "data",
    [
        _with_image(40_000, 40_000),
        _with_image(40_000, 3_000),
        _with_image(3_000, 40_000),
        _with_image(65_535, 65_535),
        _with_image(2_000_000_000, 1),
        _sized(40_000, 40_000),
        _sized(14_400, 14_400),
        _sized(200_000, 1_000),
    ],
    ids=["square", "wide", "high", "largest", "thread", "huge page", "largest page", "long page"],
)
def test_pictures_and_pages_too_large_are_found_before_they_are_drawn(data: bytes) -> None:
    with pytest.raises(PictureTooLargeError):
        check_pdf(data, BOUNDS)


def _with_content(stream: bytes, filters: bytes) -> bytes:
    content = b"<</Length %d/Filter%s>>\nstream\n%s\nendstream" % (len(stream), filters, stream)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>"
    return by_hand(_CATALOG, b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page, content)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_a_stream_that_unpacks_too_far_is_refused(layers: int) -> None:
    stream = b"q Q " * 4_000_000
    for _ in range(layers):
        stream = zlib.compress(stream, 9)
    filters = b"[%s]" % (b"/FlateDecode" * layers)
    with pytest.raises(UnpacksTooLargeError):
        check_pdf(_with_content(stream, filters), load_settings(max_unpacked_bytes=10_000_000).file_bounds)


@pytest.mark.parametrize(
    "spelled",
    [b"/Filter[/Fl/Fl]", b"/F#69lter [/FlateDecode /FlateDecode]", b"/Filter%\n[/Fl/Fl]", b"/Filter 5 0 R"],
    ids=["short", "escaped", "comment", "reference"],
)
def test_a_stream_deflated_twice_is_found_however_that_is_spelled(spelled: bytes) -> None:
    stream = zlib.compress(zlib.compress(b"q Q " * 4_000_000, 9), 9)
    content = b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(stream), spelled, stream)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>"
    pages = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    with pytest.raises(UnpacksTooLargeError):
        check_pdf(
            by_hand(_CATALOG, pages, page, content, b"[/FlateDecode/FlateDecode]"),
            load_settings(max_unpacked_bytes=10_000_000).file_bounds,
        )


def test_an_ordinary_stream_passes() -> None:
    assert check_pdf(_with_content(zlib.compress(b"q Q " * 1000), b"/FlateDecode"), BOUNDS) == 1

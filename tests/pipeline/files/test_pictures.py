import io
import struct

import pillow_heif
import pytest
from PIL import Image

from core.config import load_settings
from core.confined.mupdf import pymupdf
from core.errors import DamagedDocumentError, PictureTooLargeError, TooManyPagesError
from pipeline.files.pictures import pictures_to_pdf
from tests.support.reading.bad_files import jpeg_that_claims, png_that_claims
from tests.support.reading.documents import encoded

BOUNDS = load_settings().file_bounds
FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "HEIF")


def sketch(mode: str = "RGB") -> Image.Image:
    """Higher than wide; dark in its upper left corner."""
    picture = Image.new("RGB", (300, 400), "white")
    picture.paste((10, 10, 120), (0, 0, 150, 100))
    return picture.convert(mode)


def corners(pdf: bytes, page: int = 0) -> list[bool]:
    """Whether the corners are dark, clockwise from the upper left."""
    with pymupdf.open("pdf", pdf) as document:
        pixels = document[page].get_pixmap(dpi=36, colorspace=pymupdf.csGRAY)
        right, bottom = pixels.width - 5, pixels.height - 5
        return [pixels.pixel(x, y)[0] < 128 for x, y in ((5, 5), (right, 5), (right, bottom), (5, bottom))]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_becomes_an_upright_page(kind: str) -> None:
    assert corners(pictures_to_pdf(encoded(sketch(), kind), BOUNDS)) == [True, False, False, False]


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "I;16"])
def test_every_mode_keeps_its_paper_white_and_its_ink_dark(mode: str) -> None:
    picture = sketch("L").point(lambda v: v * 256, "I").convert("I;16") if mode == "I;16" else sketch(mode)
    assert corners(pictures_to_pdf(encoded(picture, "PNG"), BOUNDS)) == [True, False, False, False]


def test_what_is_transparent_is_paper() -> None:
    picture = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    assert not any(corners(pictures_to_pdf(encoded(picture, "PNG"), BOUNDS)))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize(("orientation", "dark"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 0), (6, 1), (7, 2), (8, 3)])
def test_the_orientation_of_the_camera_is_applied(kind: str, orientation: int, dark: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(sketch(), kind, exif=exif.tobytes() if kind != "TIFF" else exif)
    assert corners(pictures_to_pdf(data, BOUNDS)) == [n == dark for n in range(4)]


def test_an_upright_jpeg_is_not_encoded_again() -> None:
    data = encoded(sketch(), "JPEG")
    with pymupdf.open("pdf", pictures_to_pdf(data, BOUNDS)) as document:
        assert document.extract_image(document[0].get_images()[0][0])["image"] == data


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP"])
def test_a_page_is_packed_and_keeps_its_pixels(kind: str) -> None:
    page = Image.new("RGB", (1700, 2200), "white")
    page.paste((10, 10, 120), (200, 500, 900, 600))
    pdf = pictures_to_pdf(encoded(page, kind, **({"lossless": True} if kind == "WEBP" else {})), BOUNDS)
    assert len(pdf) < 200_000
    if kind != "WEBP":
        with pymupdf.open("pdf", pdf) as document:
            pixels = pymupdf.Pixmap(document, document[0].get_images()[0][0])
        assert pixels.samples == page.tobytes()


def test_a_tiff_has_a_page_for_each_frame() -> None:
    data = encoded(sketch(), "TIFF", save_all=True, append_images=[sketch("1"), sketch("L").rotate(180)])
    pdf = pictures_to_pdf(data, BOUNDS)
    assert [corners(pdf, n).index(True) for n in range(3)] == [0, 0, 2]
    with pytest.raises(TooManyPagesError):
        pictures_to_pdf(data, load_settings(max_pages=2).file_bounds)


@pytest.mark.parametrize(
    ("dpi", "height"), [((200, 200), 144.0), ((72, 72), 400.0), ((1, 1), 792.0), (None, 792.0)]
)
def test_the_page_is_as_large_as_its_sheet(dpi: tuple[int, int] | None, height: float) -> None:
    options = {"dpi": dpi} if dpi else {}
    expected = height if height >= 200 else 792.0
    with pymupdf.open("pdf", pictures_to_pdf(encoded(sketch(), "PNG", **options), BOUNDS)) as document:
        assert document[0].rect.height == pytest.approx(expected, abs=1)


def _tiff_that_claims(width: int, height: int) -> bytes:
    data = encoded(Image.new("L", (11, 13)), "TIFF")
    for tag, old, new in ((0x100, 11, width), (0x101, 13, height)):
        entry = struct.pack("<HHI", tag, 4, 1)
        data = data.replace(entry + struct.pack("<I", old), entry + struct.pack("<I", new))
    return data


@pytest.mark.parametrize(
    "data",
    [
        png_that_claims(40_000, 40_000),
        png_that_claims(40_000, 2_600),
        png_that_claims(2_600, 40_000),
        png_that_claims(2**31 - 1, 2**31 - 1),
        jpeg_that_claims(40_000, 40_000),
        jpeg_that_claims(65_000, 65_000),
        _tiff_that_claims(40_000, 40_000),
        encoded(Image.new("1", (40_000, 2_600)), "PNG"),
        encoded(Image.new("1", (40_000, 2_600)), "TIFF", compression="group4"),
        encoded(Image.new("L", (2_600, 40_000)), "JPEG"),
    ],
)
def test_a_picture_too_large_is_refused_before_it_is_decoded(data: bytes) -> None:
    with pytest.raises(PictureTooLargeError):
        pictures_to_pdf(data, BOUNDS)


def test_the_limit_holds_for_every_frame_and_format() -> None:
    small = load_settings(max_image_pixels=100_000).file_bounds
    frames = encoded(Image.new("L", (10, 10)), "TIFF", save_all=True, append_images=[sketch()])
    for data in (frames, encoded(sketch(), "WEBP"), encoded(sketch(), "HEIF")):
        with pytest.raises(PictureTooLargeError):
            pictures_to_pdf(data, small)


@pytest.mark.parametrize("part", range(1, 9))
@pytest.mark.parametrize("kind", FORMATS)
def test_a_picture_cut_off_is_damaged(kind: str, part: int) -> None:
    noise = Image.effect_noise((120, 90), 80).convert("RGB")
    data = encoded(noise, kind)
    with pytest.raises(DamagedDocumentError):
        pictures_to_pdf(data[: max(len(data) * part // 9, 16)], BOUNDS)


def test_a_heic_of_a_phone_is_turned_once() -> None:
    out = io.BytesIO()
    pillow_heif.from_pillow(sketch()).save(out, exif=_orientation(6))
    assert sum(corners(pictures_to_pdf(out.getvalue(), BOUNDS))) == 1


def _orientation(value: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = value
    return exif.tobytes()

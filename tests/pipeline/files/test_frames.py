"""Pictures in one file are pages each; thumbnails, masks and previews are none. Pixels are made square."""

from __future__ import annotations

import io

import pillow_heif
import pytest
from PIL import Image, TiffImagePlugin

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.files.content_type import content_type
from pipeline.files.pictures import pictures_to_pdf
from tests.support.reading.documents import encoded

BOUNDS = load_settings().file_bounds


def _sheet(dark: int, size: tuple[int, int] = (300, 400)) -> Image.Image:
    """A white sheet with a dark bar, one of four from above down."""
    picture = Image.new("RGB", size, "white")
    picture.paste((20, 20, 20), (20, dark * size[1] // 4, size[0] - 20, dark * size[1] // 4 + size[1] // 8))
    return picture


def _bars(pdf: bytes) -> list[int]:
    found = []
    with pymupdf.open("pdf", pdf) as document:
        for page in document:
            pixels = page.get_pixmap(dpi=36, colorspace=pymupdf.csGRAY)
            shades = [pixels.pixel(pixels.width // 2, pixels.height * (2 * n + 1) // 16)[0] for n in range(8)]
            found.append(shades.index(min(shades)) // 2)
    return found


def _sizes(pdf: bytes) -> list[tuple[int, int]]:
    with pymupdf.open("pdf", pdf) as document:
        return [(round(page.rect.width), round(page.rect.height)) for page in document]


@pytest.mark.parametrize("kind", ["TIFF", "WEBP", "GIF", "AVIF", "PNG"])
def test_every_frame_that_looks_different_is_a_page(kind: str) -> None:
    frames = [_sheet(1), _sheet(1), _sheet(2)]
    options = {} if kind == "TIFF" else {"duration": 100}
    pdf = pictures_to_pdf(encoded(_sheet(0), kind, save_all=True, append_images=frames, **options), BOUNDS)
    assert _bars(pdf) == ([0, 1, 1, 2] if kind == "TIFF" else [0, 1, 2])


def test_every_picture_of_a_heic_is_a_page_and_its_thumbnail_is_none() -> None:
    heic = pillow_heif.from_pillow(_sheet(0))
    heic.add_from_pillow(_sheet(3))
    out = io.BytesIO()
    heic.save(out, quality=80, thumbnails=[64], primary_index=1)
    assert _bars(pictures_to_pdf(out.getvalue(), BOUNDS)) == [0, 3]


@pytest.mark.parametrize("tags", [{254: 1}, {254: 4}, {255: 2}], ids=["reduced", "mask", "old tag"])
def test_a_thumbnail_in_a_tiff_is_no_page(tags: dict[int, int]) -> None:
    small = _sheet(2, (60, 80))
    directory = TiffImagePlugin.ImageFileDirectory_v2()
    for tag, value in tags.items():
        directory[tag] = value
    small.encoderinfo = {"tiffinfo": directory}  # type: ignore[attr-defined]
    data = encoded(_sheet(0), "TIFF", save_all=True, append_images=[small, _sheet(1)])
    assert _bars(pictures_to_pdf(data, BOUNDS)) == [0, 1]


def test_the_preview_in_a_camera_s_file_is_no_page() -> None:
    data = encoded(_sheet(0), "MPO", save_all=True, append_images=[_sheet(2, (60, 80))])
    assert _bars(pictures_to_pdf(data, BOUNDS)) == [0]


def test_avif_is_told_by_all_its_brands() -> None:
    data = encoded(_sheet(1), "AVIF").replace(b"ftypavif", b"ftypmif1", 1)
    assert content_type(data) == "image/avif"
    assert _bars(pictures_to_pdf(data, BOUNDS)) == [1]


@pytest.mark.parametrize(
    ("dpi", "size"),
    [((204, 98), (1728, 1078)), ((204, 196), (1728, 2156)), ((100, 200), (850, 2200)), ((200, 200), (1700, 2200))],
)
@pytest.mark.parametrize("kind", ["TIFF", "PNG", "JPEG"])
def test_pixels_that_are_not_square_are_made_so(kind: str, dpi: tuple[int, int], size: tuple[int, int]) -> None:
    pdf = pictures_to_pdf(encoded(_sheet(0, size), kind, dpi=dpi), BOUNDS)
    ((width, height),) = _sizes(pdf)
    assert (width, height) == pytest.approx((size[0] / dpi[0] * 72, size[1] / dpi[1] * 72), abs=3)
    with pymupdf.open("pdf", pdf) as document:
        picture = document.extract_image(document[0].get_images()[0][0])
    assert picture["width"] / picture["height"] == pytest.approx(width / height, rel=0.01)


def test_a_resolution_that_makes_a_thread_of_a_sheet_is_not_believed() -> None:
    assert _sizes(pictures_to_pdf(encoded(_sheet(0, (1728, 2244)), "TIFF", dpi=(204, 98)), BOUNDS)) == [(610, 792)]


def test_a_square_picture_grows_no_further_than_a_picture_may_be() -> None:
    bounds = load_settings(max_image_pixels=1728 * 1100).file_bounds
    with pymupdf.open(
        "pdf", pictures_to_pdf(encoded(_sheet(0, (1728, 1078)), "TIFF", dpi=(204, 98)), bounds)
    ) as pdf:
        picture = pdf.extract_image(pdf[0].get_images()[0][0])
    assert (picture["width"], picture["height"]) == (830, 1078)

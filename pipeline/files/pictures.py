"""Convert pictures (PNG, JPEG, TIFF, WebP, GIF, HEIC, AVIF) to PDF: a page per frame, upright by EXIF.

Pixels are unchanged where they are square.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import Any

import pillow_heif
from PIL import Image, ImageChops, ImageOps, ImageStat

from core.config import FileBounds
from core.confined.children import confined
from core.errors import DamagedDocumentError, PictureTooLargeError, TooManyPagesError
from pipeline.files.content_type import content_type
from pipeline.files.pixel_shape import density_of, has_square_pixels, squared
from pipeline.mupdf.pictured import Sheet, pdf_of_sheets

pillow_heif.register_heif_opener(thumbnails=False)
# Our own limit is checked before decoding; Pillow's is only a warning, at another number.
Image.MAX_IMAGE_PIXELS = None

#: Exceptions of Pillow's decoders for broken input.
_PICTURE_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    EOFError,
    KeyError,
    IndexError,
    OverflowError,
    ZeroDivisionError,
    RuntimeError,
    struct.error,
)
#: Longest side (points) of a page whose picture states no size: that of a letter sheet.
_LETTER = 792.0
#: Plausible range of a sheet's longest side, in points.
_SHEET = (200.0, 1300.0)
_JPEG_QUALITY = 92
#: Formats whose frames are pages. Not MPO: its further pictures are previews and maps of depth.
_PAGED = ("TIFF", "HEIF", "AVIF", "WEBP", "GIF", "PNG")
#: Of these, those that are animated: a frame that looks like the one before it is no page.
_ANIMATED = ("AVIF", "WEBP", "GIF", "PNG")
#: Mean difference, in shades of grey, of frames that do not look the same; on how many pixels of the longer side.
_DIFFERS, _SMALL = 1.0, 128


@confined
def pictures_to_pdf(data: bytes, bounds: FileBounds) -> bytes:
    """Return a PDF with a page for each frame.

    Raises PictureTooLargeError (before decoding), TooManyPagesError, DamagedDocumentError.
    """
    return pdf_of_sheets(_sheet(picture, original, bounds) for picture, original in _frames(data, bounds))


def _frames(data: bytes, bounds: FileBounds) -> Iterator[tuple[Image.Image, bytes | None]]:
    """Yield every frame, with its original bytes where they can be embedded in the PDF unchanged."""
    try:
        with Image.open(io.BytesIO(data), formats=_decoders(data)) as picture:
            _check_size(picture, bounds)
            paged = picture.format in _PAGED
            count = getattr(picture, "n_frames", 1) if paged else 1
            if count > bounds.max_pages:
                raise TooManyPagesError(f"{count} frames")
            before: Image.Image | None = None
            for frame in _pages_of(picture, count):
                _check_size(frame, bounds)
                as_is = frame.format == "JPEG" and frame.mode in ("L", "RGB") and _orientation(frame) == 1
                frame.load()
                if count > 1 and picture.format in _ANIMATED:
                    small = _plain(frame).convert("L").resize((_SMALL, _SMALL))
                    if before is not None and _difference(before, small) < _DIFFERS:
                        continue
                    before = small
                yield frame, data if as_is and has_square_pixels(frame) else None
    except _PICTURE_ERRORS as exc:
        raise DamagedDocumentError("the picture cannot be decoded") from exc


def _decoders(data: bytes) -> tuple[str, ...] | None:
    """Return the names of the decoders to try, None for all: HEIC's takes AVIF of its main brand for its own."""
    return ("AVIF",) if content_type(data) == "image/avif" else None


def _pages_of(picture: Image.Image, count: int) -> Iterator[Image.Image]:
    """Yield the frames that are pages: thumbnails and masks of a TIFF are none, unless there is nothing else."""
    if count == 1:
        yield picture
        return
    pages = [number for number in range(count) if _is_page(picture, number)] or range(count)
    for number in pages:
        picture.seek(number)
        yield picture


def _is_page(picture: Image.Image, number: int) -> bool:
    if picture.format != "TIFF":
        return True
    picture.seek(number)
    tags: Any = getattr(picture, "tag_v2", {})
    # TIFF 6.0, section 8: NewSubfileType has bit 0 for a reduced picture, 2 for a mask; SubfileType is 2 for it.
    return not (int(tags.get(254, 0)) & 0b101 or tags.get(255) == 2)


def _difference(one: Image.Image, other: Image.Image) -> float:
    return float(ImageStat.Stat(ImageChops.difference(one, other)).mean[0])


def _check_size(picture: Image.Image, bounds: FileBounds) -> None:
    width, height = picture.size
    if width * height > bounds.max_image_pixels:
        raise PictureTooLargeError(f"{width} x {height} pixels")


def _orientation(picture: Image.Image) -> int:
    return int(picture.getexif().get(0x0112, 1) or 1)


def _sheet(picture: Image.Image, original: bytes | None, bounds: FileBounds) -> Sheet:
    if original:
        return Sheet(original, *_size(picture, picture.info.get("dpi")))
    square, dpi = squared(_plain(picture), density_of(picture), bounds.max_image_pixels)
    upright = ImageOps.exif_transpose(square)
    return Sheet(_encoded(upright, picture.format), *_size(upright, dpi))


def _plain(picture: Image.Image) -> Image.Image:
    """Return the picture in a mode that every encoder supports: 1, L or RGB, transparent parts on white."""
    if picture.mode in ("1", "L", "RGB"):
        return picture
    if picture.mode.startswith(("I", "F")):
        low, high = picture.convert("F").getextrema()
        scale = 255.0 / max(float(high), 255.0) if isinstance(high, float) and isinstance(low, float) else 1.0
        return picture.convert("F").point(lambda value: value * scale).convert("L")
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        over = picture.convert("RGBA")
        sheet = Image.new("RGBA", over.size, "white")
        return Image.alpha_composite(sheet, over).convert("RGB")
    return picture.convert("RGB")


def _size(picture: Image.Image, dpi: tuple[float, float] | None) -> tuple[float, float]:
    """Return width and height of the page in points, by the stated resolution if that gives a plausible sheet."""
    width, height = picture.size
    longest = max(width, height)
    stated = float(min(dpi)) if dpi else 0.0
    points = longest * 72.0 / stated if stated > 1 else 0.0
    scale = (points if _SHEET[0] <= points <= _SHEET[1] else _LETTER) / longest
    return max(width * scale, 1.0), max(height * scale, 1.0)


def _encoded(picture: Image.Image, origin: str | None) -> bytes:
    out = io.BytesIO()
    if origin in ("JPEG", "HEIF", "AVIF", "WEBP") and picture.mode != "1":
        picture.save(out, "JPEG", quality=_JPEG_QUALITY)
    else:
        picture.save(out, "PNG", compress_level=1)
    return out.getvalue()

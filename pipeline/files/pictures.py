"""Convert pictures to PDF, and find the sheets on a page that holds several.

Square pixels are unchanged.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageOps, ImageStat

from core.config import FileBounds
from core.confined.children import confined
from core.errors import DamagedDocumentError, PictureTooLargeError, TooManyPagesError
from pipeline.files.content_type import content_type
from pipeline.mupdf.assembly import PictureSheet, pdf_of_sheets
from pipeline.mupdf.file import PdfFile
from pipeline.mupdf.page_data import Grey, Rect

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
#: Those of them that may be animated: a frame that looks like the one before it is not a page.
_ANIMATED = ("AVIF", "WEBP", "GIF", "PNG")
#: Least mean difference (shades of grey) of frames that look different, and pixels of the longer side compared.
_DIFFERS, _SMALL = 1.0, 128


@confined
def pictures_to_pdf(data: bytes, bounds: FileBounds) -> bytes:
    """Return a PDF with a page for each frame.

    Raises PictureTooLargeError (before decoding), TooManyPagesError, DamagedDocumentError.
    """
    return pdf_of_sheets(_sheet(picture, original, bounds) for picture, original in _frames(data, bounds))


def _frames(data: bytes, bounds: FileBounds) -> Iterator[tuple[Image.Image, bytes | None]]:
    """Yield every frame, with its original bytes if they can be embedded in the PDF unchanged."""
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
    """Return the names of the decoders to try, None for all: HEIC's also takes AVIF files with its main brand."""
    return ("AVIF",) if content_type(data) == "image/avif" else None


def _pages_of(picture: Image.Image, count: int) -> Iterator[Image.Image]:
    """Yield the frames that are pages: not thumbnails and masks of a TIFF, unless there is nothing else."""
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


def _sheet(picture: Image.Image, original: bytes | None, bounds: FileBounds) -> PictureSheet:
    if original:
        return PictureSheet(original, *_size(picture, picture.info.get("dpi")))
    square, dpi = squared(_plain(picture), density_of(picture), bounds.max_image_pixels)
    upright = ImageOps.exif_transpose(square)
    return PictureSheet(_encoded(upright, picture.format), *_size(upright, dpi))


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


# Find the sheets on a page that was scanned or photographed with several sheets.
#
# Two copies of a form have the same print: similar corners of letters and lines are found on both (ORB, Rublee et
# al. 2011), all shifted, turned and scaled alike (RANSAC, Fischler and Bolles 1981). Different texts, columns and
# lined paper have almost none of these.


#: Pixels of the longer side at which letters still have distinct corners.
_LONGEST = 1100
_CORNERS = 2000
#: Least corners that two copies have in common; halves of ordinary pages have up to ten.
_LEAST_SAME = 40
#: Least cells, of four by six in a half, that have such corners: one or two may be a logo.
_LEAST_CELLS = 3
#: Greatest shift (share of a half), change of size and turn (degrees) of a copy.
_MOVED, _SCALED, _TURNED = 0.15, 1.2, 8.0
#: The part of the page that the gap is in, and the weight (share of the page's ink) of nearness to the middle.
_MIDDLE, _DRAWN = (0.4, 0.6), 2.0
#: Common print begins within this share of a half from the beginning of the half's print.
_BEGINS_WITHIN = 0.08
#: Percent of the corners that may be dirt before the print, and share of a sheet that is its head.
_STRAY, _HEAD = 4, 0.25
#: Top of sideways sheets, and direction of the split (0: side by side), for which the last sheet comes first.
_LAST_FIRST = frozenset({("left", 1), ("right", 0)})
#: Sheets on a table: least share of the picture, least share of its hull, most sheets, most of the picture's edge
#: that may be as light, and shades by which paper is lighter than the border to the ground.
_LEAST_SHEET, _WHOLE, _MOST_SHEETS, _LIGHT_EDGE, _SHADES = 0.1, 0.95, 4, 0.1, 25.0
#: Pixels of a letter, which is not part of the ground.
_LETTER_PIXELS = 15
#: Shades by which print is darker than the gap, and share of the gap that it may cross, like a fax's lines.
_DARKER, _CROSSED = 60.0, 0.02
#: Upright pages that are always examined; after them one in so many, until one has several sheets.
_FIRST, _EVERY = 6, 7
_LIES = 1.15


def pictured_sheets(file: PdfFile, pictures: Mapping[int, Rect]) -> dict[int, list[Rect]]:
    """Return the places of the sheets, in points of the displayed page, of the pages that have several.

    `pictures`: the place of each page's picture, by the page's number.
    """
    found: dict[int, list[Rect]] = {}
    left = []
    for place, number in enumerate(pictures):
        shape = file.shape(number)
        if shape.width > _LIES * shape.height or place < _FIRST or place % _EVERY == 0 or found:
            _keep(found, number, pictures[number], file)
        else:
            left.append(number)
    if found:
        for number in left:
            _keep(found, number, pictures[number], file)
    return found


def _keep(found: dict[int, list[Rect]], number: int, picture: Rect, file: PdfFile) -> None:
    small = file.small(number, _LONGEST)
    x0, y0, x1, y1 = picture
    width, height = small.shape.width, small.shape.height
    shown = _part(small.grey, (x0 / width, y0 / height, x1 / width, y1 / height))
    if places := sheets_in_picture(shown):
        wide, high = x1 - x0, y1 - y0
        found[number] = [(x0 + a * wide, y0 + b * high, x0 + c * wide, y0 + d * high) for a, b, c, d in places]


def sheets_in_picture(grey: Grey) -> list[Rect]:
    """Return the sheets on a page in the order of reading, each 0-1 of the page; none if it is one sheet."""
    if lying := _lying_apart(grey):
        return lying
    corners, looks = cv2.ORB.create(_CORNERS, fastThreshold=12).detectAndCompute(np.ascontiguousarray(grey), None)
    if looks is None or len(corners) < 2 * _LEAST_SAME:
        return []
    at = np.array([corner.pt for corner in corners], np.float64) / (grey.shape[1], grey.shape[0])
    return _Page(grey, at, looks, _lines_run_down(grey)).parted((0.0, 0.0, 1.0, 1.0), 2)


def _lying_apart(grey: Grey) -> list[Rect]:
    """Return the sheets of paper that lie apart on a darker ground; none if there are fewer than two.

    Each is light overall and has four sides, and the ground surrounds all of them.
    """
    least, light = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    edge = np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]])
    if (edge > 0).mean() > _LIGHT_EDGE:
        return []
    closed = cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((_LETTER_PIXELS, _LETTER_PIXELS), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = [hull for outline in outlines if (hull := _large_and_whole(outline, grey.size)) is not None]
    boxes = sorted(cv2.boundingRect(hull) for hull in large if _has_four_sides(hull))
    is_paper = float(grey[light > 0].mean()) - least >= _SHADES
    return (
        _in_rows(boxes, grey) if is_paper and 1 < len(boxes) <= _MOST_SHEETS and len(boxes) == len(large) else []
    )


def _large_and_whole(outline: NDArray[Any], pixels: int) -> NDArray[Any] | None:
    """Return the hull of a light area that may be a sheet of paper, else None."""
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    return hull if area >= _LEAST_SHEET * pixels and cv2.contourArea(outline) >= _WHOLE * area else None


def _has_four_sides(hull: NDArray[Any]) -> bool:
    return len(cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)) == 4


def _in_rows(boxes: Sequence[Sequence[int]], grey: Grey) -> list[Rect]:
    """Return boxes (left, top, width, height) in the order of reading, 0-1 of the page."""
    height, width = grey.shape
    tallest = max(box[3] for box in boxes)
    ordered = sorted(boxes, key=lambda box: (round((box[1] + box[3] / 2) / tallest), box[0]))
    return [(x / width, y / height, (x + w) / width, (y + h) / height) for x, y, w, h in ordered]


def _lines_run_down(grey: Grey) -> bool:
    """Whether lines of text run downward, as on a page that was scanned sideways."""
    ink = 255.0 - grey
    down, across = (float(np.square(np.diff(ink.mean(axis=axis))).sum()) for axis in (0, 1))
    return down > across


class _Page(NamedTuple):
    """A page with its corners (0-1 of the page) and their descriptors."""

    grey: Grey
    at: NDArray[np.float64]
    looks: NDArray[Any]
    is_sideways: bool

    def parted(self, page: Rect, depth: int) -> list[Rect]:
        """Return the sheets on this part of the page; none if it is one sheet."""
        for across in (0, 1):
            cut = _gap(self.grey, page, across)
            top = self._common_top(page, across)
            if top is None or _is_crossed(self.grey, page, across, cut):
                continue
            halves = _halves(page, across, cut)
            if (top, across) in _LAST_FIRST:
                halves.reverse()
            if depth == 1:
                return halves
            return [sheet for half in halves for sheet in self.parted(half, 1) or [half]]
        return []

    def _common_top(self, page: Rect, across: int) -> str | None:
        """Return the side of both halves' top if the print of the first is found on the second, else None."""
        sides = np.array([page[2] - page[0], page[3] - page[1]])
        sides[across] /= 2
        step = np.zeros(2)
        step[across] = sides[across]
        inside = ((self.at >= page[:2]) & (self.at < page[2:])).all(axis=1)
        later = self.at[:, across] >= page[across] + sides[across]
        first, second = inside & ~later, inside & later
        if min(first.sum(), second.sum()) < _LEAST_SAME:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(self.looks[first], self.looks[second])
        one = self.at[first][[pair.queryIdx for pair in pairs]]
        other = self.at[second][[pair.trainIdx for pair in pairs]]
        near = (np.abs(other - one - step) < _MOVED * sides).all(axis=1)
        same = _alike(one[near], other[near], np.array([self.grey.shape[1], self.grey.shape[0]], np.float64))
        if same.sum() < _LEAST_SAME:
            return None
        begin = np.array(page[:2])
        one, other = (one[near][same] - begin) / sides, (other[near][same] - begin - step) / sides
        if len({tuple(cell) for cell in (one * (4, 6)).astype(int)}) < _LEAST_CELLS:
            return None
        everything = (self.at[first] - begin) / sides, (self.at[second] - begin - step) / sides
        tops = [
            top
            for top in (("left", "right") if self.is_sideways else ("top",))
            if all(_begins_at(top, both, part) for both, part in zip(everything, (one, other), strict=True))
        ]
        # A form's head has more print than its foot.
        return max(tops, key=lambda top: int((_from(top, one) < _HEAD).sum()), default=None)


def _from(top: str, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance (0-1) of corners from this side of their sheet."""
    place = at[:, 1 if top == "top" else 0]
    return 1 - place if top == "right" else place


def _begins_at(top: str, everything: NDArray[np.float64], same: NDArray[np.float64]) -> bool:
    """Whether the common print begins where the half's print begins: the first half has no extra title."""
    return bool(_from(top, same).min() - np.percentile(_from(top, everything), _STRAY) < _BEGINS_WITHIN)


def _alike(one: NDArray[np.float64], other: NDArray[np.float64], pixels: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which corners map to their counterparts by one shift, turn and scale; none if these are large."""
    none = np.zeros(len(one), np.bool_)
    if len(one) < _LEAST_SAME:
        return none
    cv2.setRNGSeed(1)
    change, fits = cv2.estimateAffinePartial2D(one * pixels, other * pixels, ransacReprojThreshold=3.0)
    if change is None:
        return none
    scale, turn = np.hypot(change[0, 0], change[1, 0]), np.degrees(np.arctan2(change[1, 0], change[0, 0]))
    is_copy = 1 / _SCALED < scale < _SCALED and abs(turn) < _TURNED
    return fits.ravel() == 1 if is_copy else none


def _gap(grey: Grey, page: Rect, across: int) -> float:
    """Return the position near the middle of the page with the least ink."""
    part = _part(grey, page)
    ink = np.abs(part.astype(np.float64) - np.median(part)).mean(axis=across)
    wide = max(3, len(ink) // 60)
    ink = np.convolve(ink, np.ones(wide) / wide, mode="same") / max(ink.mean(), 1e-6)
    places = np.arange(len(ink)) / len(ink)
    low, high = _MIDDLE
    costs = np.where((places > low) & (places < high), ink + _DRAWN * np.abs(places - 0.5), np.inf)
    return float(page[across] + places[int(costs.argmin())] * (page[across + 2] - page[across]))


def _is_crossed(grey: Grey, page: Rect, across: int, cut: float) -> bool:
    """Whether print runs across the gap. The shadow of a fold or of an edge of paper runs along it."""
    part = _part(grey, page)
    length = part.shape[1 - across]
    at, half = round((cut - page[across]) / (page[across + 2] - page[across]) * length), max(2, length // 250)
    begin = max(0, at - half)
    strip = part[:, begin : at + half] if across == 0 else part[begin : at + half, :].T
    darkest = strip.astype(np.float64).min(axis=1)
    return bool((np.median(darkest) - darkest > _DARKER).mean() > _CROSSED)


def _part(grey: Grey, page: Rect) -> Grey:
    height, width = grey.shape
    return grey[round(page[1] * height) : round(page[3] * height), round(page[0] * width) : round(page[2] * width)]


def _halves(page: Rect, across: int, cut: float) -> list[Rect]:
    x0, y0, x1, y1 = page
    return [(x0, y0, cut, y1), (cut, y0, x1, y1)] if across == 0 else [(x0, y0, x1, cut), (x0, cut, x1, y1)]


# Pictures whose pixels are not square, as of fax machines: recognised by their resolution, and made square.


#: Pixels wider than high, or higher than wide, by less are taken as square.
_SQUARE = 1.02
#: A greater ratio of resolutions is nonsense.
_MOST = 4.0
#: The longer side of a sheet is at most this many times the shorter: a long fax.
_LONGEST_SHEET = 2.4
# Tags of TIFF 6.0: pixels in a unit of length, or in any length if no unit is stated.
_X_RESOLUTION, _Y_RESOLUTION = 282, 283

#: Pixels in an inch, or any other length, from left to right and from above down.
Density = tuple[float, float]


def density_of(picture: Image.Image) -> Density | None:
    """Return the resolution that a picture states, None if it states none."""
    tags: Any = getattr(picture, "tag_v2", {})
    info = picture.info
    stated: Any = info.get("dpi")
    if not stated and picture.format == "TIFF":
        stated = tags.get(_X_RESOLUTION), tags.get(_Y_RESOLUTION)
    elif not stated:
        # JFIF without a unit, PNG without one: the shape of a pixel.
        stated = info.get("jfif_density") or info.get("aspect")
    try:
        across, down = (float(value) for value in stated)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return (across, down) if 0 < across < math.inf and 0 < down < math.inf else None


def has_square_pixels(picture: Image.Image) -> bool:
    """Whether the pixels are square as far as the picture says."""
    return _stretch(picture.size, density_of(picture)) == 1.0


def squared(picture: Image.Image, density: Density | None, most_pixels: int) -> tuple[Image.Image, Density | None]:
    """Return the picture with square pixels, and its new resolution."""
    stretch = _stretch(picture.size, density)
    if stretch == 1.0 or density is None:
        return picture, density
    width, height = picture.size
    grows, dense = max(stretch, 1 / stretch) * width * height <= most_pixels, max(density)
    if not grows:
        dense = min(density)
    size = (width, height * stretch) if (stretch > 1) == grows else (width / stretch, height)
    grey = picture.convert("L") if picture.mode == "1" else picture
    whole = (max(round(size[0]), 1), max(round(size[1]), 1))
    return grey.resize(whole, Image.Resampling.BICUBIC), (dense, dense)


def _stretch(size: tuple[int, int], density: Density | None) -> float:
    """Return how many times as high as wide the pixels are; 1 if they count as square.

    A resolution that would make a long strip of a sheet-shaped picture is ignored.
    """
    if density is None:
        return 1.0
    ratio = density[0] / density[1]
    if not 1 / _MOST < ratio < _MOST or 1 / _SQUARE < ratio < _SQUARE:
        return 1.0
    is_sheet = _longer_by(*size) <= _LONGEST_SHEET
    return 1.0 if is_sheet and _longer_by(size[0], size[1] * ratio) > _LONGEST_SHEET else ratio


def _longer_by(width: float, height: float) -> float:
    return max(width, height) / max(min(width, height), 1e-6)

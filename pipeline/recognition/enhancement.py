"""Improve pictures of pages for recognition: remove bleed-through, darken ink, remove blur."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pipeline.mupdf.assembly import with_pages_pictured
from pipeline.mupdf.file import PdfFile, open_pdf
from pipeline.pages.page_model import Box, PageContent, Word
from pipeline.pages.text_trust import render

# Find ink that is hardly darker than its paper, and make all ink equally dark.


#: Dots per inch of the distances below.
RESOLUTION = 200
#: Size of the neighbourhood whose lightest shade is the paper's, in pixels at half RESOLUTION.
_PAPER = 17
#: Size of the neighbourhood in which all ink becomes equally dark, in pixels: about a line of writing.
_NEAR = 31
#: Size of the neighbourhood of dark ink that its blurred edges are in, in pixels.
_EDGE = 9
#: Spread of the smoothing that removes grain, in pixels.
_SMOOTH = 1.0
#: Least difference (shades) of ink from the paper: absolute, and as a multiple of the grain.
_LEAST, _OVER_GRAIN = 5.0, 3.0
#: Ink that differs by this many shades is dark enough for the detector.
_DARK = 90.0
#: Least share of a field that faint writing covers.
_WRITTEN = 0.04


def has_faint_ink(picture: Image.Image) -> bool:
    """Whether a picture of a field has writing, all of it hardly darker than the paper."""
    depth, grain = _depth(picture)
    ink = depth > _threshold(grain)
    return bool(ink.mean() >= _WRITTEN and (depth > _DARK).mean() < 0.1 * ink.mean())


def darkened(picture: Image.Image) -> Image.Image:
    """Return a picture (at RESOLUTION) in grey in which even faint ink is dark and the paper white.

    Each pixel's difference from the paper around it, minus the grain, is stretched. Shades are kept: recognition
    decides better than a threshold what is ink.
    """
    depth, grain = _depth(picture)
    least = _threshold(grain) / 2
    ink = np.clip(depth - least, 0.0, None)
    faint = ink[(depth > 2 * least) & (depth < _DARK)]
    usual = max(float(np.percentile(faint, 50)) if faint.size else _DARK, 1.0)
    dark = cv2.dilate((depth >= _DARK).astype(np.uint8), np.ones((_EDGE, _EDGE), np.uint8)) > 0
    near = cv2.dilate(np.where(dark, 0.0, ink).astype(np.float32), np.ones((_NEAR, _NEAR), np.uint8))
    even = np.clip(ink / np.maximum(0.8 * cv2.blur(near, (_NEAR, _NEAR)), usual), 0.0, 1.0)
    # Keep the shape of dark ink with its edges: print that becomes bold is not read.
    shade = np.where(dark, np.sqrt(np.clip(ink / 255, 0.0, 1.0)), even)
    return Image.fromarray((255 - 235 * shade).astype(np.uint8)).convert("RGB")


def _depth(picture: Image.Image) -> tuple[NDArray[np.float32], float]:
    """Return each pixel's darkness compared with the paper around it (shades), and the spread of the grain."""
    grey: Any = np.asarray(picture.convert("L"))
    smooth = cv2.GaussianBlur(grey, (0, 0), _SMOOTH)
    small = cv2.resize(smooth, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    closed = cv2.morphologyEx(
        small, cv2.MORPH_CLOSE, np.ones((_PAPER, _PAPER), np.uint8), borderType=cv2.BORDER_REFLECT
    )
    paper = cv2.resize(cv2.blur(closed, (_PAPER, _PAPER)), (grey.shape[1], grey.shape[0]))
    depth: NDArray[np.float32] = paper.astype(np.float32) - smooth.astype(np.float32)
    # Paper is most of a picture, and no ink is lighter than the paper's usual shade.
    usual = float(np.percentile(depth, 30))
    grain = 1.5 * (usual - float(np.percentile(depth, 5)))
    return depth - usual, grain


def _threshold(grain: float) -> float:
    return max(_LEAST, _OVER_GRAIN * grain)


# Remove the blur of a lens or scanner from a picture of a page.


#: Spread of the removed blur, in pixels at SHARPEN_RESOLUTION: that of a page that is barely unreadable.
_SPREAD = 2.0
#: Dots per inch of that spread.
SHARPEN_RESOLUTION = 150
#: Noise over signal: smaller sharpens more and lets more grain through. On 18 blurred pages 0.01 gave 38 of 54
#: fields right, 0.003 gave 33, an unsharp mask 34, nothing 34.
_NOISE = 0.01
#: Margin mirrored around the page, in pixels: the picture's border is not an edge.
_MARGIN = 32


def sharpened(picture: Image.Image) -> Image.Image:
    """Return the picture (at SHARPEN_RESOLUTION) in grey after Wiener's filter for a Gaussian blur.

    Wiener, "Extrapolation, Interpolation, and Smoothing of Stationary Time Series" (1949); Gonzalez and Woods,
    "Digital Image Processing", section 5.8.
    """
    grey = np.asarray(picture.convert("L"), dtype=np.float32) / 255
    wide = cv2.copyMakeBorder(grey, *(_MARGIN,) * 4, cv2.BORDER_REFLECT)
    restored = np.fft.irfft2(np.fft.rfft2(wide) * _filter(wide.shape), s=wide.shape)
    inner = np.clip(restored[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN], 0.0, 1.0)
    return Image.fromarray((inner * 255).astype(np.uint8)).convert("RGB")


def _filter(shape: tuple[int, ...]) -> NDArray[np.float64]:
    down, across = np.fft.fftfreq(shape[0])[:, None], np.fft.rfftfreq(shape[1])[None]
    blur = np.exp(-2 * (np.pi * _SPREAD) ** 2 * (across**2 + down**2))
    return np.asarray(blur / (blur * blur + _NOISE))


# Pages without bleed-through from the other sides of their sheets, for all code that uses their pixels.


#: Dots per inch of the pictures that replace such pages: as for closer looks at fields.
_RESOLUTION = 200


def with_own_ink(pdf: bytes, pages: Sequence[PageContent]) -> bytes:
    """Return the PDF with pages that have bleed-through replaced by pictures of their own ink.

    Pages keep their numbers. Returns the PDF itself if there are none. Raises DamagedDocumentError.
    """
    through = [page for page in pages if page.other_side and page.words]
    if not through:
        return pdf
    pictures: dict[int, bytes] = {}
    with open_pdf(pdf) as file:
        for page in through:
            if (side := other_side(file, page.number, page.other_side)) is not None:
                png = io.BytesIO()
                side.without(render(file, page.number, _RESOLUTION)).save(png, "PNG", compress_level=1)
                pictures[page.number] = png.getvalue()
    return with_pages_pictured(pdf, [page.number for page in pages], pictures)


# Remove bleed-through from the other side of a page's sheet.
#
# A scan of both sides of thin paper shows the ink of the back on the front, whose mirrored letters are recognised
# as words that nobody wrote. They are where the previous or next page, mirrored, has its ink, and are fainter.


Depth = NDArray[np.float32]
Mask = NDArray[np.bool_]
#: Longest side of the pictures that are compared, in pixels: 100 dots per inch for a letter page.
_LONGEST = 1100
#: Size of the neighbourhood whose lightest shade is the paper's, in pixels.
_PAPER_AROUND = 41
#: Least shades by which ink is darker than the paper.
_INK = 20.0
#: Greatest darkness of bleed-through: if all words are darker, there is none.
_DARKEST_THROUGH = 150.0
#: Greatest shift of the other side (share of the page), and of a part of it by skew (pixels).
_ASIDE, _PART_ASIDE = 0.04, 14
#: Least correlation of the page's faint ink with the other side's ink, and of a part of it. For unrelated pages it
#: is up to 0.22, since lines of type or writing coincide.
_PAGES_ALIKE, _PARTS_ALIKE = 0.3, 0.6
#: Parts that are aligned: width and height in pixels, least share of ink, and how many are enough.
_PART_WIDTH, _PART_HEIGHT, _LEAST_INK, _ENOUGH = 90, 45, 0.02, 3
#: Greatest turn and stretch between the two sides.
_SKEW = 0.06
#: Ink with this share of the darkness of the other side's darkest ink is not taken for bleed-through.
_FAINTEST = 0.65
#: Ink with less than this share of the darkness of the page's darkest ink may itself be bleed-through.
_SHINING = 0.4
#: Greatest darkness of bleed-through, as a share of the other side's darkness.
_FAINTER = 0.8
#: Ink up to this multiple of the mean bleed-through, this near (pixels) to its place, is the other side's.
_UNEVEN, _NEAR_PLACE = 1.7, 4


@dataclass(frozen=True, slots=True)
class OtherSide:
    """A page's ink and the bleed-through of its other side, in shades darker than the paper."""

    page: Depth
    through: Depth

    @property
    def covered(self) -> Mask:
        """The pixels that show the other side's ink."""
        reach = np.ones((2 * _NEAR_PLACE + 1, 2 * _NEAR_PLACE + 1), np.uint8)
        most = cv2.dilate(self.through, reach)
        own = self.page > np.maximum(_UNEVEN * most, _INK)
        # The edges of own ink are own ink, however faint they are.
        beside = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return np.asarray((most >= _INK / 4) & ~beside)

    @property
    def own_ink(self) -> float:
        """Share of the page that is its own ink."""
        return float(np.mean((self.page >= 2 * _INK) & ~self.covered))

    def without(self, picture: Image.Image) -> Image.Image:
        """Return a picture of the page with paper in place of bleed-through."""
        seen = np.asarray(picture.convert("RGB"))
        small = np.asarray(picture.convert("RGB").resize((self.page.shape[1] // 4, self.page.shape[0] // 4)))
        paper = cv2.medianBlur(cv2.dilate(small, np.ones((9, 9), np.uint8)), 9)
        paper = cv2.resize(paper, picture.size, interpolation=cv2.INTER_LINEAR)
        mask = cv2.resize(self.covered.astype(np.uint8), picture.size, interpolation=cv2.INTER_NEAREST) > 0
        return Image.fromarray(np.where(mask[..., None], paper, seen))


class _Part(NamedTuple):
    """A part of the mirrored page and its bleed-through: their middles in pixels, and relative darkness."""

    there: tuple[float, float]
    here: tuple[float, float]
    strength: float


def other_side(file: PdfFile, number: int, words: Sequence[Word]) -> OtherSide | None:
    """Return the other side of a recognised page (from 1) if it shines through; None if not.

    `words` are those recognised before removal: if all are dark, none is the other side's. The two sides of a
    sheet are consecutive pages. Raises DamagedDocumentError.
    """
    if file.page_count < 2 or not words:
        return None
    page = _page_depth(file.small(number, _LONGEST).grey)
    if all(_darkness(_cut(page, word.box)) >= _DARKEST_THROUGH for word in words):
        return None
    first = number + 1 if number % 2 else number - 1
    for neighbour in (first, 2 * number - first):
        if 1 <= neighbour <= file.page_count and (found := _laid_onto(page, file, neighbour)) is not None:
            return found
    return None


def _laid_onto(page: Depth, file: PdfFile, neighbour: int) -> OtherSide | None:
    other = _own(_page_depth(file.small(neighbour, _LONGEST).grey))
    faint = _faint(page, _darkest(other))
    other = np.asarray(cv2.resize(other, (page.shape[1], page.shape[0])), np.float32)
    # A side bound at the short edge, or turned upright, is mirrored the other way.
    tried = [_aligned(faint, np.ascontiguousarray(mirrored)) for mirrored in (other[:, ::-1], other[::-1])]
    alike, mirrored = max(tried, key=lambda found: found[0])
    parts = list(_alike_parts(faint, mirrored)) if alike >= _PAGES_ALIKE else []
    if len(parts) < _ENOUGH:
        return None
    strength = float(np.median([part.strength for part in parts]))
    return OtherSide(page, strength * _turned(mirrored, parts)) if strength <= _FAINTER else None


def _aligned(faint: Depth, mirrored: Depth) -> tuple[float, Depth]:
    """Return the likeness of both at their best fit, and the mirrored one moved there."""
    height, width = faint.shape
    dx, dy = round(_ASIDE * width), round(_ASIDE * height)
    inner = faint[dy : height - dy, dx : width - dx]
    half: Any = {"dsize": None, "fx": 0.5, "fy": 0.5, "interpolation": cv2.INTER_AREA}
    alike, (x, y) = _best(cv2.resize(mirrored, **half), cv2.resize(inner, **half))
    return alike, _moved(mirrored, np.array([[1.0, 0.0, dx - 2 * x], [0.0, 1.0, dy - 2 * y]]))


def _turned(mirrored: Depth, parts: Sequence[_Part]) -> Depth:
    """Return the mirrored page turned and stretched so that its parts match their bleed-through."""
    there = np.array([part.there for part in parts], np.float32)
    here = np.array([part.here for part in parts], np.float32)
    matrix, _ = cv2.estimateAffine2D(there, here, ransacReprojThreshold=2.5)
    if matrix is None or np.abs(matrix[:, :2] - np.eye(2)).max() > _SKEW:
        return mirrored
    return _moved(mirrored, matrix)


def _alike_parts(faint: Depth, mirrored: Depth) -> Iterator[_Part]:
    """Yield the parts of a page's faint ink that resemble the mirrored page there."""
    aside, high, wide = _PART_ASIDE, _PART_HEIGHT, _PART_WIDTH
    for y in range(aside, faint.shape[0] - high - aside, high):
        for x in range(aside, faint.shape[1] - wide - aside, wide):
            part = faint[y : y + high, x : x + wide]
            if np.mean(part >= _INK) < _LEAST_INK:
                continue
            window = mirrored[y - aside : y + high + aside, x - aside : x + wide + aside]
            alike, (dx, dy) = _best(window, part)
            if alike < _PARTS_ALIKE:
                continue
            other = window[dy : dy + high, dx : dx + wide]
            both = (part >= _INK / 2) & (other >= _INK)
            if both.any():
                middle = x + wide / 2, y + high / 2
                there = middle[0] + dx - aside, middle[1] + dy - aside
                yield _Part(there, middle, float(np.median(part[both] / other[both])))


def _moved(picture: Depth, matrix: NDArray[Any]) -> Depth:
    return np.asarray(cv2.warpAffine(picture, matrix, picture.shape[::-1]), np.float32)


def _best(window: Depth, part: Depth) -> tuple[float, tuple[int, int]]:
    """Return the greatest correlation of a part with a window, and its position there."""
    if window.shape[0] < part.shape[0] or window.shape[1] < part.shape[1]:
        return 0.0, (0, 0)
    fits: Any = cv2.matchTemplate(window, part, cv2.TM_CCOEFF_NORMED)
    _, alike, _, (x, y) = cv2.minMaxLoc(np.nan_to_num(fits, posinf=0.0, neginf=0.0))
    return float(alike), (x, y)


def _page_depth(grey: NDArray[np.uint8]) -> Depth:
    """Return each pixel's darkness compared with the paper around it, blurred as paper blurs ink."""
    paper = cv2.blur(
        cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((_PAPER_AROUND, _PAPER_AROUND), np.uint8)), (9, 9)
    )
    return np.asarray(cv2.GaussianBlur(cv2.subtract(paper, grey).astype(np.float32), (0, 0), 1.0), np.float32)


def _own(depth: Depth) -> Depth:
    """Return the dark ink of a page, without possible bleed-through."""
    return np.where(depth < _SHINING * _darkest(depth), np.float32(0), depth)


def _faint(depth: Depth, darkest: float) -> Depth:
    """Return the ink that may be bleed-through of a page with ink this dark: without darker ink and its edges."""
    dark = cv2.dilate((depth >= _FAINTEST * darkest).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return np.where(dark | (depth < _INK / 2), np.float32(0), depth)


def _darkest(depth: Depth) -> float:
    ink = depth[depth >= _INK]
    return float(np.percentile(ink, 90)) if ink.size else 0.0


def _darkness(part: Depth) -> float:
    return float(np.percentile(part, 95)) if part.size else _DARKEST_THROUGH


def _cut(depth: Depth, box: Box) -> Depth:
    height, width = depth.shape
    rows = slice(max(int(box.y0 * height), 0), int(np.ceil(box.y1 * height)))
    return depth[rows, max(int(box.x0 * width), 0) : int(np.ceil(box.x1 * width))]

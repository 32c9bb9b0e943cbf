"""Take off a page what shines through from the other side of its sheet.

A scanner that takes both sides of thin paper shows the ink of the back on the front. Recognised, its mirrored
letters make words that nobody wrote. They lie where the page before or after, mirrored, has its ink, and are
fainter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pipeline.mupdf.file import PdfFile
from pipeline.pages.page_model import Box, Word

Depth = NDArray[np.float32]
Mask = NDArray[np.bool_]
#: Longest side of the pictures that are compared, in pixels: 100 dots an inch for a letter page.
_LONGEST = 1100
#: The neighbourhood whose lightest shade is the paper's, in pixels.
_PAPER = 41
#: By so many shades ink is darker than the paper at least.
_INK = 20.0
#: No ink that shines through is darker: where all words are, nobody has to look.
_DARK = 150.0
#: The other side may lie so much aside (share of the page), and a part of it still, by skew (pixels).
_ASIDE, _PART_ASIDE = 0.04, 14
#: Least correlation of the page's faint ink with the other side's ink, and of a part of it. Of pages that have
#: nothing to do with each other it is up to 0.22, as lines of type or of writing fall on lines.
_PAGES_ALIKE, _PARTS_ALIKE = 0.3, 0.6
#: Parts that are laid onto each other: width and height in pixels, least share of ink, and how many are enough.
_PART_WIDTH, _PART_HEIGHT, _WRITTEN, _ENOUGH = 90, 45, 0.02, 3
#: The two sides are turned and stretched against each other by no more than this.
_SKEW = 0.06
#: Ink with this share of the darkness of the other side's darkest does not shine through, or nobody can tell.
_FAINTEST = 0.65
#: Ink of a page with less than this share of the darkness of its darkest may itself shine through.
_SHINING = 0.4
#: What shines through has at most this share of the other side's darkness.
_FAINTER = 0.8
#: Ink up to this multiple of what shines through on the whole is the other side's, so near (pixels) to its place.
_UNEVEN, _NEAR = 1.7, 4


@dataclass(frozen=True, slots=True)
class OtherSide:
    """A page's ink, and that of its other side as it shines through, in shades darker than the paper."""

    page: Depth
    through: Depth

    @property
    def covered(self) -> Mask:
        """Where what is seen is the other side's ink."""
        reach = np.ones((2 * _NEAR + 1, 2 * _NEAR + 1), np.uint8)
        most = cv2.dilate(self.through, reach)
        own = self.page > np.maximum(_UNEVEN * most, _INK)
        # The edges of own ink are its own, however faint they are.
        beside = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return np.asarray((most >= _INK / 4) & ~beside)

    @property
    def own_ink(self) -> float:
        """Share of the page that is ink of its own."""
        return float(np.mean((self.page >= 2 * _INK) & ~self.covered))

    def without(self, picture: Image.Image) -> Image.Image:
        """Return a picture of the page with paper where the other side shines through."""
        seen = np.asarray(picture.convert("RGB"))
        small = np.asarray(picture.convert("RGB").resize((self.page.shape[1] // 4, self.page.shape[0] // 4)))
        paper = cv2.medianBlur(cv2.dilate(small, np.ones((9, 9), np.uint8)), 9)
        paper = cv2.resize(paper, picture.size, interpolation=cv2.INTER_LINEAR)
        mask = cv2.resize(self.covered.astype(np.uint8), picture.size, interpolation=cv2.INTER_NEAREST) > 0
        return Image.fromarray(np.where(mask[..., None], paper, seen))


class _Part(NamedTuple):
    """A part of the mirrored page and where it is seen: their middles in pixels, and how dark it is against it."""

    there: tuple[float, float]
    here: tuple[float, float]
    strength: float


def other_side(file: PdfFile, number: int, words: Sequence[Word]) -> OtherSide | None:
    """Return the other side of a recognised page, from 1, if it shines through; None if not.

    `words` are those that were recognised before anything was taken off: where all are dark, none is the other
    side's. Of a sheet scanned on both sides the pages follow each other. Raises DamagedDocumentError.
    """
    if file.page_count < 2 or not words:
        return None
    page = _depth(file.small(number, _LONGEST).grey)
    if all(_darkness(_cut(page, word.box)) >= _DARK for word in words):
        return None
    first = number + 1 if number % 2 else number - 1
    for neighbour in (first, 2 * number - first):
        if 1 <= neighbour <= file.page_count and (found := _laid_onto(page, file, neighbour)) is not None:
            return found
    return None


def _laid_onto(page: Depth, file: PdfFile, neighbour: int) -> OtherSide | None:
    other = _own(_depth(file.small(neighbour, _LONGEST).grey))
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
    """Return how alike both are where they fit best, and the mirrored one moved there."""
    height, width = faint.shape
    dx, dy = round(_ASIDE * width), round(_ASIDE * height)
    inner = faint[dy : height - dy, dx : width - dx]
    half: Any = {"dsize": None, "fx": 0.5, "fy": 0.5, "interpolation": cv2.INTER_AREA}
    alike, (x, y) = _best(cv2.resize(mirrored, **half), cv2.resize(inner, **half))
    return alike, _moved(mirrored, np.array([[1.0, 0.0, dx - 2 * x], [0.0, 1.0, dy - 2 * y]]))


def _turned(mirrored: Depth, parts: Sequence[_Part]) -> Depth:
    """Return the mirrored page turned and stretched so that its parts lie where they are seen: both are skewed."""
    there = np.array([part.there for part in parts], np.float32)
    here = np.array([part.here for part in parts], np.float32)
    matrix, _ = cv2.estimateAffine2D(there, here, ransacReprojThreshold=2.5)
    if matrix is None or np.abs(matrix[:, :2] - np.eye(2)).max() > _SKEW:
        return mirrored
    return _moved(mirrored, matrix)


def _alike_parts(faint: Depth, mirrored: Depth) -> Iterator[_Part]:
    """Yield the parts of a page's faint ink that are alike to what the mirrored page has there."""
    aside, high, wide = _PART_ASIDE, _PART_HEIGHT, _PART_WIDTH
    for y in range(aside, faint.shape[0] - high - aside, high):
        for x in range(aside, faint.shape[1] - wide - aside, wide):
            part = faint[y : y + high, x : x + wide]
            if np.mean(part >= _INK) < _WRITTEN:
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
    """Return the greatest correlation of a part with a window, and where it begins there."""
    if window.shape[0] < part.shape[0] or window.shape[1] < part.shape[1]:
        return 0.0, (0, 0)
    fits: Any = cv2.matchTemplate(window, part, cv2.TM_CCOEFF_NORMED)
    _, alike, _, (x, y) = cv2.minMaxLoc(np.nan_to_num(fits, posinf=0.0, neginf=0.0))
    return float(alike), (x, y)


def _depth(grey: NDArray[np.uint8]) -> Depth:
    """Return by how many shades each pixel is darker than the paper around it, blurred as ink is by paper."""
    paper = cv2.blur(cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((_PAPER, _PAPER), np.uint8)), (9, 9))
    return np.asarray(cv2.GaussianBlur(cv2.subtract(paper, grey).astype(np.float32), (0, 0), 1.0), np.float32)


def _own(depth: Depth) -> Depth:
    """Return the dark ink of a page: on it, too, the other side may shine through."""
    return np.where(depth < _SHINING * _darkest(depth), np.float32(0), depth)


def _faint(depth: Depth, darkest: float) -> Depth:
    """Return the ink that may shine through from a page with so dark ink: not the darker, and not its edges."""
    dark = cv2.dilate((depth >= _FAINTEST * darkest).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return np.where(dark | (depth < _INK / 2), np.float32(0), depth)


def _darkest(depth: Depth) -> float:
    ink = depth[depth >= _INK]
    return float(np.percentile(ink, 90)) if ink.size else 0.0


def _darkness(part: Depth) -> float:
    return float(np.percentile(part, 95)) if part.size else _DARK


def _cut(depth: Depth, box: Box) -> Depth:
    height, width = depth.shape
    rows = slice(max(int(box.y0 * height), 0), int(np.ceil(box.y1 * height)))
    return depth[rows, max(int(box.x0 * width), 0) : int(np.ceil(box.x1 * width))]

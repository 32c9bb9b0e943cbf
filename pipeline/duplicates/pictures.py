"""Whether two pictures of pages show one sheet, scanned or photographed twice."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

# A page is kept as a small straightened map of its ink. Two maps are aligned first: a form's print is the same on
# every sheet, so only what was written tells two sheets apart.


#: A map, packed; see `fingerprint`.
Fingerprint: TypeAlias = bytes
_Map: TypeAlias = NDArray[np.float32]

#: Dots per inch at which a page is drawn for its fingerprint, and most pages of an entry that get one.
DPI, PAGES = 60, 2
_WIDTH, _HEIGHT = 96, 124
_DRAWN = 480
#: Degrees by which a sheet may lie crooked.
_ANGLES = np.arange(-3.0, 3.01, 0.25)
#: Ink below which a page is blank, as a share of the darkest possible.
_BLANK = 0.004
#: Parts of a map that are compared, across and down; a part with less than this share of the most ink is left out.
_ACROSS, _DOWN, _FAINT = 3, 8, 0.3
#: Likeness of all parts together, and of their worst third, from which two pages are one sheet.
_ALL, _WORST = 0.925, 0.85
#: Difference of two greys (0-255) from which a dot counts as different, and most different dots of one drawing.
_OTHER_GREY, _FEW_DOTS = 64, 12
#: Evidence of one sheet. One such pair in a few hundred shows two sheets of a form with little writing.
_SAME_SHEET = 6.0


def fingerprint(page: Image.Image) -> Fingerprint | None:
    """Return the map of a page as it is displayed; None for a blank one."""
    grey = np.asarray(page.convert("L"))
    ink = _straight(_ink(grey))
    if float(ink.mean()) < _BLANK:
        return None
    cells = cv2.resize(ink, (_WIDTH, _HEIGHT), interpolation=cv2.INTER_AREA)
    # 16 levels, two a byte.
    levels = np.clip(cells * 32, 0, 15).astype(np.uint8).reshape(-1, 2)
    return zlib.compress((levels[:, 0] << 4 | levels[:, 1]).tobytes(), 9)


def picture_evidence(one: Sequence[Fingerprint], other: Sequence[Fingerprint]) -> float:
    """Return the logarithm of the likelihood ratio of two entries' pages.

    It is above 0 if every page that both have shows one sheet. Different pages are no evidence: a photo is bent,
    and a scan may be turned.
    """
    pages = list(zip(one, other, strict=False))
    return _SAME_SHEET if pages and all(same_sheet(left, right) for left, right in pages) else 0.0


def same_drawing(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pages drawn from PDFs, neither of them scanned, look exactly the same."""
    left, right = (np.asarray(page.convert("L")) for page in (one, other))
    if max(abs(a - b) for a, b in zip(left.shape, right.shape, strict=True)) > 2:
        return False
    height, width = (min(sides) for sides in zip(left.shape, right.shape, strict=True))
    apart = cv2.absdiff(left[:height, :width], right[:height, :width])
    return int(np.count_nonzero(apart > _OTHER_GREY)) <= _FEW_DOTS


def same_sheet(one: Fingerprint, other: Fingerprint) -> bool:
    worst, together = picture_likeness(one, other)
    return worst >= _WORST and together >= _ALL


def picture_likeness(one: Fingerprint, other: Fingerprint) -> tuple[float, float]:
    """Return the likeness (up to 1) of the worst third of the parts, and of all."""
    fixed, moved = _unpacked(one), _unpacked(other)
    moved = _laid_over(fixed, moved)
    left, right = _strokes(fixed), _strokes(moved)
    found, weights = [], []
    for down in range(_DOWN):
        for across in range(_ACROSS):
            rows = (down * _HEIGHT // _DOWN, (down + 1) * _HEIGHT // _DOWN)
            columns = (across * _WIDTH // _ACROSS, (across + 1) * _WIDTH // _ACROSS)
            like, weight = _alike(left, right, rows, columns)
            found.append(like)
            weights.append(weight)
    parts, inked = np.array(found), np.array(weights)
    if inked.max() <= 0:
        return 0.0, 0.0
    telling = np.sort(parts[inked > inked.max() * _FAINT])
    return float(telling[: max(1, len(telling) // 3)].mean()), float(np.average(parts, weights=inked))


def _ink(grey: NDArray[np.uint8]) -> _Map:
    """Return how dark each place is compared with the paper around it (0-1); the edges count as paper."""
    height, width = grey.shape
    small = cv2.resize(grey, (_DRAWN, max(32, round(height * _DRAWN / width))), interpolation=cv2.INTER_AREA)
    paper = cv2.GaussianBlur(cv2.dilate(small, np.ones((9, 9), np.uint8)), (0, 0), 9).astype(np.float32)
    ink: _Map = np.clip(1 - small.astype(np.float32) / np.maximum(paper, 1), 0, 1)
    edge = _DRAWN // 34
    ink[:edge], ink[-edge:], ink[:, :edge], ink[:, -edge:] = 0, 0, 0, 0
    return ink


def _straight(ink: _Map) -> _Map:
    """Return the page turned so that its lines lie level: rows of ink and rows of paper then differ most."""
    coarse = cv2.resize(ink, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    angle = max(_ANGLES, key=lambda one: float(np.square(np.diff(_turned(coarse, one).sum(axis=1))).sum()))
    return _turned(ink, float(angle))


def _turned(ink: Any, degrees: float) -> _Map:
    height, width = ink.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(degrees), 1)
    turned: _Map = np.asarray(cv2.warpAffine(ink, matrix, (width, height)), np.float32)
    return turned


def _unpacked(packed: Fingerprint) -> _Map:
    pairs = np.frombuffer(zlib.decompress(packed), np.uint8)
    return np.stack((pairs >> 4, pairs & 15), axis=1).reshape(_HEIGHT, _WIDTH).astype(np.float32)


def _laid_over(fixed: _Map, moved: _Map) -> _Map:
    """Return the second map moved, turned and stretched a little to fit the first as well as possible."""
    (right, down), _ = cv2.phaseCorrelate(_strokes(fixed), _strokes(moved))
    matrix: Any = np.array([[1, 0, np.clip(right, -6, 6)], [0, 1, np.clip(down, -6, 6)]], np.float32)
    # OpenCV raises if they have nothing in common to align.
    with suppress(cv2.error):
        _, matrix = cv2.findTransformECC(
            cv2.GaussianBlur(fixed, (0, 0), 1.5),
            cv2.GaussianBlur(moved, (0, 0), 1.5),
            matrix,
            cv2.MOTION_AFFINE,
            (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4),
        )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid: _Map = np.asarray(cv2.warpAffine(moved, matrix, (_WIDTH, _HEIGHT), flags=flags), np.float32)
    return laid


def _strokes(ink: _Map) -> _Map:
    """Return the map without what is dark over a wide area."""
    strokes: _Map = cv2.GaussianBlur(ink, (0, 0), 0.8) - cv2.GaussianBlur(ink, (0, 0), 4)
    return strokes


def _alike(left: _Map, right: _Map, rows: tuple[int, int], columns: tuple[int, int]) -> tuple[float, float]:
    """Return how alike a part of both maps is, up to two cells apart, and how much ink both have."""
    slack = 2
    top, bottom = max(rows[0], slack), min(rows[1], _HEIGHT - slack)
    begin, end = max(columns[0], slack), min(columns[1], _WIDTH - slack)
    part = np.ascontiguousarray(right[top:bottom, begin:end])
    around = np.ascontiguousarray(left[top - slack : bottom + slack, begin - slack : end + slack])
    weight = float(min(part.std(), left[top:bottom, begin:end].std()))
    if weight == 0:
        return 0.0, 0.0
    return float(cv2.matchTemplate(around, part, cv2.TM_CCOEFF_NORMED).max()), weight

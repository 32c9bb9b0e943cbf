"""Find the sheets on a page that was scanned or photographed with several on it.

Two copies of a form print the same: corners of letters and lines that look alike are found on both (ORB, Rublee et al.
2011), all at the same distance, turned and scaled alike (RANSAC, Fischler and Bolles 1981). Text that differs,
columns and lined paper have next to none of these.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.mupdf.file import PdfFile
from pipeline.mupdf.plain import Grey, Rect

#: Pixels of the longer side at which letters still have corners of their own.
_LONGEST = 1100
_CORNERS = 2000
#: Corners that two copies have in common; halves of ordinary pages have up to ten.
_LEAST_SAME = 40
#: Of a half in four by six cells, those that have such corners: one or two may be a logo.
_LEAST_CELLS = 3
#: Shares of a half by which its copy may be moved, and its bounds in size and turn (degrees).
_MOVED, _SCALED, _TURNED = 0.15, 1.2, 8.0
#: The gap lies in this part of the page; it is drawn to the middle by as much as this share of the page's ink.
_MIDDLE, _DRAWN = (0.4, 0.6), 2.0
#: Standing pages that are looked at in any case, and of more each of so many, until one has several sheets.
_FIRST, _EVERY = 6, 7
_LIES = 1.15


def pictured_sheets(file: PdfFile, numbers: list[int]) -> dict[int, list[Rect]]:
    """Return the places of the sheets, in points of the displayed page, of the pages that have several."""
    found: dict[int, list[Rect]] = {}
    left = []
    for place, number in enumerate(numbers):
        shape = file.shape(number)
        if shape.width > _LIES * shape.height or place < _FIRST or place % _EVERY == 0 or found:
            _keep(found, number, file)
        else:
            left.append(number)
    if found:
        for number in left:
            _keep(found, number, file)
    return found


def _keep(found: dict[int, list[Rect]], number: int, file: PdfFile) -> None:
    small = file.small(number, _LONGEST)
    width, height = small.shape.width, small.shape.height
    if places := parted(small.grey):
        found[number] = [(x0 * width, y0 * height, x1 * width, y1 * height) for x0, y0, x1, y1 in places]


def parted(grey: Grey) -> list[Rect]:
    """Return the sheets on a page in the order of reading, each 0-1 of the page; none where it is one."""
    corners, looks = cv2.ORB_create(_CORNERS, fastThreshold=12).detectAndCompute(np.ascontiguousarray(grey), None)
    if looks is None or len(corners) < 2 * _LEAST_SAME:
        return []
    at = np.array([corner.pt for corner in corners], np.float64) / (grey.shape[1], grey.shape[0])
    return _parted(grey, at, looks, (0.0, 0.0, 1.0, 1.0), 2)


def _parted(grey: Grey, at: NDArray[np.float64], looks: NDArray[Any], page: Rect, depth: int) -> list[Rect]:
    for across in (0, 1):
        start, length = page[across], page[across + 2] - page[across]
        inside = ((at >= page[:2]) & (at < page[2:])).all(axis=1)
        second = at[:, across] >= start + length / 2
        if not _same_print(grey, at, looks, page, across, inside & ~second, inside & second):
            continue
        halves = _halves(page, across, _gap(grey, page, across))
        if depth == 1:
            return halves
        return [sheet for half in halves for sheet in _parted(grey, at, looks, half, 1) or [half]]
    return []


def _same_print(
    grey: Grey,
    at: NDArray[np.float64],
    looks: NDArray[Any],
    page: Rect,
    across: int,
    first: NDArray[np.bool_],
    second: NDArray[np.bool_],
) -> bool:
    """Whether the print of the first half is found on the second."""
    if min(first.sum(), second.sum()) < _LEAST_SAME:
        return False
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(looks[first], looks[second])
    one = at[first][[pair.queryIdx for pair in pairs]]
    other = at[second][[pair.trainIdx for pair in pairs]]
    sides = np.array([page[2] - page[0], page[3] - page[1]])
    sides[across] /= 2
    step = np.zeros(2)
    step[across] = sides[across]
    near = (np.abs(other - one - step) < _MOVED * sides).all(axis=1)
    if near.sum() < _LEAST_SAME:
        return False
    pixels = np.array([grey.shape[1], grey.shape[0]], np.float64)
    cv2.setRNGSeed(1)
    change, fits = cv2.estimateAffinePartial2D(one[near] * pixels, other[near] * pixels, ransacReprojThreshold=3.0)
    if change is None or fits.sum() < _LEAST_SAME:
        return False
    scale, turn = np.hypot(change[0, 0], change[1, 0]), np.degrees(np.arctan2(change[1, 0], change[0, 0]))
    cells = {tuple(cell) for cell in ((one[near][fits.ravel() == 1] - page[:2]) / sides * (4, 6)).astype(int)}
    return bool(1 / _SCALED < scale < _SCALED and abs(turn) < _TURNED and len(cells) >= _LEAST_CELLS)


def _gap(grey: Grey, page: Rect, across: int) -> float:
    """Return where the page has the least ink near its middle."""
    height, width = grey.shape
    part = grey[round(page[1] * height) : round(page[3] * height), round(page[0] * width) : round(page[2] * width)]
    ink = np.abs(part.astype(np.float64) - np.median(part)).mean(axis=across)
    wide = max(3, len(ink) // 60)
    ink = np.convolve(ink, np.ones(wide) / wide, mode="same") / max(ink.mean(), 1e-6)
    places = np.arange(len(ink)) / len(ink)
    low, high = _MIDDLE
    costs = np.where((places > low) & (places < high), ink + _DRAWN * np.abs(places - 0.5), np.inf)
    return float(page[across] + places[int(costs.argmin())] * (page[across + 2] - page[across]))


def _halves(page: Rect, across: int, cut: float) -> list[Rect]:
    x0, y0, x1, y1 = page
    return [(x0, y0, cut, y1), (cut, y0, x1, y1)] if across == 0 else [(x0, y0, x1, cut), (x0, cut, x1, y1)]

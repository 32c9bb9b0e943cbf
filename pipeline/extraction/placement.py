"""Register a form profile with a page: find the map from points of the form to points of the page.

The printed texts found on the page are the anchors. A scan moves, rotates and scales the form as a whole, a photo
also tilts it, so one map must bring most anchors to their places. Where none does, the form was re-flowed, and
only the order of labels and values is reliable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pipeline.extraction.printed import FoundText, letters_of_print
from pipeline.pages.page_model import LETTER, Box
from pipeline.profiles import FormSpec, Printed, PrintedRole

#: An anchor this far (points) from its mapped place does not count as in place.
CLOSE = 9.0
#: The same on a page of text, where nothing was scanned askew.
EXACT = 5.0
#: Limits of difference between the two scales, and of shear: paper sizes differ, letter shapes do not.
UNEVEN, SHEAR = 0.03, 0.02
#: Most points by which the form may have moved.
MOVED = 70.0
#: Minimum anchors for a tilt, whose many unknowns would fit any few anchors.
TILTED = 8
#: Minimum anchors from which a form's layout can be determined.
FEWEST = 3
#: This many labels, all away from their places, are a re-flowed header, even if title and prompts are in place.
STRAYED = 2
#: Weights that regularise a fit toward a plain shift: of scales and shears, and of the shift.
_HOLD = np.diag([60.0, 60.0, 1e-6]) ** 2
_Matrix = NDArray[np.float64]
#: A matrix as plain numbers, which map single points faster.
_Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class Anchor:
    """One printed text of the profile at the place where it was found."""

    printed: Printed
    found: FoundText
    form: tuple[float, float]
    page: tuple[float, float]


@dataclass(slots=True)
class Placement:
    """A profile registered with a page."""

    profile: FormSpec
    #: Anchors that are at their mapped place.
    anchors: list[Anchor] = field(default_factory=list)
    #: Every anchor with a place on the form, stray ones included.
    seen: int = 0
    #: Number of labels among these.
    labels: int = 0
    #: Homogeneous matrix, from the form to the page.
    matrix: _Matrix = field(default_factory=lambda: np.eye(3))
    score: float = 0.0
    #: Whether the page was scanned or photographed.
    picture: bool = False
    #: Width and height of the upright page in points.
    size: tuple[float, float] = LETTER
    #: Cache: a matrix, its rows, and the rows of its inverse.
    _rows: tuple[_Matrix, _Rows, _Rows] | None = field(default=None, repr=False)

    @property
    def fixed(self) -> bool:
        """Whether the form keeps its layout on this page."""
        if len(self.anchors) < FEWEST or len(self.anchors) < 0.6 * self.seen:
            return False
        if not self.picture and self.labels >= STRAYED and not any(map(_is_label, self.anchors)):
            return False
        (sx, hx, _), (hy, sy, _) = self.matrix[0], self.matrix[1]
        return self.picture or bool(abs(sx - sy) <= UNEVEN and max(abs(hx), abs(hy)) <= SHEAR)

    def _both_ways(self) -> tuple[_Rows, _Rows]:
        """The map and its inverse, as plain numbers."""
        if self._rows is None or self._rows[0] is not self.matrix:
            self._rows = self.matrix, self.matrix.tolist(), np.linalg.inv(self.matrix).tolist()
        return self._rows[1], self._rows[2]

    def to_page(self, x: float, y: float) -> tuple[float, float]:
        """Map a point of the form to the page."""
        return _through(self._both_ways()[0], x, y)

    def box_to_form(self, box: Box) -> Box:
        """Map a box of the page to the form: the centre exactly, the size only by scale."""
        rows = self._both_ways()[1]
        x0, y0, x1, y1 = box
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        cx, cy = _through(rows, x, y)
        left, right = _through(rows, x0, y), _through(rows, x1, y)
        top, bottom = _through(rows, x, y0), _through(rows, x, y1)
        w, h = _apart(left, right) / 2, _apart(top, bottom) / 2
        return Box(cx - w, cy - h, cx + w, cy + h)

    def box_in_points(self, place: Box) -> Box:
        """Return a box of the upright page, given as a share of it (0-1), in points of the page."""
        (width, height), (x0, y0, x1, y1) = self.size, place
        return Box(x0 * width, y0 * height, x1 * width, y1 * height)

    def share_of_page(self, box: Box) -> Box:
        """Return a box of the form as a share of the upright page (0-1), as far as it is on the page."""
        (width, height), (x0, y0, x1, y1) = self.size, self.box_to_page(box)
        return Box(*(min(max(v, 0.0), 1.0) for v in (x0 / width, y0 / height, x1 / width, y1 / height)))

    def box_to_page(self, box: Box) -> Box:
        """Map a box of the form to the page."""
        corners = [self.to_page(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))


_Fit = Callable[[list[Anchor]], _Matrix]


def anchors_of(profile: FormSpec, found: dict[str, list[FoundText]]) -> list[list[Anchor]]:
    """Return the occurrences of each printed text that has a place (of its longest alias that was found)."""
    groups: list[list[Anchor]] = []
    for printed in profile.printed:
        if printed.at is None:
            continue
        for text in printed.texts:
            if places := found.get(text):
                whole = letters_of_print(printed.texts[0])
                before = max(whole.find(letters_of_print(text)), 0) / len(whole)
                groups.append([_anchor(printed, place, before) for place in places])
                break
    return groups


def _is_label(anchor: Anchor) -> bool:
    return anchor.printed.role is PrintedRole.LABEL


def _anchor(printed: Printed, place: FoundText, before: float) -> Anchor:
    assert printed.at is not None
    share = before + place.skipped * (1 - before)
    x = printed.at.x0 + share * printed.at.width
    return Anchor(printed, place, (x, printed.at.cy), (place.box.x0, place.box.cy))


def best_placement(
    profiles: Sequence[FormSpec],
    found: dict[str, list[FoundText]],
    picture: bool = False,
    size: tuple[float, float] = LETTER,
) -> Placement:
    """Return the placement of the best matching profile (the first of equals), with its score.

    `picture`: the page was scanned or photographed, so it may also be scaled, rotated and tilted. `size`: that of
    the upright page in points. Profiles whose highest possible score is below one already reached are skipped.
    """
    seen = [anchors_of(profile, found) for profile in profiles]
    highest = [_highest_score(profile, groups) for profile, groups in zip(profiles, seen, strict=True)]
    placed: dict[int, Placement] = {}
    best = -math.inf
    for n in sorted(range(len(profiles)), key=lambda n: highest[n], reverse=True):
        if highest[n] < best:
            break
        placed[n] = _placed(profiles[n], seen[n], picture, size)
        best = max(best, placed[n].score)
    return max((placed[n] for n in sorted(placed)), key=lambda placement: placement.score)


def _placed(profile: FormSpec, groups: list[list[Anchor]], picture: bool, size: tuple[float, float]) -> Placement:
    labels = sum(_is_label(group[0]) for group in groups)
    placement = Placement(profile, seen=len(groups), labels=labels, picture=picture, size=size)
    kept = _agreeing(groups)
    if picture and len(kept) < 0.8 * len(groups):
        kept = max(kept, _alike(groups), key=len)
    if kept:
        placement.matrix, placement.anchors = _settled(groups, kept, _affine, CLOSE if picture else EXACT)
        if picture and len(placement.anchors) < len(groups):
            _try_tilted(placement, groups)
    placement.score = _score(placement, groups)
    return placement


def _settled(
    groups: list[list[Anchor]], kept: list[Anchor], fit: _Fit, close: float
) -> tuple[_Matrix, list[Anchor]]:
    """Fit a map, drop outliers and fit again; at most three times, until the anchors stay the same."""
    matrix = fit(kept)
    for limit in (2.0 * close, close, close):
        near = _near(matrix, groups, limit)
        if not near:
            break
        # The same anchors would give the same fit.
        kept, matrix = near, matrix if near == kept else fit(near)
    return matrix, kept


def _try_tilted(placement: Placement, groups: list[list[Anchor]]) -> None:
    """Use a perspective map if it brings more anchors to their places."""
    loose = _near(placement.matrix, groups, 4.0 * CLOSE)
    if len(loose) < TILTED:
        return
    matrix, kept = _settled(groups, loose, _tilted, CLOSE)
    if len(kept) >= max(len(placement.anchors) + 1, TILTED):
        placement.matrix, placement.anchors = matrix, kept


def _alike(groups: list[list[Anchor]]) -> list[Anchor]:
    """Return the largest set of anchors that one rotation, scale and shift fits; every pair is tried."""
    firsts = [group[0] for group in groups]
    best: list[Anchor] = []
    for i, a in enumerate(firsts):
        for b in firsts[i + 1 :]:
            form, page = complex(*b.form) - complex(*a.form), complex(*b.page) - complex(*a.page)
            if abs(form) < 150.0:
                continue
            turn = page / form
            if not 0.5 < abs(turn) < 1.6 or abs(np.angle(turn)) > 0.3:
                continue
            shift = complex(*a.page) - turn * complex(*a.form)
            near = [x for x in firsts if abs(turn * complex(*x.form) + shift - complex(*x.page)) <= 3.0 * CLOSE]
            if len(near) > len(best):
                best = near
    return best


def _agreeing(groups: list[list[Anchor]]) -> list[Anchor]:
    """Return the largest set of anchors with the same shift; the shift of each anchor is tried."""
    best: list[Anchor] = []
    moves = [[(_move(a), a) for a in group] for group in groups]
    for move in {move for group in moves for move, _ in group}:
        if abs(move[0]) > MOVED or abs(move[1]) > MOVED:
            continue
        near = [min([(_apart(other, move), n) for n, (other, _) in enumerate(group)]) for group in moves]
        if sum(apart <= 24.0 for apart, _ in near) > len(best):
            best = [group[n][1] for group, (apart, n) in zip(moves, near, strict=True) if apart <= 24.0]
    return best


def _move(anchor: Anchor) -> tuple[float, float]:
    return anchor.page[0] - anchor.form[0], anchor.page[1] - anchor.form[1]


def _apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def _near(matrix: _Matrix, groups: list[list[Anchor]], limit: float) -> list[Anchor]:
    """Return the anchor of each group that is nearest to its mapped place, if within the limit."""
    rows = matrix.tolist()
    near = []
    for group in groups:
        apart, n = min([(_apart(_through(rows, *a.form), a.page), n) for n, a in enumerate(group)])
        if apart <= limit:
            near.append(group[n])
    return near


def _through(rows: _Rows, x: float, y: float) -> tuple[float, float]:
    (a, b, c), (d, e, f), (g, h, i) = rows
    w = g * x + h * y + i
    return (a * x + b * y + c) / w, (d * x + e * y + f) / w


def _affine(anchors: list[Anchor]) -> _Matrix:
    """Fit an affine map by least squares, regularised toward a plain shift for few anchors."""
    form = np.array([(*a.form, 1.0) for a in anchors])
    page = np.array([a.page for a in anchors])
    shift = [median(moves) for moves in zip(*map(_move, anchors), strict=True)]
    middle = form[:, :2].mean(axis=0)
    # Around the centre of the anchors, so that regularising the scale does not affect the shift.
    centred = form - (*middle, 0.0)
    start = np.array([[1.0, 0.0], [0.0, 1.0], middle + shift])
    delta = np.linalg.solve(centred.T @ centred + _HOLD, centred.T @ (page - centred @ start))
    matrix: _Matrix = np.eye(3)
    solved = (start + delta).T
    matrix[:2, :2] = solved[:, :2]
    matrix[:2, 2] = solved[:, 2] - solved[:, :2] @ middle
    return matrix


def _tilted(anchors: list[Anchor]) -> _Matrix:
    """Fit a homography by the direct linear transform, in units near 1 to keep it well-conditioned."""
    rows = []
    for a in anchors:
        (x, y), (u, v) = (np.array(a.form) - 300.0) / 300.0, (np.array(a.page) - 300.0) / 300.0
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    solved = np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3)
    scale = np.array([[300.0, 0, 300.0], [0, 300.0, 300.0], [0, 0, 1.0]])
    matrix: _Matrix = scale @ solved @ np.linalg.inv(scale)
    matrix /= matrix[2, 2]
    return matrix


_WEIGHT = {"title": 3.0, "label": 2.0, "reaction": 2.0, "prompt": 1.0, "option": 0.7, "limit": 0.7}
#: Bonus for a form that keeps its layout.
_FIXED = 1.0


def _score(placement: Placement, groups: list[list[Anchor]]) -> float:
    """Score the evidence for this profile: printed texts at their places, minus those that are missing."""
    inside = {id(a.printed) for a in placement.anchors}
    total = _FIXED if placement.fixed else 0.0
    # A re-flow keeps almost nothing in place; there the presence of a printed text counts for more.
    astray = 0.5 if placement.fixed else 0.7
    for printed, evidence in _evidence(placement.profile, groups):
        total += evidence if evidence < 0 or id(printed) in inside else astray * evidence
    return total


def _highest_score(profile: FormSpec, groups: list[list[Anchor]]) -> float:
    """Return an upper bound of `_score`: its value with every printed text that was found in place."""
    fixed = _FIXED if len(groups) >= FEWEST else 0.0
    return fixed + sum(evidence for _, evidence in _evidence(profile, groups)) + 1e-6


def _evidence(profile: FormSpec, groups: list[list[Anchor]]) -> Iterator[tuple[Printed, float]]:
    """Yield the evidence of each printed text with a place for the profile; negative where it is missing."""
    found = {id(group[0].printed): max(a.found.likeness for a in group) / 100 for group in groups}
    for printed in profile.printed:
        if printed.at is None:
            continue
        weight = _WEIGHT.get(printed.role, 0.5)
        likeness = found.get(id(printed), 0.0)
        if likeness and printed.role is PrintedRole.TITLE:
            # The titles of two years differ only in a digit or two.
            likeness = max(0.4, 1.0 - 10.0 * (1.0 - likeness))
        yield printed, weight * likeness if likeness else -0.25 * weight

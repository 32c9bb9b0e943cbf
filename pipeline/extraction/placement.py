"""Lays a form profile over a page: where on this page would each point of the form be?

The prints found on the page are anchors. A scan moves, turns and stretches the form as a whole, a photo also
tilts it, so one map must bring most anchors to their places; where none does, the form was re-flowed and only the
order of labels and values can be relied on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pipeline.extraction.printed import Found, letters_of_print
from pipeline.pages.page_model import Box
from pipeline.profiles import Printed, PrintedRole, Profile

#: An anchor this far (points) from where the map puts it is not where the form prints it.
CLOSE = 9.0
#: The same on a page of text, where nothing was scanned askew.
EXACT = 5.0
#: How much a print may differ in its two scales, and shear: paper sizes differ, letters do not.
UNEVEN, SHEAR = 0.03, 0.02
#: How far the form as a whole may have moved before its anchors are compared.
MOVED = 70.0
#: A tilt has so many unknowns that fewer anchors would fit anything.
TILTED = 8
#: With fewer anchors a form's layout cannot be told.
FEWEST = 3
#: The weight with which a fit is held near a plain shift: its scales and shears, its shift.
_HOLD = np.diag([60.0, 60.0, 1e-6]) ** 2
_Matrix = NDArray[np.float64]
#: The same as plain numbers: single points are mapped faster by them.
_Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class Anchor:
    """One print of the profile at the place it was found."""

    printed: Printed
    found: Found
    form: tuple[float, float]
    page: tuple[float, float]


@dataclass(slots=True)
class Placement:
    """A profile on a page."""

    profile: Profile
    #: Anchors that stand where the map says.
    anchors: list[Anchor] = field(default_factory=list)
    #: Every anchor with a place on the form, stray ones included.
    seen: int = 0
    #: Homogeneous, from the form to the page.
    matrix: _Matrix = field(default_factory=lambda: np.eye(3))
    score: float = 0.0
    #: Whether the page was scanned or photographed.
    picture: bool = False
    #: The matrix that they belong to, its rows, and those of its inverse.
    _rows: tuple[_Matrix, _Rows, _Rows] | None = field(default=None, repr=False)

    @property
    def fixed(self) -> bool:
        """Whether the form keeps its layout on this page."""
        if len(self.anchors) < FEWEST or len(self.anchors) < 0.6 * self.seen:
            return False
        (sx, hx, _), (hy, sy, _) = self.matrix[0], self.matrix[1]
        return self.picture or bool(abs(sx - sy) <= UNEVEN and max(abs(hx), abs(hy)) <= SHEAR)

    def _both_ways(self) -> tuple[_Rows, _Rows]:
        """The map and its inverse, as plain numbers."""
        if self._rows is None or self._rows[0] is not self.matrix:
            self._rows = self.matrix, self.matrix.tolist(), np.linalg.inv(self.matrix).tolist()
        return self._rows[1], self._rows[2]

    def to_page(self, x: float, y: float) -> tuple[float, float]:
        """A point of the form in points of the page."""
        return _through(self._both_ways()[0], x, y)

    def box_to_form(self, box: Box) -> Box:
        """A box of the page in points of the form: middle turned, size only scaled."""
        rows = self._both_ways()[1]
        x0, y0, x1, y1 = box
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        cx, cy = _through(rows, x, y)
        left, right = _through(rows, x0, y), _through(rows, x1, y)
        top, bottom = _through(rows, x, y0), _through(rows, x, y1)
        w, h = _apart(left, right) / 2, _apart(top, bottom) / 2
        return Box(cx - w, cy - h, cx + w, cy + h)

    def box_to_page(self, box: Box) -> Box:
        """A box of the form in points of the page."""
        corners = [self.to_page(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))


_Fit = Callable[[list[Anchor]], _Matrix]


def anchors_of(profile: Profile, found: dict[str, list[Found]]) -> list[list[Anchor]]:
    """For each print with a place, its likeliest occurrences (the longest alias that was found)."""
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


def _anchor(printed: Printed, place: Found, before: float) -> Anchor:
    assert printed.at is not None
    share = before + place.skipped * (1 - before)
    x = printed.at.x0 + share * printed.at.width
    return Anchor(printed, place, (x, printed.at.cy), (place.box.x0, place.box.cy))


def best_placement(profiles: Sequence[Profile], found: dict[str, list[Found]], picture: bool = False) -> Placement:
    """The map of the profile that the page fits best (the first of equals), and how well it fits.

    `picture`: the page was scanned or photographed, so that it may also be scaled, turned and tilted. Only those
    profiles are laid over the page that could score more than another one did.
    """
    seen = [anchors_of(profile, found) for profile in profiles]
    highest = [_highest_score(profile, groups) for profile, groups in zip(profiles, seen, strict=True)]
    placed: dict[int, Placement] = {}
    best = -math.inf
    for n in sorted(range(len(profiles)), key=lambda n: highest[n], reverse=True):
        if highest[n] < best:
            break
        placed[n] = _placed(profiles[n], seen[n], picture)
        best = max(best, placed[n].score)
    return max((placed[n] for n in sorted(placed)), key=lambda placement: placement.score)


def _placed(profile: Profile, groups: list[list[Anchor]], picture: bool) -> Placement:
    placement = Placement(profile, seen=len(groups), picture=picture)
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
    """Fit, drop what does not fit, fit again."""
    matrix = fit(kept)
    for limit in (2.0 * close, close, close):
        near = _near(matrix, groups, limit)
        if not near:
            break
        # The same anchors would be fitted alike.
        kept, matrix = near, matrix if near == kept else fit(near)
    return matrix, kept


def _try_tilted(placement: Placement, groups: list[list[Anchor]]) -> None:
    """A tilted page, if that brings more anchors to their places."""
    loose = _near(placement.matrix, groups, 4.0 * CLOSE)
    if len(loose) < TILTED:
        return
    matrix, kept = _settled(groups, loose, _tilted, CLOSE)
    if len(kept) >= max(len(placement.anchors) + 1, TILTED):
        placement.matrix, placement.anchors = matrix, kept


def _alike(groups: list[list[Anchor]]) -> list[Anchor]:
    """The largest set of anchors that one turn, scale and shift brings to their places: every pair is tried."""
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
    """The largest set of anchors moved alike: each anchor's move is tried as everybody's."""
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
    """Of each group the anchor nearest to where the map puts it, if it is within the limit."""
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
    """By least squares, held near a plain shift where the anchors are too few to tell."""
    form = np.array([(*a.form, 1.0) for a in anchors])
    page = np.array([a.page for a in anchors])
    shift = [median(moves) for moves in zip(*map(_move, anchors), strict=True)]
    middle = form[:, :2].mean(axis=0)
    # Around the middle of the anchors, so that holding the scale does not pull at the shift.
    centred = form - (*middle, 0.0)
    start = np.array([[1.0, 0.0], [0.0, 1.0], middle + shift])
    delta = np.linalg.solve(centred.T @ centred + _HOLD, centred.T @ (page - centred @ start))
    matrix: _Matrix = np.eye(3)
    solved = (start + delta).T
    matrix[:2, :2] = solved[:, :2]
    matrix[:2, 2] = solved[:, 2] - solved[:, :2] @ middle
    return matrix


def _tilted(anchors: list[Anchor]) -> _Matrix:
    """A plane seen at an angle: the direct linear transform, in units near 1 to keep it well-conditioned."""
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
#: A form in its own layout explains more than the same prints strewn about.
_FIXED = 1.0


def _score(placement: Placement, groups: list[list[Anchor]]) -> float:
    """Evidence for this profile: what stands in its place, less what it would print and the page does not."""
    inside = {id(a.printed) for a in placement.anchors}
    total = _FIXED if placement.fixed else 0.0
    # A re-flow keeps nearly nothing in its place; there it counts that the print is there at all.
    astray = 0.5 if placement.fixed else 0.7
    for printed, evidence in _evidence(placement.profile, groups):
        total += evidence if evidence < 0 or id(printed) in inside else astray * evidence
    return total


def _highest_score(profile: Profile, groups: list[list[Anchor]]) -> float:
    """What `_score` would be with every print in its place, and a little more than that."""
    fixed = _FIXED if len(groups) >= FEWEST else 0.0
    return fixed + sum(evidence for _, evidence in _evidence(profile, groups)) + 1e-6


def _evidence(profile: Profile, groups: list[list[Anchor]]) -> Iterator[tuple[Printed, float]]:
    """What each print with a place says for the profile when it stands there; below 0 where it is missing."""
    found = {id(group[0].printed): max(a.found.likeness for a in group) / 100 for group in groups}
    for printed in profile.printed:
        if printed.at is None:
            continue
        weight = _WEIGHT.get(printed.role, 0.5)
        likeness = found.get(id(printed), 0.0)
        if likeness and printed.role is PrintedRole.TITLE:
            # The titles of two years differ in a digit or two.
            likeness = max(0.4, 1.0 - 10.0 * (1.0 - likeness))
        yield printed, weight * likeness if likeness else -0.25 * weight

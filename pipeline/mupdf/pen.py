"""Pen strokes that a page draws as paths: Ink annotations, and handwriting that an app put into the page itself.

Rules, boxes, circles and filled shapes of a form are distinguished from strokes by their geometry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Any

from core.confined.mupdf import pymupdf
from pipeline.mupdf.library import grey_of
from pipeline.mupdf.page_data import Grey, Rect

Point = tuple[float, float]
#: Most paths of a page, and points of paths, that are examined: pages with more are drawings.
_MOST_PATHS, _MOST_POINTS = 3_000, 400_000
#: Paths thinner or lower than this (points) are rules; a picture of a path has its stroke's width around it.
_THIN = 1.1
#: Greatest height and width (points) of a stroke in the page's content: a letter, a word, a line in one stroke.
_HIGH, _WIDE = 60.0, 560.0
#: Greatest thickness (points) of a pen's stroke; thicker ones highlight or fill.
_THICK = 5.0
#: A path with fewer points is not writing by itself: a tick, the bar of a "t", an arrow.
_POINTS = 5
#: A filled path with fewer points is a shape.
_OUTLINE_POINTS = 12
#: A straight line longer than this (points) is a rule.
_SHORT = 20.0
#: Most curves that round the corners of a box.
_CORNERS = 8
#: Strokes with few points count if they are this near (points) to a pen's stroke.
_NEAR = 9.0
#: Greatest distance of points from an ellipse or a straight line, as a share of its size.
_OFF = 0.04
#: Colours lighter than this (0-1) are invisible on white paper.
_PALE = 0.93
#: Least opacity of a visible stroke.
_OPAQUE = 0.15
#: Annotations that are pen strokes, and those whose strokes are a symbol: a paper clip, a wavy line.
_INKED = (pymupdf.PDF_ANNOT_INK,)
_SIGNS = (
    pymupdf.PDF_ANNOT_TEXT,
    pymupdf.PDF_ANNOT_FILE_ATTACHMENT,
    pymupdf.PDF_ANNOT_SOUND,
    pymupdf.PDF_ANNOT_SQUIGGLY,
    pymupdf.PDF_ANNOT_CARET,
    pymupdf.PDF_ANNOT_STAMP,
)
#: Places of the paths of pages without pen strokes: all copies of a form have the same paths, and examining them
#: takes half as long as reading its words.
_WITHOUT: set[tuple[Rect, ...]] = set()
_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Path:
    """A path, or one stroke of it."""

    items: list[Any]
    points: list[Point]
    #: Width of its line in points; None if it is filled.
    width: float | None
    even_odd: bool

    @property
    def box(self) -> Rect:
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return min(xs), min(ys), max(xs), max(ys)


def pen_boxes(page: pymupdf.Page, vectors: Sequence[Rect]) -> list[Rect]:
    """Return the boxes of a page's pen strokes. `vectors` are the places of all of its paths."""
    placed = tuple(vectors)
    if len(placed) > _MOST_PATHS or placed in _WITHOUT or not any(_is_thick(rect) for rect in placed):
        return []
    boxes = [path.box for path in _pen_paths(page)]
    if not boxes:
        if len(_WITHOUT) >= _MOST_KEPT:
            _WITHOUT.clear()
        _WITHOUT.add(placed)
    return boxes


def draw_pen(page: pymupdf.Page, scale: float) -> Grey:
    """Draw the pen strokes of the displayed page, black on white, at `scale` pixels per point."""
    with pymupdf.open() as sheet:
        box = page.rect * page.derotation_matrix
        drawn = sheet.new_page(width=box.width, height=box.height)
        stream = sheet.get_new_xref()
        sheet.update_object(stream, "<<>>")
        sheet.update_stream(stream, _content(_pen_paths(page), box.height))
        drawn.set_contents(stream)
        drawn.set_rotation(page.rotation)
        return grey_of(drawn, scale)


def _is_thick(rect: Rect) -> bool:
    return rect[2] - rect[0] > _THIN and rect[3] - rect[1] > _THIN


def _pen_paths(page: pymupdf.Page) -> list[_Path]:
    inked, signs = _annotated(page, _INKED), _annotated(page, _SIGNS)
    sure: list[_Path] = []
    short: list[_Path] = []
    points = 0
    for path in _strokes(page.get_cdrawings()):
        points += len(path.points)
        if points > _MOST_POINTS:
            break
        if any(_holds(box, path.box) for box in signs):
            continue
        by_pen = any(_holds(box, path.box) for box in inked)
        if _is_perfect(path) if by_pen else _is_shape(path):
            continue
        if not _is_line(path) and (by_pen or _is_writing(path)):
            sure.append(path)
        elif path.width is not None and (by_pen or not _is_rule(path)):
            short.append(path)
    boxes = [path.box for path in sure]
    return sure + [path for path in short if any(_is_near(path.box, box) for box in boxes)]


def _annotated(page: pymupdf.Page, kinds: tuple[int, ...]) -> list[Rect]:
    return [tuple(annot.rect) for annot in page.annots(kinds)] if page.first_annot else []


def _strokes(drawings: Iterable[dict[str, Any]]) -> Iterator[_Path]:
    """Yield paths of a pen's width: each stroke of a stroked path, and entire filled paths."""
    for drawn in drawings:
        if drawn["type"] in ("s", "fs") and _is_seen(drawn.get("color"), drawn.get("stroke_opacity")):
            width = float(drawn.get("width") or 0.5)
            if width <= _THICK:
                yield from (_Path(items, _points(items), width, False) for items in _parted(drawn["items"]))
        elif drawn["type"] == "f" and _is_seen(drawn.get("fill"), drawn.get("fill_opacity")):
            yield _Path(drawn["items"], _points(drawn["items"]), None, bool(drawn.get("even_odd")))


def _is_seen(colour: Sequence[float] | None, opacity: float | None) -> bool:
    return bool(colour) and min(colour or (1.0,)) < _PALE and (opacity is None or opacity >= _OPAQUE)


def _parted(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Split a path into strokes: the pen was lifted if an item does not begin where the last one ended."""
    stroke: list[Any] = []
    for item in items:
        if stroke and (item[0] not in "lc" or stroke[-1][0] not in "lc" or stroke[-1][-1] != item[1]):
            yield stroke
            stroke = []
        stroke.append(item)
    if stroke:
        yield stroke


def _points(items: Sequence[Any]) -> list[Point]:
    """Return the points of a path: the ends of its lines and curves, the corners of its rectangles."""
    points: list[Point] = []
    for kind, *at in items:
        if kind in ("l", "c"):
            points += [at[0], at[-1]] if not points or points[-1] != at[0] else [at[-1]]
        elif kind == "re":
            x0, y0, x1, y1 = at[0]
            points += [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        else:
            (ul, ur, ll, lr) = at[0]
            points += [ul, ur, lr, ll]
    return points or [(0.0, 0.0)]


def _is_writing(path: _Path) -> bool:
    """Whether a path in the page's content is a stroke of handwriting, or its outline."""
    x0, y0, x1, y1 = path.box
    if y1 - y0 > _HIGH or x1 - x0 > _WIDE:
        return False
    if path.width is None:
        return len(path.points) >= _OUTLINE_POINTS and _thickness(path.points) <= _THICK
    return len(path.points) >= _POINTS and not _is_curve(path)


def _is_curve(path: _Path) -> bool:
    """Whether a path only advances to one side, like a chart's curve or a wavy line; handwriting goes back."""
    xs = [x for x, _ in path.points]
    steps = [after - before for before, after in pairwise(xs)]
    return all(step >= 0 for step in steps) or all(step <= 0 for step in steps)


def _is_line(path: _Path) -> bool:
    """Whether a path is nearly one straight line."""
    x0, y0, x1, y1 = path.box
    straight = min(x1 - x0, y1 - y0) <= _OFF * max(x1 - x0, y1 - y0)
    return len(path.points) <= 2 or (straight and len(path.points) <= _POINTS)


def _is_rule(path: _Path) -> bool:
    """Whether a path is a straight line to write on."""
    x0, y0, x1, y1 = path.box
    return _is_line(path) and (max(x1 - x0, y1 - y0) > _SHORT or x0 == x1 or y0 == y1)


def _is_shape(path: _Path) -> bool:
    """Whether a path is a box with straight or round corners, another polygon or an ellipse."""
    x0, y0, x1, y1 = path.box
    if any(item[0] in ("re", "qu") for item in path.items):
        return True
    lines = [item for item in path.items if item[0] == "l"]
    upright = all(a[0] == b[0] or a[1] == b[1] for _, a, b in lines)
    if len(lines) > 1 and upright and len(path.items) - len(lines) <= _CORNERS:
        return True
    if _apart(path.points[0], path.points[-1]) > _OFF * max(x1 - x0, y1 - y0):
        return False
    return _is_ellipse(path) or len(lines) == len(path.items) < _OUTLINE_POINTS


def _is_perfect(path: _Path) -> bool:
    """Whether a path is an exact ellipse or box, which no pen draws."""
    return all(item[0] != "l" for item in path.items) and (
        path.items[0][0] in ("re", "qu") or (len(path.items) <= _CORNERS and _is_ellipse(path))
    )


def _is_ellipse(path: _Path) -> bool:
    x0, y0, x1, y1 = path.box
    half_width, half_height = (x1 - x0) / 2 or 1.0, (y1 - y0) / 2 or 1.0
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    return all(
        abs(hypot((x - middle_x) / half_width, (y - middle_y) / half_height) - 1) <= _OFF for x, y in path.points
    )


def _thickness(points: Sequence[Point]) -> float:
    """Return the mean thickness of a long outline: twice its area divided by its length."""
    ring = [*points, points[0]]
    area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(ring))) / 2
    length = sum(_apart(a, b) for a, b in pairwise(ring))
    return 2 * area / length if length else 0.0


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _holds(box: Rect, inner: Rect) -> bool:
    return box[0] - 1 <= inner[0] and box[1] - 1 <= inner[1] and inner[2] <= box[2] + 1 and inner[3] <= box[3] + 1


def _is_near(box: Rect, other: Rect) -> bool:
    return (
        box[0] - _NEAR <= other[2]
        and other[0] - _NEAR <= box[2]
        and box[1] - _NEAR <= other[3]
        and other[1] - _NEAR <= box[3]
    )


def _content(paths: Iterable[_Path], height: float) -> bytes:
    """Return a content stream (PDF 32000-1, 8.5) that draws the paths in black; y counts from the top."""
    lines = [f"1 0 0 -1 0 {height:.3f} cm 1 J 1 j"]
    for path in paths:
        at: Point | None = None
        if path.width is not None:
            lines.append(f"{max(path.width, 0.5):.3f} w")
        for kind, *ends in path.items:
            if kind not in ("l", "c"):
                continue
            if ends[0] != at:
                lines.append(f"{ends[0][0]:.3f} {ends[0][1]:.3f} m")
            lines.append(f"{' '.join(f'{x:.3f} {y:.3f}' for x, y in ends[1:])} {kind}")
            at = ends[-1]
        lines.append("S" if path.width is not None else "f*" if path.even_odd else "f")
    return "\n".join(lines).encode()

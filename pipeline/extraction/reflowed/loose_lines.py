"""Lines of a re-flowed header that follow no label of their own cell: whose values they are, by their place.

A value may stand behind its label after a wide space, in a cell of its own beside the label's, or under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.extraction.page_reading import PrintAt
from pipeline.extraction.reflowed.cell_lines import lines_in, top_of
from pipeline.extraction.tokens import Line, box_of
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind

#: Cells whose left edges are this near (points) are one column.
_COLUMN = 6.0
#: A value is at most so many heights behind its label, and under it.
_BEHIND, _UNDER = 6.0, 2.5
#: Space (heights) behind a label after which a value may belong to another column.
_NEAR = 3.5
_CONTACTS = (FieldKind.EMAIL, FieldKind.PHONE)


@dataclass(slots=True)
class Loose:
    """A line that follows no label of its cell."""

    line: Line
    #: Its cell's number among the lines of the page, its left edge, and how far its column reaches (points).
    number: int
    edge: float
    right: float


@dataclass(slots=True, eq=False)
class Label:
    """A label and the lines of its value."""

    at: PrintAt
    name: str
    kind: FieldKind
    #: Left edge of its cell, in points.
    edge: float
    #: Its last line.
    end: Box
    #: Lines after it in its own cell, and lines elsewhere.
    inside: list[Line] = field(default_factory=list)
    beside: list[Line] = field(default_factory=list)
    #: Whether its value may have been put together across columns.
    torn: bool = False

    @classmethod
    def of(cls, at: PrintAt, name: str, kind: FieldKind, cell: Line) -> Label:
        """Return a label found in a cell."""
        return cls(at, name, kind, cell[0].box.x0, box_of(lines_in(at.found.tokens)[-1]))


def in_order(label: Label) -> list[Line]:
    """Return the lines of a label's value from the top."""
    return sorted((*label.inside, *label.beside), key=top_of)


def place_loose(loose: Sequence[Loose], labels: Sequence[Label]) -> list[Loose]:
    """Give each line to the label whose value it is; return those that are no label's."""
    left: list[Loose] = []
    apart = _apart(loose, labels)
    for item in sorted(loose, key=lambda item: top_of(item.line)):
        if label := (_beside(item, labels) if apart else None) or _behind(item, labels) or _above(item, labels):
            label.beside.append(item.line)
        else:
            left.append(item)
    return left


def _apart(loose: Sequence[Loose], labels: Sequence[Label]) -> bool:
    """Whether the header has columns of labels only, and columns of values only, beside them."""
    edges = [label.edge for label in labels]
    return (
        not any(label.inside for label in labels)
        and any(not _shares(item.edge, edges) for item in loose)
        and len(labels) > 1
    )


def _shares(edge: float, edges: Sequence[float]) -> bool:
    return any(abs(edge - other) <= _COLUMN for other in edges)


def _behind(item: Loose, labels: Sequence[Label]) -> Label | None:
    """Return the label that ends on the same line, at its left, if nothing but a wide space is between."""
    box = box_of(item.line)
    if _shares(box.x0, [label.edge for label in labels]):
        return None
    near = [
        label
        for label in labels
        if abs(label.end.cy - box.cy) <= 0.4 * max(label.end.height, box.height)
        and -2.0 <= box.x0 - label.end.x1 <= _BEHIND * box.height
    ]
    label = max(near, key=lambda label: label.end.x1, default=None)
    if label is None or any(box_of(line).cy < box.cy + 1.0 for line in label.inside):
        return None
    label.torn = label.torn or box.x0 - label.end.x1 > _NEAR * box.height
    return label


def _beside(item: Loose, labels: Sequence[Label]) -> Label | None:
    """Return the label whose row of a table the line is in: the last one at its left that does not begin below."""
    box = box_of(item.line)
    if _shares(item.edge, [label.edge for label in labels]):
        return None
    left = [label for label in labels if label.at.found.box.x1 <= box.x0 + 2.0]
    if not left:
        return None
    column = max(label.edge for label in left)
    rows = [label for label in left if abs(label.edge - column) <= _COLUMN and label.at.found.box.y0 <= box.cy]
    return max(rows, key=lambda label: label.at.found.box.y0, default=None)


def _above(item: Loose, labels: Sequence[Label]) -> Label | None:
    """Return the label right above the line that has no value yet."""
    box = box_of(item.line)
    over = [
        label
        for label in labels
        if not label.inside
        and (not label.beside or label.beside[-1] is item.line)
        and 0 < box.cy - label.end.cy <= _UNDER * box.height
        and abs(label.at.found.box.x0 - box.x0) <= 60.0
    ]
    return max(over, key=lambda label: label.end.cy, default=None)

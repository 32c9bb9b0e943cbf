"""Order of lines by position on the page, not by order in the file."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.pages.page_model import Box

#: Lines that share more than this part of the lesser height are in one row.
_SAME_ROW = 0.5


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """Return the indices of the boxes row by row from the top, each row from the left."""
    rows: list[tuple[float, float, list[int]]] = []
    for index in sorted(range(len(boxes)), key=lambda i: (boxes[i].cy, boxes[i].x0)):
        box = boxes[index]
        if rows and _overlap(rows[-1][0], rows[-1][1], box) > _SAME_ROW:
            rows[-1][2].append(index)
        else:
            rows.append((box.y0, box.y1, [index]))
    return [index for _, _, row in rows for index in sorted(row, key=lambda i: boxes[i].x0)]


def _overlap(top: float, bottom: float, box: Box) -> float:
    """Shared height over the lower of the two heights."""
    lower = min(bottom - top, box.height)
    return (min(bottom, box.y1) - max(top, box.y0)) / lower if lower > 0 else 0.0

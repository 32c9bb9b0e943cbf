"""Check where a value was read: the overlap of its evidence with the true box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scripts.regression.prediction import Box, Seen

#: Intersection over union from which a place counts as right.
ENOUGH = 0.5


def overlap(name: str, truth: Mapping[str, Any], seen: Seen | None) -> float | None:
    """Intersection over union with the label's box, 0-1; None where the label holds no box.

    The pieces of a value on the true page count together; those on other pages (an essay that goes on) do not.
    """
    place = truth.get("boxes", {}).get(name)
    if place is None:
        return None
    page, true = place
    pieces = [box for number, box in seen.places if number == page] if seen else []
    return _iou(tuple(true), around(pieces)) if pieces else 0.0


def around(boxes: list[Box]) -> Box:
    """The smallest box around all of them; there is at least one."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _iou(a: Box, b: Box) -> float:
    common = _area((max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])))
    either = _area(a) + _area(b) - common
    return common / either if either > 0 else 0.0


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])

"""Lines of a picture that lies askew, as they would lie on a straight one: for their order alone.

Recognition needs no straight picture: each line is cut out along its own slope.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from pipeline.ocr_providers.base import RecognisedLine
from pipeline.pages.page_model import Box

#: Lines this much longer than high say how the page lies; a lone "1" says nothing.
_LONG = 4.0


def skew_of(lines: Sequence[RecognisedLine]) -> float:
    """Degrees, clockwise, by which the lines of a picture fall."""
    return median([line.slope for line in lines if line.aspect >= _LONG] or [0.0])


def straightened(lines: Sequence[RecognisedLine], ratio: float) -> list[Box]:
    """A box for each line in the straight picture; `ratio` is width over height."""
    radians = math.radians(skew_of(lines))
    sine, cosine = math.sin(radians), math.cos(radians)
    return [_straight(line, ratio, sine, cosine) for line in lines]


def _straight(line: RecognisedLine, ratio: float, sine: float, cosine: float) -> Box:
    boxes = [word.box for word in line.words]
    first, last = boxes[0], boxes[-1]
    x, y = (first.x0 + last.x1) / 2 * ratio, (first.cy + last.cy) / 2
    across, down = (x * cosine + y * sine) / ratio, y * cosine - x * sine
    wide = (last.x1 - first.x0) / cosine
    high = min(box.height for box in boxes)
    return Box(across - wide / 2, down - high / 2, across + wide / 2, down + high / 2)

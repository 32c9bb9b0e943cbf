"""Watermarks in the text layer: words across the page that say something of the copy, not of its content.

Slanted text is one where it is faint, larger than the page's type, or repeated; level text where it is faint, and
large beneath other words or repeated over the page.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from pipeline.mupdf.plain import Rect, TextLine

#: Text runs aslant that is so many degrees off the page's own lines, and off those across them.
_ASLANT = 5.0
#: Times the size of the page's type.
_LARGE, _HUGE = 1.5, 2.0
#: With this share of the letters of slanted lines, those along the page's edges are its own.
_SOME = 0.2
#: How often a text is repeated, aslant and level.
_TWICE, _TILED = 2, 3
#: Words of one watermark. More are a text.
_MOST_WORDS = 6


def watermarks(lines: Sequence[TextLine]) -> set[int]:
    """Return the indices of the lines that are watermarks."""
    aslant = [n for n, line in enumerate(lines) if line.direction not in _STRAIGHT]
    faint = [n for n, line in enumerate(lines) if _is_faint(line)]
    if not aslant and not faint:
        return set()
    usual = _usual_direction(lines)
    size = _usual_size(lines)
    found = _slanted([n for n in aslant if _off(lines[n].direction, usual) > _ASLANT], lines, size)
    return found | _level([n for n in faint if n not in found], lines, size)


#: Directions of most lines; others are looked at more closely.
_STRAIGHT = ((1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (-1.0, 0.0))


def _is_faint(line: TextLine) -> bool:
    return all(span.faint for span in line.spans if not span.blank)


def _degrees(direction: tuple[float, float]) -> float:
    return math.degrees(math.atan2(direction[1], direction[0]))


def _usual_direction(lines: Sequence[TextLine]) -> float:
    """Return the direction (degrees) of the page's own lines: along its edges, unless nearly all run otherwise.

    Repeated texts count once: tiles may have more letters than the page.
    """
    letters: Counter[int] = Counter()
    for said, degrees in {(_said(line), round(_degrees(line.direction))) for line in lines}:
        along = abs((degrees + 45.0) % 90.0 - 45.0) <= _ASLANT
        letters[0 if along else degrees] += len(said)
    usual, most = letters.most_common(1)[0]
    tiled = Counter(_said(line) for line in lines).most_common(1)[0][1] > len(lines) / 3
    return 0.0 if tiled or letters[0] >= _SOME * most else float(usual)


def _off(direction: tuple[float, float], usual: float) -> float:
    """Return the angle (degrees, 0-45) between a direction and the nearest of the page's lines and columns."""
    return abs((_degrees(direction) - usual + 45.0) % 90.0 - 45.0)


def _size(line: TextLine) -> float:
    return max(span.size for span in line.spans)


def _usual_size(lines: Sequence[TextLine]) -> float:
    sizes = [
        _size(line) for line in lines if not _is_faint(line) and line.direction in _STRAIGHT for _ in line.words
    ]
    return median(sizes) if sizes else 0.0


def _said(line: TextLine) -> str:
    return "".join(c for word in line.words for c in word[4].casefold() if c.isalnum())


def _slanted(aslant: Sequence[int], lines: Sequence[TextLine], usual: float) -> set[int]:
    """Return the slanted lines whose kind of type is a watermark's: tiles at the page's edges are cut."""
    kinds: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number in aslant:
        kinds[round(_degrees(lines[number].direction)), round(_size(lines[number]))].append(number)
    found: set[int] = set()
    for numbers in kinds.values():
        said = Counter(_said(lines[number]) for number in numbers)
        repeated = max(said.values()) >= _TWICE
        large = usual == 0.0 or _size(lines[numbers[0]]) >= _LARGE * usual
        short = all(len(lines[number].words) <= _MOST_WORDS for number in numbers)
        if repeated or all(_is_faint(lines[number]) for number in numbers) or (large and short):
            found.update(numbers)
    return found


def _level(faint: Sequence[int], lines: Sequence[TextLine], usual: float) -> set[int]:
    """Return the faint lines that are repeated all over the page, or lie large beneath other words."""
    said = Counter(text for number in faint if len(text := _said(lines[number])) > 1)
    strong = [line for line in lines if not _is_faint(line)]
    return {
        number
        for number in faint
        if said[_said(lines[number])] >= _TILED
        or (
            usual > 0.0
            and _size(lines[number]) >= _HUGE * usual
            and len(lines[number].words) <= _MOST_WORDS
            and _lies_beneath(lines[number], strong)
        )
    }


def _lies_beneath(line: TextLine, others: Sequence[TextLine]) -> bool:
    boxes = [word[:4] for word in line.words]
    return any(_meet(box, word[:4]) for other in others for word in other.words for box in boxes)


def _meet(a: Rect, b: Rect) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])

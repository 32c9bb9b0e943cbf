"""Words that are drawn again at nearly the same place, which makes type look bold or gives it a shadow. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.mupdf.plain import TextLine

#: Share of the size of the type, by which copies are apart at most; nobody sets two words so near.
_APART = 0.2
#: Points that copies are apart at most, however large the type is.
_MOST_APART = 6.0
#: Share of a line's height by which a line over it is above or below it at most.
_OVER = 0.5
#: Letters by their width in usual faces, in sizes of the type; the share of a text's width that half of it has at
#: most.
_THIN, _BROAD = frozenset("iIíljtfr.,:;'!|1-()[]"), frozenset("mwMW@%")
_NARROW, _USUAL, _WIDE = 0.28, 0.55, 0.85
_HALF_WIDE = 0.66
#: Different words of a page that read so, at least: in a narrow face one ("papa") may.
_LEAST_TWICE = 2
#: Pairs of lines of a page that are compared at most; a page with more may have any.
_MOST_PAIRS = 5_000


def any_over_another(lines: Sequence[TextLine]) -> bool:
    """Whether a line of a page is drawn over another one. Type that is drawn again begins a line of its own."""
    boxes = sorted(_box(line) for line in lines)
    pairs = 0
    for n, (top, left, bottom, right) in enumerate(boxes):
        for above in range(n - 1, -1, -1):
            other_top, other_left, _, other_right = boxes[above]
            if top - other_top > _OVER * (bottom - top):
                break
            pairs += 1
            if (left < other_right and other_left < right) or pairs > _MOST_PAIRS:
                return True
    return False


def _box(line: TextLine) -> tuple[float, float, float, float]:
    """Return top, left, bottom and right of a line, from its first word to its last one."""
    (x0, y0, x1, y1, _), (x2, y2, x3, y3, _) = line.words[0], line.words[-1]
    return min(y0, y2), min(x0, x2), max(y1, y3), max(x1, x3)


def any_twice(lines: Sequence[TextLine]) -> bool:
    """Whether words of a page read as if they were drawn again at once, see `once`."""
    found: set[str] = set()
    for line in lines:
        for word in line.words:
            text = word[4]
            # Hardly any word reads as two of a kind, so that hardly any is measured.
            if _half(text) and once(text, along(line, word), line.spans[0].size) != text:
                found.add(text)
    return len(found) >= _LEAST_TWICE


def along(line: TextLine, word: tuple[float, float, float, float, str]) -> float:
    """Return how long a word is in the direction of its line, in points."""
    x0, y0, x1, y1, _ = word
    return x1 - x0 if abs(line.direction[0]) >= abs(line.direction[1]) else y1 - y0


def once(text: str, width: float, size: float) -> str:
    """Return a word that is as wide as half of its letters as that half: a short word that is drawn again at once
    reads as one word, "inin" or "iinn".

    `width` and `size` (of the type) in points.
    """
    half = _half(text)
    return half if half and width <= _HALF_WIDE * _usual_width(text) * size else text


def _half(text: str) -> str:
    """Return what a text holds twice, as a whole ("inin") or letter by letter ("iinn"); "" where it does not."""
    middle, odd = divmod(len(text), 2)
    if odd or not text or text[0] not in (text[1], text[middle]):
        return ""
    if text[:middle] == text[middle:]:
        return text[:middle]
    return text[::2] if text[::2] == text[1::2] else ""


def _usual_width(text: str) -> float:
    """Return about how wide a text is in a usual face, in sizes of its type."""
    return sum(_NARROW if c in _THIN else _WIDE if c in _BROAD else _USUAL for c in text)


class Drawn:
    """The words of a page that were seen so far."""

    def __init__(self, width: float, height: float) -> None:
        """Width and height of the page in points."""
        self._width, self._height = width, height
        #: Where each word begins, in points, by its text and the row of the page that the place is in.
        self._places: dict[str, dict[int, list[tuple[float, float]]]] = {}

    def is_again(self, text: str, left: float, top: float, size: float) -> bool:
        """Whether the word was seen at nearly this place, given as 0-1 of the page; `size` in points."""
        x, y = left * self._width, top * self._height
        row = int(y // _MOST_APART)
        rows = self._places.get(text)
        if rows is None:
            self._places[text] = {row: [(x, y)]}
            return False
        apart = min(_APART * size, _MOST_APART)
        for near in (row - 1, row, row + 1):
            for x0, y0 in rows.get(near, ()):
                if abs(x - x0) < apart and abs(y - y0) < apart:
                    return True
        rows.setdefault(row, []).append((x, y))
        return False

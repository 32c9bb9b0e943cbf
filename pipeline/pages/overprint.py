"""Words that are drawn again at nearly the same place, which makes type look bold or gives it a shadow. Pure."""

from __future__ import annotations

from collections.abc import Sequence

#: Share of the size of the type, by which copies are apart at most; nobody sets two words so near.
_APART = 0.2
#: Points that copies are apart at most, however large the type is.
_MOST_APART = 6.0


class Drawn:
    """The words of a page that were seen so far."""

    def __init__(self, width: float, height: float) -> None:
        """Width and height of the page in points."""
        self._width, self._height = width, height
        #: Where each word begins, in points, by its text and the cell that the place is in.
        self._places: dict[tuple[str, int, int], list[tuple[float, float]]] = {}
        self._texts: set[str] = set()

    def is_again(self, text: str, box: Sequence[float], size: float) -> bool:
        """Whether the word was seen at nearly this place; `box` as 0-1 of the page, `size` in points."""
        x, y = box[0] * self._width, box[1] * self._height
        column, row = int(x // _MOST_APART), int(y // _MOST_APART)
        if text in self._texts:
            apart = min(_APART * size, _MOST_APART)
            near = (self._places.get((text, column + i, row + j), ()) for i in (-1, 0, 1) for j in (-1, 0, 1))
            if any(abs(x - x0) < apart and abs(y - y0) < apart for places in near for x0, y0 in places):
                return True
        self._texts.add(text)
        self._places.setdefault((text, column, row), []).append((x, y))
        return False

"""What programs print in a page's margins, which is no content: page numbers, a browser's lines, line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median

from pipeline.pages.page_model import Word

#: Margins above and below (points) that browsers print into, and that page numbers stand in.
_BROWSER, _NUMBER = 38.0, 62.0
#: Words of a margin. More are a page that is printed to its edges.
_MOST = 60
#: Line numbers of a page, at least.
_LINES = 5
#: How much the steps between line numbers differ at most, as a share of one.
_UNEVEN = 0.25

_ADDRESS = re.compile(r"^(?:https?://|about:|file://|www\.)\S+|^\S+\.(?:com|org|net|edu|gov)/\S+", re.IGNORECASE)
_OF_PAGES = re.compile(r"^(?:p(?:age|ágina|ág|g)?\.?\s*)?(\d{1,3})\s*(?:/|of|de)\s*(\d{1,3})$", re.IGNORECASE)
_TIME = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?\s?m\.?)?(?=\W|$)", re.IGNORECASE)
_DATE = re.compile(
    r"\b\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b[^\W\d]{3,10}\.? \d{1,2},? \d{4}\b|\b\d{1,2} [^\W\d]{3,10} \d{4}\b"
)
_PAGE_NUMBER = re.compile(
    r"^[-–—|\[(~\s]*(?:p(?:age|ágina|ág|g)?\.?\s*)?\d{1,3}(?:\s*(?:/|of|de)\s*\d{1,3})?[-–—|\])~\s]*$",
    re.IGNORECASE,
)
_SAYS_PAGE = re.compile(r"^\W*p(?:age|ágina|ág|g)\b|\d\s*(?:/|of|de)\s*\d", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,3}")


def without_margins(words: list[Word], height: float) -> list[Word]:
    """Return the words of an upright page without what programs print in its margins.

    `height`: of the page in points. The words are returned as they are where there is nothing of the kind.
    """
    top = [word for word in words if word.box.cy * height <= _NUMBER]
    foot = [word for word in words if (1 - word.box.cy) * height <= _NUMBER]
    dropped: set[int] = set()
    for margin, at_top in ((top, True), (foot, False)):
        if 0 < len(margin) <= _MOST:
            dropped |= _printed(margin, height, at_top)
    dropped |= _line_numbers(words)
    return [word for word in words if id(word) not in dropped] if dropped else words


def _printed(margin: Sequence[Word], height: float, at_top: bool) -> set[int]:
    """Return the words of a margin that are a browser's, or a page number that stands alone."""
    rows = _rows(margin)
    found: set[int] = set()
    for row in rows:
        edge = row[0].box.cy * height if at_top else (1 - row[0].box.cy) * height
        if (edge <= _BROWSER and _is_browsers(row)) or _is_page_number(row, rows, at_top):
            found.update(map(id, row))
    return found


def _rows(words: Iterable[Word]) -> list[list[Word]]:
    """Return words by height on the page, each row from the left."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.box.cy):
        if rows and word.box.cy - rows[-1][-1].box.cy < 0.4 * word.box.height:
            rows[-1].append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda word: word.box.x0) for row in rows]


def _pieces(row: Sequence[Word]) -> list[str]:
    """Return the texts of the lines that lie in a row."""
    lines = sorted(row, key=lambda word: (word.line, word.box.x0))
    return [" ".join(word.text for word in line) for _, line in groupby(lines, attrgetter("line"))]


def _is_browsers(row: Sequence[Word]) -> bool:
    """Whether one of the pieces of a row is an address, a page of pages, or a date with the time of day."""
    pieces = _pieces(row)
    whole = " ".join(word.text for word in row)
    return (
        any(_ADDRESS.match(piece) or _is_of_pages(piece) for piece in pieces)
        or bool(_ADDRESS.search(row[0].text) or _is_of_pages(row[-1].text))
        or bool(_TIME.search(whole) and _DATE.search(whole))
    )


def _is_of_pages(text: str) -> bool:
    hit = _OF_PAGES.match(text)
    return hit is not None and 0 < int(hit[1]) <= int(hit[2])


def _is_page_number(row: Sequence[Word], rows: Sequence[Sequence[Word]], at_top: bool) -> bool:
    """Whether a row is a page number and nothing else.

    A bare number at the top, among other rows, may be the grade of a header.
    """
    text = " ".join(word.text for word in row)
    if not _PAGE_NUMBER.match(text):
        return False
    outermost = row is (rows[0] if at_top else rows[-1])
    return outermost and (bool(_SAYS_PAGE.search(text)) or not at_top or len(rows) == 1)


def _line_numbers(words: Sequence[Word]) -> set[int]:
    """Return the numbers that count the lines of a page in its left or right margin."""
    numbers = [word for word in words if _NUMBERED.fullmatch(word.text)]
    if len(numbers) < _LINES:
        return set()
    others = [word for word in words if not _NUMBERED.fullmatch(word.text)]
    if not others:
        return set()
    left, right = min(word.box.x0 for word in others), max(word.box.x1 for word in others)
    for side in (
        [word for word in numbers if word.box.x1 < left],
        [word for word in numbers if word.box.x0 > right],
    ):
        if _count_lines(side):
            return set(map(id, side))
    return set()


def _count_lines(numbers: Sequence[Word]) -> bool:
    """Whether numbers rise by the same step from line to line, at even distances."""
    column = sorted(numbers, key=lambda word: word.box.cy)
    if len(column) < _LINES:
        return False
    steps = {int(below.text) - int(above.text) for above, below in pairwise(column)}
    apart = [below.box.cy - above.box.cy for above, below in pairwise(column)]
    usual = median(apart)
    even = sum(abs(one - usual) <= _UNEVEN * usual for one in apart)
    return len(steps) == 1 and steps <= {1, 2, 5, 10} and even >= 0.7 * len(apart)

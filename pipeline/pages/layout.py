"""The layout of a page's text: print in the margins, and initials set over several lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median

from pipeline.pages.page_model import Box, Word

# Print in the margins that is not content: page numbers, running titles, a browser's lines, line numbers.


#: Upper and lower margins (points) of a browser's lines, and of page numbers.
_BROWSER, _NUMBER = 38.0, 62.0
#: Most words of a margin. A page with more is printed to its edges.
_MOST = 60
#: Most words of a running title, and its least distance (heights) from the text.
_TITLE, _APART = 12, 0.6
#: Most words of a page's header.
_HEADER_WORDS = 20
#: Least line numbers of a page: for every line, and for each fifth or tenth.
_LINES, _FEW_LINES = 5, 3
#: Step of sparse line numbers, and least words of a line next to them.
_STEP, _FULL = 5, 5
#: Greatest difference between the steps of line numbers, as a share of a step.
_UNEVEN = 0.25

_ADDRESS = re.compile(r"^(?:https?://|about:|file://|www\.)\S+|^\S+\.(?:com|org|net|edu|gov)/\S+", re.IGNORECASE)
_OF_PAGES = re.compile(r"^(?:p(?:age|ágina|ág|g)?\.?\s*)?(\d{1,3})\s*(?:/|of|de)\s*(\d{1,3})$", re.IGNORECASE)
_TIME = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?\s?m\.?)?(?=\W|$)", re.IGNORECASE)
_DATE = re.compile(
    r"\b\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b[^\W\d]{3,10}\.? \d{1,2},? \d{4}\b|\b\d{1,2} [^\W\d]{3,10} \d{4}\b"
    r"|\b[^\W\d]{3,10}[-. ]\d{1,2}[-. ]\d{2,4}\b|\b\d{1,2}-[^\W\d]{3,10}-\d{2,4}\b"
)
_PAGE_NUMBER = re.compile(
    r"^[-–—|\[(~\s]*(?:p(?:age|ágina|ág|g)?\.?\s*)?\d{1,3}(?:\s*(?:/|of|de)\s*\d{1,3})?[-–—|\])~\s]*$",
    re.IGNORECASE,
)
_SAYS_PAGE = re.compile(r"^\W*p(?:age|ágina|ág|g)\b|\d\s*(?:/|of|de)\s*\d", re.IGNORECASE)
_RUNNING = re.compile(
    r"(?:\bp(?:age|ágina|ág|g)?\.?\s*|[-–—|,·•]\s*|\s)(\d{1,3})\W*$|^\W*(\d{1,3})\s*[-–—|·•]\s*\S", re.IGNORECASE
)
#: Text next to a number that makes it certainly a page number.
_WITH_PAGE = re.compile(r"\bp(?:age|ágina|ág|g|gs)?\b\.?\s*\d{1,3}\W*$", re.IGNORECASE)
#: Words that come with a number.
_COUNTED = re.compile(
    r"\b(?:grade|grado|gr|room|rm|salon|salón|ps|school|escuela|period|class|age|district|phone|tel)\b|[@#]|\d{3}",
    re.IGNORECASE,
)
_DIGITS = "0123456789"
_NUMBERED = re.compile(r"\d{1,3}")


def without_margins(words: list[Word], height: float) -> list[Word]:
    """Return the words of an upright page without what programs print in its margins.

    `height`: of the page in points. Without such print the words are returned unchanged.
    """
    edge = 2 * _NUMBER / height
    top = [word for word in words if word.box[1] + word.box[3] <= edge]
    foot = [word for word in words if word.box[1] + word.box[3] >= 2 - edge]
    dropped: set[int] = set()
    for margin, at_top in ((top, True), (foot, False)):
        if 0 < len(margin) <= _MOST:
            dropped |= _printed(margin, height, at_top)
            rest = [word for word in margin if id(word) not in dropped]
            dropped |= _running_title(rest, words, at_top) if rest else set()
    dropped |= _line_numbers(words)
    return [word for word in words if id(word) not in dropped] if dropped else words


def without_edges(words: list[Word], height: float) -> list[Word]:
    """Return the recognised words of an upright page without lines of browsers and fax machines at its edges."""
    edge = 2 * _BROWSER / height
    dropped: set[int] = set()
    for margin in (
        [word for word in words if word.box[1] + word.box[3] <= edge],
        [word for word in words if word.box[1] + word.box[3] >= 2 - edge],
    ):
        dropped.update(id(word) for row in _rows(margin) if _is_browsers(row) for word in row)
    return [word for word in words if id(word) not in dropped] if dropped else words


def _printed(margin: Sequence[Word], height: float, at_top: bool) -> set[int]:
    """Return the words of a margin that are a browser's, or a lone page number."""
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
    """Return the texts of the lines in a row."""
    lines = sorted(row, key=lambda word: (word.line, word.box.x0))
    return [" ".join(word.text for word in line) for _, line in groupby(lines, attrgetter("line"))]


def _is_browsers(row: Sequence[Word]) -> bool:
    """Whether one of the pieces of a row is an address, "page 1 of 2", or a date with a time."""
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
    """Whether a row is only a page number.

    A bare number at the top, among other rows, may be the grade of a header.
    """
    text = " ".join(word.text for word in row)
    if not _PAGE_NUMBER.match(text):
        return False
    outermost = row is (rows[0] if at_top else rows[-1])
    return outermost and (bool(_SAYS_PAGE.search(text)) or not at_top or len(rows) == 1)


def _running_title(margin: Sequence[Word], words: Sequence[Word], at_top: bool) -> set[int]:
    """Return the words of a running title with its page number, apart from the text of the page."""
    rows = _rows(margin)
    row = rows[0] if at_top else rows[-1]
    own = set(map(id, row))
    others = [word for word in words if id(word) not in own]
    text = " ".join(word.text for word in row)
    hit = _RUNNING.search(text)
    if hit is None or not 1 < len(row) <= _TITLE or text.endswith((".", "!", "?")) or not _lies_apart(row, others):
        return set()
    if _WITH_PAGE.search(text):
        return own
    counted = _COUNTED.search(text[: hit.start(1)] if hit[1] else text)
    return set() if counted or (at_top and not _may_be_pages(int(hit[1] or hit[2]), row, others)) else own


def _lies_apart(row: Sequence[Word], others: Sequence[Word]) -> bool:
    top, bottom = min(word.box.y0 for word in row), max(word.box.y1 for word in row)
    nearest = min((max(word.box.y0 - bottom, top - word.box.y1) for word in others), default=0.0)
    return nearest >= _APART * median(word.box.height for word in row)


def _may_be_pages(number: int, row: Sequence[Word], others: Sequence[Word]) -> bool:
    """Whether a number at the top of a page is a page number: "Maria Lopez 4" may be a name and a grade.

    It is one after a sign or after a surname only; on the first page, if the surname occurs again.
    """
    if len(row) != 2:
        return number > 1 and not any(c.isalnum() for c in row[-2].text)
    surname = row[0].text.strip(",.")
    return number > 1 or any(word.text.strip(",.") == surname for word in others[:_HEADER_WORDS])


def _line_numbers(words: Sequence[Word]) -> set[int]:
    """Return the line numbers in the left or right margin of a page."""
    numbers = [word for word in words if word.text[0] in _DIGITS and _NUMBERED.fullmatch(word.text)]
    others = [word for word in words if not _NUMBERED.fullmatch(word.text)]
    if not numbers or not others:
        return set()
    left, right = min(word.box.x0 for word in others), max(word.box.x1 for word in others)
    for side in (
        [word for word in numbers if word.box.x1 < left],
        [word for word in numbers if word.box.x0 > right],
    ):
        if _count_lines(side) or (0 < len(side) < _FEW_LINES and _counts_these(side, others)):
            return set(map(id, side))
    return set()


def _counts_these(numbers: Sequence[Word], others: Sequence[Word]) -> bool:
    """Whether a few numbers, each a multiple of five, are next to full lines that they may count.

    A short essay has only a few. A grade at the end of a header's line is too high on the page for that.
    """
    rows = _rows(others)
    for number in numbers:
        beside = [row for row in rows if abs(row[0].box.cy - number.box.cy) < number.box.height]
        above = sum(row[0].box.cy < number.box.cy + number.box.height / 2 for row in rows)
        told = int(number.text)
        if told % _STEP or not 0 < told <= above or not any(_is_full(row) for row in beside):
            return False
    column = sorted(numbers, key=lambda word: word.box.cy)
    return all(int(below.text) - int(above.text) == _STEP for above, below in pairwise(column))


def _is_full(row: Sequence[Word]) -> bool:
    return len(row) >= _FULL and not any(word.text.endswith(":") for word in row)


def _count_lines(numbers: Sequence[Word]) -> bool:
    """Whether numbers rise by the same step from line to line, at even distances."""
    column = sorted(numbers, key=lambda word: word.box.cy)
    if len(column) < _FEW_LINES:
        return False
    steps = {int(below.text) - int(above.text) for above, below in pairwise(column)}
    apart = [below.box.cy - above.box.cy for above, below in pairwise(column)]
    usual = median(apart)
    even = sum(abs(one - usual) <= _UNEVEN * usual for one in apart)
    if len(steps) != 1 or even < 0.7 * len(apart):
        return False
    return steps <= {5, 10} or (steps <= {1, 2} and len(column) >= _LINES)


# Initials set over several lines (drop caps) or raised above their line: each belongs to a word.
#
# The initial is a separate line in the file, with a box several lines high; the rest of its word begins the line
# at its right ("M" and "y dad drives").


#: Least height of an initial, as a multiple of the page's type and of the line that it belongs to.
_HIGHER = 1.7
#: Space between the initial and the rest of its word, in sizes of the page's type.
_NEAR = 1.6
#: Most characters of an initial with the marks before it.
_SIGNS = 3
#: Letters that are a word by themselves, in English or Spanish.
_WORDS = frozenset("IAYOEU")
#: Words after such a letter ("I was", "A man", "Y el"), besides strings that end no English or Spanish word.
_FOLLOW = """
    am was have had do did love will would can could know think feel want like see said saw went live
    remember wish hope always never still just also used call really once man boy girl father dad good great
    few lot big day year time person hero true family real long little small grandfather grandpa stepdad mi
    el la los las mis su un una yo lo le me no que si en cuando papá papa padre
"""


def with_joined_initials(words: list[Word], height: float) -> list[Word]:
    """Return the words with each initial joined to its word, or placed before it if it is itself a word.

    `height`: of the page in points. Without initials the words are returned unchanged.
    """
    initials = [
        word for word in words if len(word.text) <= _SIGNS and word.text[-1].isupper() and _is_letter(word.text)
    ]
    usual = median(word.size for word in words) if initials else 0.0
    initials = [word for word in initials if usual > 0 and word.size >= _HIGHER * usual]
    if not initials or len(initials) > len(words) / 10:
        return words
    found = list(words)
    for initial in initials:
        first = _first_word(initial, found, usual / height)
        if first is not None:
            at = found.index(first)
            found[at : at + 1] = _together(initial, first)
            found.remove(initial)
    return found


def _is_letter(text: str) -> bool:
    letters = [c for c in text if c.isalnum()]
    return len(letters) == 1 and letters[0].isupper() and text[-1] == letters[0]


def _first_word(initial: Word, words: Sequence[Word], size: float) -> Word | None:
    """Return the first word of the uppermost line at the right of an initial.

    `size`: of the page's type, as a share of the page's height.
    """
    beside = [
        word
        for word in _beginnings(word for word in words if word is not initial)
        if initial.box.y0 - 0.5 * size <= word.box.cy <= initial.box.y1
        and word.size * _HIGHER <= initial.size
        and -0.5 * size <= word.box.x0 - initial.box.x1 <= _NEAR * size
    ]
    return min(beside, key=lambda word: word.box.cy, default=None)


def _beginnings(words: Iterable[Word]) -> list[Word]:
    """Return the first word of each line, from the left."""
    first: dict[int, Word] = {}
    for word in words:
        if word.line not in first or word.box.x0 < first[word.line].box.x0:
            first[word.line] = word
    return list(first.values())


def _together(initial: Word, rest: Word) -> list[Word]:
    letter, box = initial.text, rest.box
    if _is_own_word(letter[-1], rest.text):
        alone = Box(initial.box.x0, box.y0, min(initial.box.x1, box.x0), box.y1)
        return [rest._replace(text=letter, box=alone), rest]
    whole = Box(min(initial.box.x0, box.x0), box.y0, box.x1, box.y1)
    return [rest._replace(text=letter + rest.text, box=whole)]


def _is_own_word(letter: str, rest: str) -> bool:
    """Whether an initial is a word, so that a space belongs after it."""
    bare = rest.strip(".,;:!?")
    if rest[:1].isupper() and bare[1:].islower():
        return True
    return letter in _WORDS and bare.casefold() in _FOLLOW.split()

"""Whether a page holds the same form twice, and whether two prints are copies of one form."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.mupdf.page_data import Rect

# Recognise copies of a form by their print: the same words at the same places, with other words between them.
#
# The meaning of the words is not used. Two filled copies have several spots with different words, each between
# common words; two pages of one text have at most a common head or foot.


#: A line of more words is text; only this many of its first letters are kept.
_LONG_LINE, _LETTERS = 10, 24
#: Most words of a form's page.
MOST_WORDS = 400
#: Greatest distance (points) between the places of one word, on pages of text and on scans.
_NEAR, _NEAR_SCANNED = 4.0, 9.0
#: A label that ends in a colon may be farther down (points) if a value above it takes more lines.
_LOWER = 60.0
#: Least letters of common print between two spots; fewer are chance.
_LEAST_LETTERS = 4
#: Spots that make two copies certain, or likely, and least runs of common print if one of them is hardly filled.
_SURE, _LIKELY, _LEAST_RUNS = 3, 2, 3
#: Most words of a value; hardly similar copies must both have one.
_VALUE = 10
#: Letters of a single run of common print that suffice for a doubt, such as class and date below a name.
_HEAD = 16
#: Least words of the text of each of two forms on one page; the fields for two parents have no texts.
_TEXT = 20
#: Most occurrences of a label on a page, and space (heights of a word) before a label that follows a value.
_MOST_SAME, _GAP = 6, 1.5
#: Limits of a scanned copy's size and slope relative to another, and least common words to determine them.
_SCALED, _SLOPE, _LEAST_TELLING = 1.6, 0.14, 4
#: Most common words that are tried for that.
_MOST_TELLING = 60
#: Pairs of pages whose result is cached: a long file is split again as its pages arrive.
_RECENT = 4096
#: Likeness from which two recognised words are the same.
_ALIKE = 0.75


class WordAt(NamedTuple):
    """A word and its place on the displayed page, in points."""

    text: str
    rect: Rect


class PlacedText(NamedTuple):
    """A word, or the beginning of a line of text, and its starting point, in points."""

    text: str
    x: int
    y: int


class Copy(StrEnum):
    """The relation of a page to an earlier one."""

    NONE = "none"
    #: Another copy of the same form, with other values.
    SURE = "sure"
    LIKELY = "likely"
    #: A copy with nothing filled in.
    UNFILLED = "unfilled"
    #: A filled copy of an unfilled page.
    FILLED = "filled"


def word_rows(words: Iterable[WordAt]) -> Iterator[list[WordAt]]:
    """Yield the words in rows from the top, each from the left."""
    row: list[WordAt] = []
    first = 0.0
    for word in sorted(words, key=_from_above):
        _, y0, _, y1 = word.rect
        middle = (y0 + y1) / 2
        if row and middle - first >= 0.4 * max(y1 - y0, 1.0):
            yield sorted(row, key=_from_left)
            row = []
        if not row:
            first = middle
        row.append(word)
    if row:
        yield sorted(row, key=_from_left)


def _from_above(word: WordAt) -> tuple[float, float]:
    x0, y0, _, y1 = word.rect
    return (y0 + y1) / 2, x0


def _from_left(word: WordAt) -> float:
    return word.rect[0]


def _middle(word: WordAt) -> float:
    return (word.rect[1] + word.rect[3]) / 2


def print_of(words: Iterable[WordAt]) -> tuple[PlacedText, ...]:
    """Return the texts of a page that are compared, in the order of reading; none for too many words."""
    found = tuple(printed for row in word_rows(words) for printed in _of_row(row))
    return found if len(found) <= MOST_WORDS else ()


def _of_row(row: Sequence[WordAt]) -> Iterator[PlacedText]:
    if len(row) <= _LONG_LINE or any(colon in word.text for word in row for colon in ":："):
        for word in row:
            yield from _pieces(word)
    elif letters := _letters_of("".join(word.text for word in row[:_LONG_LINE]))[:_LETTERS]:
        yield PlacedText(letters, round(row[0].rect[0]), round(_middle(row[0])))


def _pieces(word: WordAt) -> Iterator[PlacedText]:
    """Yield the parts of a word that end in a colon, and the rest, each as its letters and digits."""
    x0, _, x1, _ = word.rect
    for part in re.finditer(r"[^:：]+[:：]?", word.text):
        if letters := _letters_of(part.group()):
            x = x0 + (x1 - x0) * part.start() / len(word.text)
            colon = ":" if part.group()[-1] in ":：" else ""
            yield PlacedText(letters + colon, round(x), round(_middle(word)))


def _letters_of(text: str) -> str:
    return text.casefold() if text.isalnum() else re.sub(r"[\W_]+", "", text.casefold())


@lru_cache(_RECENT)
def compare_printed(one: tuple[PlacedText, ...], other: tuple[PlacedText, ...], scanned: bool) -> Copy:
    """Return the relation of `other` to `one`. `scanned`: one of them was recognised and may lie askew."""
    if len({word.text for word in one} & {word.text for word in other}) < _LIKELY:
        return Copy.NONE
    return _judged(*_fillings(one, other, scanned))


def holds_two(words: Sequence[WordAt], scanned: bool) -> bool:
    """Whether a form is on a page twice, anywhere, each with a text."""
    return any(_are_two(words, step, scanned) for step in _steps(words))


def _steps(words: Sequence[WordAt]) -> list[_Step]:
    """Return the distances of possible labels to their repetitions, the most common distance first."""
    begun: dict[str, list[WordAt]] = defaultdict(list)
    for word in _begins(words):
        if len(text := _letters_of(word.text)) >= _LEAST_LETTERS:
            begun[text].append(word)
    if sum(len(same) > 1 for same in begun.values()) < _LEAST_RUNS:
        return []
    steps = [
        _Step(text, b.rect[0] - a.rect[0], b.rect[1] - a.rect[1], b.rect)
        for text, same in begun.items()
        if 1 < len(same) <= _MOST_SAME
        for a, b in combinations(same, 2)
    ]
    votes = {step: [other for other in steps if step.is_as_far(other)] for step in steps if step.is_far}
    ordered = sorted(votes.values(), key=lambda like: -len({step.text for step in like}))
    found = [like for like in ordered if len({step.text for step in like}) >= _LEAST_RUNS]
    return [min(like, key=lambda step: step.second[step.across]) for like in found[:1]]


class _Step(NamedTuple):
    """The way from a word to its repetition."""

    text: str
    dx: float
    dy: float
    second: Rect

    @property
    def across(self) -> int:
        return int(abs(self.dy) > abs(self.dx))

    @property
    def is_far(self) -> bool:
        return max(abs(self.dx), abs(self.dy)) >= _LOWER

    def is_as_far(self, other: _Step) -> bool:
        return max(abs(self.dx - other.dx), abs(self.dy - other.dy)) <= _NEAR_SCANNED


def _begins(words: Iterable[WordAt]) -> Iterator[WordAt]:
    """Yield the words that begin a row or follow a gap."""
    for row in word_rows(words):
        yield row[0]
        for before, word in pairwise(row):
            if word.rect[0] - before.rect[2] > _GAP * (word.rect[3] - word.rect[1]):
                yield word


def _are_two(words: Sequence[WordAt], step: _Step, scanned: bool) -> bool:
    cut = step.second[step.across] - _NEAR
    first = print_of(word for word in words if word.rect[step.across] < cut)
    second = print_of(word for word in words if word.rect[step.across] >= cut)
    moved = tuple(word._replace(x=round(word.x - step.dx), y=round(word.y - step.dy)) for word in second)
    fillings = _fillings(first, moved, scanned)
    is_copy = _judged(*fillings) in (Copy.SURE, Copy.LIKELY)
    return is_copy and min(max(filling.spots, default=0) for filling in fillings) >= _TEXT


def _fillings(one: Sequence[PlacedText], other: Sequence[PlacedText], scanned: bool) -> tuple[_Filling, _Filling]:
    ours, theirs = (_in_common_scanned if scanned else _in_common)(one, other)
    return _Filling.of(one, ours), _Filling.of(other, theirs)


class _Filling(NamedTuple):
    """The words between the common print of a page."""

    #: Words of each spot with letters, in order of the page.
    spots: list[int]
    #: Number of spots with digits only, such as a year or a page number.
    numbers: int
    #: Number of runs of common print, and their letters.
    runs: int
    letters: int
    #: Whether all of its words are common.
    is_empty: bool

    @classmethod
    def of(cls, words: Sequence[PlacedText], common: set[int]) -> _Filling:
        runs = [
            (is_common, [words[at].text for at in run])
            for is_common, run in groupby(range(len(words)), key=lambda at: at in common)
        ]
        printed = [texts for is_common, texts in runs if is_common and _is_print(texts)]
        letters = sum(len(text) for texts in printed for text in texts)
        spots: list[int] = []
        numbers, within = 0, False
        for is_common, texts in runs:
            if is_common and _is_print(texts):
                within = False
            elif any(c.isalpha() for text in texts for c in text):
                count = sum(_LONG_LINE if len(text) == _LETTERS else 1 for text in texts)
                spots = [*spots[:-1], spots[-1] + count] if within else [*spots, count]
                within = True
            else:
                numbers += not is_common
        return cls(spots, numbers, len(printed), letters, len(common) == len(words))


def _is_print(texts: Sequence[str]) -> bool:
    """Whether a run of common words is too long for chance; a Chinese letter counts more than a Latin one."""
    return sum(2 if c > "\u2e80" else 1 for text in texts for c in text) >= _LEAST_LETTERS


def _judged(one: _Filling, other: _Filling) -> Copy:
    least, most = sorted((len(one.spots), len(other.spots)))
    if most >= _SURE and max(one.runs, other.runs) >= _LEAST_RUNS:
        if other.is_empty:
            return Copy.UNFILLED
        if one.is_empty:
            return Copy.FILLED
        return Copy.SURE if least >= _SURE else Copy.LIKELY
    has_value = max(min(one.spots, default=_VALUE + 1), min(other.spots, default=_VALUE + 1)) <= _VALUE
    least = min(len(filling.spots) + filling.numbers for filling in (one, other))
    is_print = min(one.runs, other.runs) >= _LIKELY or min(one.letters, other.letters) >= _HEAD
    return Copy.LIKELY if least >= _LIKELY and is_print and has_value else Copy.NONE


def _in_common(one: Sequence[PlacedText], other: Sequence[PlacedText]) -> tuple[set[int], set[int]]:
    """Return the indices of the common words in each of them; all of `other` may be shifted."""
    by_text = defaultdict(list)
    other = _moved_over(one, other)
    for at, word in enumerate(other):
        by_text[word.text].append(at)
    ours: set[int] = set()
    theirs: set[int] = set()
    for here, word in enumerate(one):
        for there in by_text.get(word.text, ()):
            if there not in theirs and _is_same_place(word, other[there]):
                ours.add(here)
                theirs.add(there)
                break
    return ours, theirs


def _moved_over(one: Sequence[PlacedText], other: Sequence[PlacedText]) -> Sequence[PlacedText]:
    """Return `other` shifted to fit most common words: a sheet cut from a larger one may begin anywhere."""
    here, there = _telling(one), _telling(other)
    moves = np.array([here[text] - there[text] for text in here if text in there][:_MOST_TELLING])
    if len(moves) < _LEAST_TELLING:
        return other
    like = (np.abs(moves[:, None] - moves[None, :]) <= _NEAR).sum(axis=1)
    unmoved = int((np.abs(moves) <= _NEAR).sum())
    if like.max() < _LEAST_TELLING or like.max() <= unmoved:
        return other
    move = moves[int(like.argmax())]
    dx, dy = round(move.real), round(move.imag)
    return [word._replace(x=word.x + dx, y=word.y + dy) for word in other]


def _is_same_place(word: PlacedText, copy: PlacedText) -> bool:
    across, down = abs(copy.x - word.x), abs(copy.y - word.y)
    if across <= _NEAR and down <= _NEAR:
        return True
    return word.text.endswith(":") and (down <= _NEAR or (across <= _NEAR and down <= _LOWER))


def _in_common_scanned(one: Sequence[PlacedText], other: Sequence[PlacedText]) -> tuple[set[int], set[int]]:
    """Like `_in_common`, for pages that lie differently and whose words may be misread."""
    laid = _laid_over(one, other)
    if laid is None:
        return set(), set()
    ours: set[int] = set()
    theirs: set[int] = set()
    places = _places(one)
    for there, at in enumerate(laid):
        away = np.abs(places - at)
        near = np.maximum(away.real, away.imag) <= _NEAR_SCANNED
        for here in np.flatnonzero(near):
            if here not in ours and _is_alike(one[int(here)].text, other[there].text):
                ours.add(int(here))
                theirs.add(there)
                break
    return ours, theirs


def _places(words: Sequence[PlacedText]) -> NDArray[np.complex128]:
    return np.array([complex(word.x, word.y) for word in words])


def _laid_over(one: Sequence[PlacedText], other: Sequence[PlacedText]) -> NDArray[np.complex128] | None:
    """Return the places of the words of `other`, moved, turned and scaled to fit most common words."""
    here, there = _telling(one), _telling(other)
    texts = [text for text in here if text in there][:_MOST_TELLING]
    if len(texts) < _LEAST_TELLING:
        return None
    to = np.array([here[text] for text in texts])
    begin = np.array([there[text] for text in texts])
    steps = begin[:, None] - begin[None, :]
    far = np.abs(steps) > 2 * _NEAR_SCANNED
    turns = np.where(far, (to[:, None] - to[None, :]) / np.where(far, steps, 1), 0)
    sound = far & (np.abs(turns) < _SCALED) & (np.abs(turns) > 1 / _SCALED) & (np.abs(np.angle(turns)) < _SLOPE)
    best, most = None, _LEAST_TELLING - 1
    for a, b in np.argwhere(np.triu(sound)):
        turn = turns[a, b]
        move = to[a] - turn * begin[a]
        away = np.abs(turn * begin + move - to)
        count = int((away <= _NEAR_SCANNED).sum())
        if count > most:
            best, most = (turn, move), count
    return best[0] * _places(other) + best[1] if best else None


def _telling(words: Sequence[PlacedText]) -> dict[str, complex]:
    """Return the places of the words that occur once on a page, in page order."""
    counts: dict[str, int] = defaultdict(int)
    for word in words:
        counts[word.text] += 1
    return {
        word.text: complex(word.x, word.y)
        for word in words
        if counts[word.text] == 1 and len(word.text) >= _LEAST_LETTERS - 1
    }


def _is_alike(text: str, copy: str) -> bool:
    if text == copy or min(len(text), len(copy)) < _LEAST_LETTERS:
        return text == copy
    return SequenceMatcher(None, text, copy, autojunk=False).ratio() >= _ALIKE

"""Initials set over several lines (drop caps) or standing above their line: each belongs to a word.

The initial is a line of its own in the file, with a box several lines high; the rest of its word begins the line
at its right ("M" and "y dad drives").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from pipeline.pages.page_model import Box, Word

#: An initial is at least this many times as high as the type of the page, and as the line that it belongs to.
_HIGHER = 1.7
#: Space between the initial and the rest of its word, in sizes of the page's type.
_NEAR = 1.6
#: Letters of an initial with the marks in front of it.
_SIGNS = 3
#: Letters that are a word by themselves, in English or Spanish.
_WORDS = frozenset("IAYOEU")
#: Words that follow such a letter ("I was", "A man", "Y el"), beside all that no English or Spanish word ends as.
_FOLLOW = """
    am was have had do did love will would can could know think feel want like see said saw went live
    remember wish hope always never still just also used call really once man boy girl father dad good great
    few lot big day year time person hero true family real long little small grandfather grandpa stepdad mi
    el la los las mis su un una yo lo le me no que si en cuando papá papa padre
"""


def with_joined_initials(words: list[Word], height: float) -> list[Word]:
    """Return the words with each initial joined to its word, or standing before it where it is a word itself.

    `height`: of the page in points. The words are returned as they are where there is no initial.
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
    """Return the word that begins the uppermost of the lines at the right of an initial.

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

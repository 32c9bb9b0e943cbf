"""Words of a value as the joint pass compares them: their letters, how far apart two are, and their case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from pipeline.spelling.alphabet import letters

#: Letters by which a word may differ from the one that was meant, by the length of the shorter of the two.
_FARTHEST = ((10, 3), (6, 2), (4, 1))
#: Letters of the shortest word that may be a misread one where nothing but readings is known.
SHORTEST = 3
#: Share of letters that a bad reading gets wrong.
MISREAD = 0.45
_TOKEN = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


@dataclass(frozen=True)
class Word:
    """One word between spaces."""

    #: Punctuation before and after it.
    before: str
    text: str
    after: str

    @cached_property
    def key(self) -> str:
        """Its letters as they are compared; "" for a word with a digit, which is never respelled."""
        return "" if any(char.isdigit() for char in self.text) else letters(self.text)

    def __str__(self) -> str:
        return f"{self.before}{self.text}{self.after}"

    def respelled(self, surface: str) -> str:
        """The word in another spelling, in its own case and between its own punctuation."""
        return f"{self.before}{in_case_of(self.text, surface)}{self.after}"


def words_of(value: str) -> list[Word]:
    """Return the words of a value in their order."""
    found = (_TOKEN.match(token) for token in value.split())
    return [Word(*match.groups()) for match in found if match is not None]


def is_near(one: str, other: str) -> bool:
    """Whether two words (letters as compared) differ, and by no more letters than a misread word does."""
    shorter = min(len(one), len(other))
    farthest = next((most for length, most in _FARTHEST if shorter >= length), 0)
    return one != other and farthest > 0 and distance(one, other) <= farthest


def similar_to(key: str, others: Iterable[str], unlike: float = MISREAD, shortest: int = SHORTEST) -> list[str]:
    """Return the other words (letters as compared) that a badly misread word may stand for, the nearest first.

    `unlike` is the greatest share of letters that differ, `shortest` the least number of letters of both.
    """
    if len(key) < shortest:
        return []
    found = process.extract(
        key, others, scorer=Levenshtein.normalized_distance, processor=None, score_cutoff=unlike, limit=None
    )
    return [other for other, _, _ in found if other != key and len(other) >= shortest]


def distance(one: str, other: str) -> int:
    """Return the number of letters to add, remove or replace between two words."""
    return int(Levenshtein.distance(one, other))


def in_case_of(like: str, surface: str) -> str:
    """Return a spelling in the case of a word: all capitals, all small, or as the spelling itself has it."""
    if like.isupper() and len(like) > 1:
        return surface.upper()
    if like.islower():
        return surface.lower()
    return surface[:1].upper() + (surface[1:].lower() if surface.isupper() else surface[1:])

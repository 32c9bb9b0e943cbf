"""Words of a long list that differ from a given one by few letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

#: Words remembered with their neighbours: the readings of a line ask for the same ones again and again.
_REMEMBERED = 4096


class Nearby:
    """A list of words (letters a-z only) that can be searched for neighbours."""

    def __init__(self, words: Iterable[str], most: int) -> None:
        """`most`: maximum number of neighbours to return."""
        given = list(words)
        self._words = np.array(given, dtype=object)
        self._lengths = np.array([len(word) for word in given], dtype=np.int16)
        self._letters = _letters(given)
        self._most = most
        self.of = lru_cache(_REMEMBERED)(self._of)

    def _of(self, word: str, farthest: int) -> list[str]:
        """Words at most so many letters (Levenshtein) away, the nearest first, the word itself left out."""
        found = process.extract(
            word,
            self._possible(word, farthest),
            scorer=Levenshtein.distance,
            score_cutoff=farthest,
            limit=self._most,
        )
        return [near for near, _, _ in found if near != word]

    def _possible(self, word: str, farthest: int) -> NDArray[np.object_]:
        """The few that can be: each change of a letter takes one letter of the alphabet away and brings one."""
        changed = np.bitwise_count(self._letters ^ _letters([word]))
        lengths = np.abs(self._lengths - len(word))
        possible: NDArray[np.object_] = self._words[(lengths <= farthest) & (changed <= 2 * farthest)]
        return possible


def _letters(words: Sequence[str]) -> NDArray[np.uint32]:
    """Which letters of the alphabet each word has, a bit each."""
    codes = np.frombuffer("".join(words).encode("ascii"), dtype=np.uint8)
    begins = np.cumsum([0, *map(len, words)])[:-1]
    bits = np.left_shift(np.uint32(1), (codes - ord("a")).astype(np.uint32))
    return np.bitwise_or.reduceat(bits, begins)

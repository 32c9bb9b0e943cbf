"""Find the words of a list that differ from a word by one letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rapidfuzz.distance import OSA

#: Most letters of words that are compared, and most words of the list that are alike but for one letter.
_MOST_LETTERS, _MOST_ALIKE = 30, 8


class Alike:
    """A list of words by what is left of each without one letter."""

    def __init__(self, words: Iterable[str], least: int) -> None:
        """`least`: fewest letters of words that are compared."""
        self._least = least
        self._shorter: dict[str, list[str]] = {}
        for word in words:
            if least <= len(word) <= _MOST_LETTERS:
                for key in _without_a_letter(word):
                    alike = self._shorter.setdefault(key, [])
                    if len(alike) < _MOST_ALIKE:
                        alike.append(word)

    def has(self, word: str) -> bool:
        """Whether a word of the list has one letter more, less, other or two letters swapped."""
        if not self._least <= len(word) <= _MOST_LETTERS:
            return False
        keys = (key for key in _without_a_letter(word) if key in self._shorter)
        return any(OSA.distance(one, word, score_cutoff=1) <= 1 for key in keys for one in self._shorter[key])


def _without_a_letter(word: str) -> Iterator[str]:
    yield word
    yield from (word[:place] + word[place + 1 :] for place in range(len(word)))

"""Read numbers written as English and Spanish words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from text_to_num import find_numbers

from research.config import Language

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")


class _Token:
    """A word or mark, in the form that text2num reads."""

    def __init__(self, match: re.Match[str]) -> None:
        self.start, self.end = match.span()
        self._text = match[0].casefold()

    def text(self) -> str:
        return self._text

    def nt_separated(self, _previous: _Token) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self._text.isdigit()


def spelled_numbers(text: str, languages: Sequence[Language], above: int = 1) -> Iterator[tuple[int, int, float]]:
    """Yield start, end and value of each cardinal number in words whose value is greater than `above`.

    "one" and "un" are more often articles and pronouns than numbers.
    """
    tokens = [_Token(match) for match in _TOKEN.finditer(text)]
    for language in languages:
        for found in find_numbers(tokens, language, 0):
            if found.value > above and not found.is_ordinal:
                yield tokens[found.start].start, tokens[found.end - 1].end, found.value


@lru_cache(maxsize=4096)
def is_number_word(word: str) -> bool:
    """Return whether a word alone is a cardinal number in English or Spanish."""
    return any(end - start == len(word) for start, end, _ in spelled_numbers(word, ("en", "es"), above=-1))

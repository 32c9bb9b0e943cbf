"""Numbers in English and Spanish words: a table of single words, and numbers of several words in a text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files

from text_to_num import find_numbers

from research.config import Language

_DATA = tomllib.loads(files(__package__).joinpath("numbers.toml").read_text(encoding="utf-8"))


def _by_place(name: str, step: int = 1) -> dict[str, int]:
    return {word: n * step for row in _DATA[name] for n, word in enumerate(row.split()) if word != "-"}


#: Numbers of one word, in lower case without accents: below thirty without the tens, the tens, all cardinals.
SMALL, TENS, ORDINALS = _by_place("small"), _by_place("tens", 10), _by_place("ordinals")
CARDINALS = SMALL | TENS | _by_place("hundreds", 100)
#: "por ciento" is one word: "19 por ciento un año después" holds no hundred and one.
_TOKEN = re.compile(r"\bpor\s?cien(?:to)?\b|[^\W_]+|[^\w\s]", re.IGNORECASE)


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


def spelled_numbers(text: str, languages: Sequence[Language]) -> Iterator[tuple[int, int, float]]:
    """Yield start, end and value of each cardinal number in words that is greater than one.

    "one" and "un" are more often articles and pronouns than numbers; "tercer" is an ordinal as "tercero" is.
    """
    tokens = [_Token(match) for match in _TOKEN.finditer(text)]
    for language in languages:
        for found in find_numbers(tokens, language, 0):
            is_ordinal = found.is_ordinal or tokens[found.end - 1].text() in ORDINALS
            if found.value > 1 and not is_ordinal:
                yield tokens[found.start].start, tokens[found.end - 1].end, found.value

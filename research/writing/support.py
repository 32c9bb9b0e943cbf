"""Check whether quotations support a sentence: its numbers, names and topic."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

from research.citations.claims import NAME_WITHIN
from research.citations.quantities import quantities_in, quantities_said
from research.text import content_stems
from research.text.languages import calendar_words, country_words
from research.text.stems import fold_accents

#: Least share of a sentence's stems that its quotations must have.
_SHARED = 0.2
_WORD = re.compile(r"\w+")
#: English words written with a capital that are no proper names, besides months and days.
_COMMON = frozenset({"i", "i'm", "i've", "english", "spanish"})


def faults_of(sentence: str, quotes: Sequence[str], known: str, language: str | None) -> list[str]:
    """Return what the quotations do not support, phrased for a model's repair; empty if nothing is unsupported.

    `known`: question and references, whose names and numbers need no quotation. `language`: None if sentence and
    quotations differ in language; their words are then not compared.
    """
    if not quotes:
        return ["no quotation carries it"]
    found = []
    numbers, names = unsaid(sentence, quotes, known, language)
    if numbers:
        found.append(f"these numbers stand in none of its quotes: {', '.join(numbers)}")
    if names:
        found.append(f"these names stand in none of its quotes: {', '.join(names)}")
    if language and not speaks_of(sentence, " ".join(quotes), language):
        found.append("its quotes speak of something else")
    return found


def unsaid(sentence: str, quotes: Sequence[str], known: str, language: str | None) -> tuple[list[str], list[str]]:
    """Return the sentence's numbers and names that neither quotations nor `known` have, each once."""
    said = f"{' '.join(quotes)} {known}"
    words = _words(said) | _COMMON | calendar_words()
    names = [name for name in NAME_WITHIN.findall(sentence) if not _is_said(name, words, language)]
    return list(dict.fromkeys(_missing_numbers(sentence, said, len(quotes)))), list(dict.fromkeys(names))


def _is_said(name: str, words: set[str], language: str | None) -> bool:
    """Return whether the words have a name; months, days and countries may be the translation of theirs."""
    own = _words(name)
    return own <= words or (language is None and {fold_accents(word) for word in own} <= country_words())


def _missing_numbers(sentence: str, said: str, quotes: int) -> list[str]:
    """Return the numbers that are not said, in digits or words; "two sources" of two quotations is none."""
    known, counted = quantities_said(said), frozenset({Decimal(quotes)})
    return [
        one.text
        for one in quantities_in(sentence)
        if not one.is_in(known) and (one.text[0].isdigit() or one.values != counted)
    ]


def _words(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return {word.removesuffix("'s") for word in _WORD.findall(plain)}


def speaks_of(sentence: str, said: str, language: str) -> bool:
    """Return whether a text has enough of a sentence's words to be about the same."""
    own, others = set(content_stems(sentence, language)), set(content_stems(said, language))
    return not own or len(own & others) >= max(1, _SHARED * len(own))

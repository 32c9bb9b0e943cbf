"""Check whether quotations support a sentence: its numbers, names and topic."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

from research.citations.names import NAME_WITHIN
from research.citations.quantities import quantities_in
from research.text import content_stems

#: Least share of a sentence's stems that its quotations must have.
_SHARED = 0.2
_WORD = re.compile(r"\w+")
#: English words written with a capital that are not proper names.
_COMMON = frozenset(
    [
        "i",
        "i'm",
        "i've",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "english",
        "spanish",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)


def faults_of(sentence: str, quotes: Sequence[str], known: str, language: str | None) -> list[str]:
    """Return what the quotations do not support, phrased for a model's repair; empty if nothing is unsupported.

    `known`: question and references, whose names and numbers need no quotation. `language`: None if sentence and
    quotations differ in language; their words are then not compared.
    """
    if not quotes:
        return ["no quotation carries it"]
    said = " ".join(quotes)
    found = []
    if missing := _missing_numbers(sentence, f"{said} {known}", len(quotes)):
        found.append(f"these numbers stand in none of its quotes: {', '.join(dict.fromkeys(missing))}")
    names = _words(f"{said} {known}") | _COMMON
    if strangers := [name for name in NAME_WITHIN.findall(sentence) if not _words(name) <= names]:
        found.append(f"these names stand in none of its quotes: {', '.join(dict.fromkeys(strangers))}")
    if language and not _speaks_of(sentence, said, language):
        found.append("its quotes speak of something else")
    return found


def _missing_numbers(sentence: str, said: str, quotes: int) -> list[str]:
    """Return the numbers that are not said, in digits or words; "two sources" of two quotations is none."""
    known, counted = quantities_in(said), frozenset({Decimal(quotes)})
    return [
        one.text
        for one in quantities_in(sentence)
        if not one.is_in(known) and (one.text[0].isdigit() or one.values != counted)
    ]


def _words(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return {word.removesuffix("'s") for word in _WORD.findall(plain)}


def _speaks_of(sentence: str, said: str, language: str) -> bool:
    own, others = set(content_stems(sentence, language)), set(content_stems(said, language))
    return not own or len(own & others) >= max(1, _SHARED * len(own))

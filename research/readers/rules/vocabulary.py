"""Words by which items, fields and statements are recognised, from `words/en.toml` and `words/es.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from research.text.numbers import CARDINALS
from research.text.stems import fold_accents

_NUMBER_WORDS = {*CARDINALS, "half", "medio", "media", "mil", "thousand", "hundred"}
NUMBERS = "(?:" + "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True)) + ")"
_NUMBER = rf"(?:[$€£]\s?)?\b(?:\d+(?:[.,:]\d+)*|{NUMBERS}(?:(?: y | and |[ -]){NUMBERS})*\b)"


@dataclass(frozen=True)
class FieldKind:
    """What a kind of field is called, and what states it."""

    name: str
    #: Matches its names in folded text.
    labels: re.Pattern[str]
    #: Matches a statement in folded text.
    stated: re.Pattern[str]


def folded(text: str) -> str:
    """Return the text in lower case without accents, at the same places."""
    plain = (fold_accents(char)[:1] or char for char in text)
    return "".join(low if len(low := char.casefold()) == 1 else char for char in plain).replace("’", "'")


@cache
def words(name: str, language: str = "") -> frozenset[str]:
    """Return the words of a list in a language, else in both."""
    tables = [table for code, table in _tables().items() if not language or code == language]
    return frozenset(word for table in tables for word in table.get(name, ()))


@cache
def pattern(name: str, language: str = "") -> re.Pattern[str]:
    """Match one of the words of a list in folded text."""
    return re.compile(rf"(?<!\w)(?:{_any(words(name, language))})(?!\w)")


@cache
def field_kinds() -> tuple[FieldKind, ...]:
    """Return the kinds of fields with their words in both languages."""
    return tuple(map(_kind, dict.fromkeys(name for table in _tables().values() for name in table["fields"])))


@cache
def is_a() -> re.Pattern[str]:
    """Match what follows a name that is defined, with its kind: ", a club for rowers,", " is a club"."""
    article = pattern("articles").pattern
    return re.compile(rf"(?:(?=, [^.,;]+,),|,? (?:which |que )?(?:is|es)) {article} ([^.,;]+)")


def _kind(name: str) -> FieldKind:
    tables = [table["fields"].get(name, {}) for table in _tables().values()]
    units, signs, labels = (
        _any({word for table in tables for word in table.get(key, ())}) for key in ("units", "signs", "labels")
    )
    alternatives = [table["pattern"] for table in tables if "pattern" in table]
    alternatives += [rf"{_NUMBER}[\s-]*(?:\w+ )?(?:{units})(?!\w)"] if units else []
    alternatives += [rf"(?<!\w)(?:{signs})(?!\w)"] if signs else []
    stated = "|".join(alternatives) or "(?!)"
    return FieldKind(name, re.compile(rf"(?<!\w)(?:{labels})(?!\w)"), re.compile(stated))


def _any(alternatives: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(alternatives, key=lambda word: (-len(word), word)))


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    """Return the words of each language."""
    files = sorted(Path(__file__).with_name("words").glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}

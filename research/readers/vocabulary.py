"""Words by which statements, and facts of a kind such as costs, are recognised, from the files in `words/`."""

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
_NUMBERS = "(?:" + "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True)) + ")"
_NUMBER = rf"(?:[$€£]\s?)?\b(?:\d+(?:[.,:]\d+)*|{_NUMBERS}(?:(?: y | and |[ -]){_NUMBERS})*\b)"


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
def pattern(name: str) -> re.Pattern[str]:
    """Match one of the words of a list, in both languages, in folded text."""
    found = {word for table in _tables().values() for word in table.get(name, ())}
    return re.compile(rf"(?<!\w)(?:{_any(found)})(?!\w)")


@cache
def field_kinds() -> tuple[FieldKind, ...]:
    """Return the kinds of fields with their words in both languages."""
    return tuple(map(_kind, dict.fromkeys(name for table in _tables().values() for name in table["fields"])))


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

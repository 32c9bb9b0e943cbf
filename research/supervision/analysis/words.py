"""Words by which rules tell concepts from other recurring phrases, from `words.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from research.text import content_stems

_FILE = Path(__file__).with_name("words.toml")
Phrases = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Words:
    """The words of one language; see the head of `words.toml`."""

    introduces: Phrases
    follows: Phrases
    predicates: Phrases
    #: Stems.
    theories: frozenset[str]
    #: Stems of theories and kinds.
    heads: frozenset[str]
    #: Stems.
    plain: frozenset[str]
    edges: frozenset[str]
    joining: frozenset[str]
    articles: frozenset[str]
    endings: tuple[str, ...]


@cache
def words_of(language: str) -> Words:
    """Return the words of "en" or "es"."""
    given: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
    theories = frozenset(content_stems(" ".join(given["theories"]), language))
    return Words(
        introduces=_phrases(given["introduces"]),
        follows=_phrases(given["follows"]),
        predicates=_phrases(given["predicates"]),
        theories=theories,
        heads=theories.union(content_stems(" ".join(given["kinds"]), language)),
        plain=frozenset(content_stems(given["plain"], language)),
        edges=frozenset(given["edges"].split()),
        joining=frozenset(given["joining"]),
        articles=frozenset(given["articles"]),
        endings=tuple(given["endings"]),
    )


def _phrases(given: list[str]) -> Phrases:
    return frozenset(tuple(phrase.split()) for phrase in given)

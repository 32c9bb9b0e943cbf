"""Words that are not concepts: nouns of studies, offices and calendars, and words that cannot delimit a term."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from research.text import content_stems

_FILE = Path(__file__).with_name("plain_words.txt")


@cache
def plain_heads(language: str) -> frozenset[str]:
    """Return stems of nouns that do not head a concept: "annual report", "tasa de respuesta"."""
    return _stems("heads", language)


@cache
def plain_edges(language: str) -> frozenset[str]:
    """Return unstemmed words with which a term cannot begin or end."""
    return frozenset(_sections()[f"edges {_code(language)}"].split())


def _stems(section: str, language: str) -> frozenset[str]:
    code = _code(language)
    return frozenset(content_stems(_sections()[f"{section} {code}"], code))


def _code(language: str) -> str:
    return "es" if language.startswith("es") else "en"


@cache
def _sections() -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif not line.startswith("#"):
            found[name] = f"{found.get(name, '')} {line}"
    return found

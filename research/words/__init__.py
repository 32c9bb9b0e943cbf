"""Lists of words, English and Spanish together."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def words_of(name: str) -> frozenset[str]:
    """All words of a list, in lower case."""
    return frozenset(_text(name).split())


@cache
def groups_of(name: str) -> tuple[frozenset[str], ...]:
    """The words of each line of a list."""
    return tuple(frozenset(line.split()) for line in _text(name).splitlines() if line.strip())


def _text(name: str) -> str:
    return Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")

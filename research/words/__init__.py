"""Lists of words, English and Spanish together, and phrases by language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def words_of(name: str) -> frozenset[str]:
    """All words of a list, in lower case."""
    return frozenset(_text(f"{name}.txt").split())


@cache
def groups_of(name: str) -> tuple[frozenset[str], ...]:
    """The words of each line of a list."""
    return tuple(frozenset(line.split()) for line in _text(f"{name}.txt").splitlines() if line.strip())


def phrases_of(name: str, language: str) -> Mapping[str, str]:
    """The phrases of a file in a language, by key."""
    phrases: Mapping[str, str] = table_of(name)[language]
    return phrases


@cache
def table_of(name: str) -> Mapping[str, Any]:
    """What a file in TOML holds."""
    return tomllib.loads(_text(f"{name}.toml"))


def _text(file: str) -> str:
    return Path(__file__).with_name(file).read_text(encoding="utf-8")

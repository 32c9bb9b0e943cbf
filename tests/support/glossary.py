"""The words of `docs/glossary.md` that names must not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.support.names import DefinedName

_CODE = re.compile(r"`([^`]+)`")


class Banned(NamedTuple):
    """A word, the one to use for it, and the places where it may be used."""

    word: str
    instead: str
    free: tuple[str, ...]


def banned_words(page: str) -> list[Banned]:
    """Every word of the third column."""
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| ") and "`" in line]
    return [
        Banned(word, instead.strip(), tuple(_CODE.findall(places)))
        for _, instead, words, places in rows
        for word in _CODE.findall(words)
    ]


def breaches(names: Iterable[DefinedName], words: Iterable[Banned]) -> Iterator[tuple[DefinedName, Banned]]:
    """Names with a word that they must not have, where they are."""
    known = list(words)
    for name in names:
        for banned in known:
            if banned.word in name.words and not name.path.startswith(banned.free or ("/",)):
                yield name, banned

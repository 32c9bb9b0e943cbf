"""Classes of words in requests: verbs that ask for a list, nouns for a kind of text, units of measure."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("classes.toml")


@cache
def classes_of(word: str) -> tuple[str, ...]:
    """Return the classes of a folded word, in the order of the file."""
    whole, beginnings = _lexicon()
    found = dict.fromkeys(whole.get(word, ()))
    for length in range(3, len(word) + 1):
        found.update(dict.fromkeys(beginnings.get(word[:length], ())))
    return tuple(found)


@cache
def _lexicon() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    whole: dict[str, list[str]] = {}
    beginnings: dict[str, list[str]] = {}
    for name, words in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        for word in words.split():
            target = beginnings if word.endswith("*") else whole
            target.setdefault(word.removesuffix("*"), []).append(name)
    return whole, beginnings

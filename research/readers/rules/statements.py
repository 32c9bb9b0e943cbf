"""Recognise sentences that can be quoted alone: complete, part of the text, not leaning on the one before."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")
MIN_WORDS, MAX_WORDS = 6, 60

_ENDS = re.compile(r"[.!][\"'”’»)\]]*$")
_STARTS = re.compile(r"[\"'“‘«(¿¡]*[\dA-ZÁÉÍÓÚÜÑÀÈÇÖÄ]")
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = re.compile(r"[^\W\d_]+,?")
#: What no statement of a text contains: reference numbers, addresses, telephones, volume and pages, captions.
_APPARATUS = re.compile(
    r"\[\s*+\d[\d\s,;–-]*+\]|https?://|www\.|\b[\w.+-]+@[\w-]+\.\w+|\bdoi:|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b"
    r"|\b\d+\s?\(\d+\)[,:]\s?\d+[–-]\d+|\bpp?\.\s?\d+[–-]\d+|©"
    r"|^(?:fig(?:ure|ura)?|table|tabla|chart|cuadro|gráfic[oa]|box|recuadro|source|fuente)\b\.?\s*[\d:(]",
    re.IGNORECASE,
)
#: An entry of a list of references: surname, initials, year.
_ENTRY = re.compile(r"^[A-ZÁÉÍÓÚÑ][\w'’-]++,\s++(?>(?:[A-Z]\.\s*+)+).{0,1000}\(\d{4}[a-z]?\)")
_RUBBLE = ("|", "@", "\t", "…", "...", "{", "}", "<", ">")
_PAIRS = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"))


@dataclass(frozen=True)
class _Words:
    going_on: tuple[tuple[str, ...], ...]
    pointing: frozenset[str]
    articles: frozenset[str]
    known: frozenset[str]
    which: frozenset[str]
    prepositions: frozenset[str]
    pronouns: frozenset[str]


def is_statement(text: str) -> bool:
    """Return whether a text is a complete statement that belongs to its page's text.

    Headings, questions, captions, addresses, table rows and navigation or boilerplate lines are not.
    """
    words = _WORD.findall(text)
    if not MIN_WORDS <= len(words) <= MAX_WORDS or not _STARTS.match(text) or not _ENDS.search(text):
        return False
    if _shouted(words) or _letters(text) < 0.7 or not _balanced(text) or any(mark in text for mark in _RUBBLE):
        return False
    return not _ENTRY.search(text) and not is_furniture(text)


def is_furniture(text: str) -> bool:
    """Return whether a text belongs to a page, not to what it says: navigation, notices, addresses, captions."""
    return bool(_APPARATUS.search(text) or _furniture().search(text))


def dangles(text: str, language: str) -> bool:
    """Return whether the sentence's opening refers to something that only the sentence before names."""
    words, known = _OPENING.findall(text.casefold()[:160]), _words("es" if language == "es" else "en")
    if not words:
        return False
    bare = [word.rstrip(",") for word in words]
    first, second, third = (*bare, "", "", "")[:3]
    return (
        first in known.pointing
        or (first in known.articles and second in known.known and third not in known.which)
        or any(_begins(words, bare, phrase) for phrase in known.going_on)
        or (first in known.prepositions and _points_on(words, bare, known))
        or any(
            one == ("de" if language == "es" else "of") and two in known.pronouns for one, two in _pairs(bare[:5])
        )
    )


def _points_on(words: list[str], bare: list[str], known: _Words) -> bool:
    """Return whether an opening "in these …", or "after the trial, they …", points back."""
    comma = next((place for place, word in enumerate(words) if word.endswith(",")), len(words))
    behind = bare[comma + 1] if comma + 1 < len(bare) else ""
    return bare[1:2] != [] and (bare[1] in known.pointing or behind in known.pronouns)


def _begins(words: list[str], bare: list[str], phrase: tuple[str, ...]) -> bool:
    told = words if phrase[-1].endswith(",") else bare
    return tuple(told[: len(phrase)]) == phrase


def _pairs(words: list[str]) -> Iterable[tuple[str, str]]:
    return pairwise(words)


@cache
def _words(language: str) -> _Words:
    told = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
    lists = ("pointing", "articles", "known", "which", "prepositions", "pronouns")
    going_on = tuple(tuple(phrase.split()) for phrase in told["going_on"])
    return _Words(going_on, *(frozenset(told[name].split()) for name in lists))


@cache
def _furniture() -> re.Pattern[str]:
    told = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    phrases = [re.escape(phrase) for language in told.values() for phrase in language["furniture"]]
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)


def _shouted(words: list[str]) -> bool:
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0.6 * len(words) or sum(len(word) > 3 and word.isupper() for word in words) > 3


def _letters(text: str) -> float:
    return sum(char.isalpha() or char.isspace() for char in text) / max(1, len(text))


def _balanced(text: str) -> bool:
    return all(text.count(left) == text.count(right) for left, right in _PAIRS) and text.count('"') % 2 == 0

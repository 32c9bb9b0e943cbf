"""Recognise sentences that can be quoted alone: complete, part of the text, not leaning on the one before."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
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


def is_statement(text: str) -> bool:
    """Return whether a text is a complete statement that belongs to its page's text.

    Headings, questions, captions, addresses, table rows and navigation or boilerplate lines are not.
    """
    words = _WORD.findall(text)
    if not MIN_WORDS <= len(words) <= MAX_WORDS or not _STARTS.match(text) or not _ENDS.search(text):
        return False
    letters = sum(char.isalpha() or char.isspace() for char in text)
    is_balanced = all(text.count(left) == text.count(right) for left, right in _PAIRS) and text.count('"') % 2 == 0
    if _shouted(words) or letters < 0.7 * len(text) or not is_balanced or any(mark in text for mark in _RUBBLE):
        return False
    return not _ENTRY.search(text) and not is_furniture(text)


def is_furniture(text: str) -> bool:
    """Return whether a text belongs to a page, not to what it says: navigation, notices, addresses, captions."""
    return bool(_APPARATUS.search(text) or _furniture().search(text))


def dangles(text: str, language: str) -> bool:
    """Return whether the sentence's opening refers to something that only the sentence before names."""
    words, known = _OPENING.findall(text.casefold()[:160]), _words("es" if language == "es" else "en")
    bare = [word.rstrip(",") for word in words]
    first, second, third = (*bare, "", "", "")[:3]
    if first in known["pointing"]:
        return True
    if first in known["articles"] and second in known["known"] and third not in known["which"]:
        return True
    spoken, plain = f"{' '.join(words)} ", f"{' '.join(bare)} "
    if any((spoken if one[-1] == "," else plain).startswith(f"{one} ") for one in known["going_on"]):
        return True
    if first in known["prepositions"]:
        # "In these …", or "after the trial, they …".
        behind = next((after for one, after in pairwise(words) if one.endswith(",")), "").rstrip(",")
        if second in known["pointing"] or (second and behind in known["pronouns"]):
            return True
    of = "de" if language == "es" else "of"
    return any(one == of and two in known["pronouns"] for one, two in pairwise(bare[:5]))


@cache
def _words(language: str) -> Mapping[str, frozenset[str]]:
    """Return the words of each list of a language."""
    told = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
    return {name: frozenset(one.split() if isinstance(one, str) else one) for name, one in told.items()}


@cache
def _furniture() -> re.Pattern[str]:
    phrases = "|".join(re.escape(one) for code in ("en", "es") for one in sorted(_words(code)["furniture"]))
    return re.compile(rf"\b(?:{phrases})\b", re.IGNORECASE)


def _shouted(words: list[str]) -> bool:
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0.6 * len(words) or sum(len(word) > 3 and word.isupper() for word in words) > 3

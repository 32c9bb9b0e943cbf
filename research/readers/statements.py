"""Recognise sentences that can be quoted alone: complete, and part of the text."""

from __future__ import annotations

import re

from research.readers.vocabulary import folded, pattern

_LEAST_WORDS, _MOST_WORDS = 6, 60

_ENDS = re.compile(r"[.!][\"'”’»)\]]*$")
_STARTS = re.compile(r"[\"'“‘«(¿¡]*[\dA-ZÁÉÍÓÚÜÑÀÈÇÖÄ]")
_WORD = re.compile(r"[^\W\d_]+")
#: What no statement of a text contains: reference numbers, addresses, telephones, volume and pages, captions.
_APPARATUS = re.compile(
    r"\[\s*+\d[\d\s,;–-]*+\]|https?://|www\.|\w[.+-]*+@[\w-]+\.\w|\bdoi:|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b"
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
    said = _WORD.findall(text)
    if not _LEAST_WORDS <= len(said) <= _MOST_WORDS or not _STARTS.match(text) or not _ENDS.search(text):
        return False
    letters = sum(char.isalpha() or char.isspace() for char in text)
    is_balanced = all(text.count(left) == text.count(right) for left, right in _PAIRS) and text.count('"') % 2 == 0
    if _shouted(said) or letters < 0.7 * len(text) or not is_balanced or any(mark in text for mark in _RUBBLE):
        return False
    return not _ENTRY.search(text) and not is_furniture(text)


def is_furniture(text: str) -> bool:
    """Return whether a text belongs to a page, not to what it says: navigation, notices, addresses, captions."""
    return bool(_APPARATUS.search(text) or pattern("furniture").search(folded(text)))


def speaks_to_machines(text: str) -> bool:
    """Return whether a text gives orders to programs that read it."""
    return bool(pattern("orders").search(folded(text)))


def _shouted(words: list[str]) -> bool:
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0.6 * len(words) or sum(len(word) > 3 and word.isupper() for word in words) > 3

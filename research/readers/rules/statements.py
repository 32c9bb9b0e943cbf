"""Recognise sentences that can be quoted alone: complete, part of the text, not leaning on the one before."""

from __future__ import annotations

import re
from itertools import pairwise

from research.readers.rules.vocabulary import folded, pattern, words

_LEAST_WORDS, _MOST_WORDS = 6, 60

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
    said = _WORD.findall(text)
    if not _LEAST_WORDS <= len(said) <= _MOST_WORDS or not _STARTS.match(text) or not _ENDS.search(text):
        return False
    letters = sum(char.isalpha() or char.isspace() for char in text)
    is_balanced = all(text.count(left) == text.count(right) for left, right in _PAIRS) and text.count('"') % 2 == 0
    if _shouted(said) or letters < 0.7 * len(text) or not is_balanced or any(mark in text for mark in _RUBBLE):
        return False
    return not _ENTRY.search(text) and not is_furniture(text)


def ends(text: str) -> bool:
    """Return whether a text ends like a sentence."""
    return _ENDS.search(text.strip()) is not None


def is_furniture(text: str) -> bool:
    """Return whether a text belongs to a page, not to what it says: navigation, notices, addresses, captions."""
    return bool(_APPARATUS.search(text) or pattern("furniture").search(folded(text)))


def speaks_to_machines(text: str) -> bool:
    """Return whether a text gives orders to programs that read it."""
    return bool(pattern("orders").search(folded(text)))


def dangles(text: str, language: str) -> bool:
    """Return whether the sentence's opening refers to something that only the sentence before names."""
    code = "es" if language == "es" else "en"
    opening = _OPENING.findall(text.casefold()[:160])
    bare = [word.rstrip(",") for word in opening]
    first, second, third = (*bare, "", "", "")[:3]
    pointing, pronouns = words("pointing", code), words("pronouns", code)
    is_known = first in words("definite", code) and second in words("leaning", code)
    if first in pointing or (is_known and third not in words("which", code)):
        return True
    spoken, plain = f"{' '.join(opening)} ", f"{' '.join(bare)} "
    if any((spoken if one[-1] == "," else plain).startswith(f"{one} ") for one in words("going_on", code)):
        return True
    if first in words("prepositions", code):
        # "In these …", or "after the trial, they …".
        behind = next((after for one, after in pairwise(opening) if one.endswith(",")), "").rstrip(",")
        if second in pointing or (second and behind in pronouns):
            return True
    of = "de" if code == "es" else "of"
    return any(one == of and two in pronouns for one, two in pairwise(bare[:5]))


def _shouted(words: list[str]) -> bool:
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0.6 * len(words) or sum(len(word) > 3 and word.isupper() for word in words) > 3

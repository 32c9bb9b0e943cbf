"""Recognise questions about the essays of the entries."""

from __future__ import annotations

import re

#: Words for essays; "ensayos clínicos" are trials.
_ESSAYS = re.compile(
    r"\b(?:essays?|entries|redacci(?:ón|ones)|ensayos?(?!\s+(?:cl[ií]nic|aleatori|control|piloto|de\s+campo)))\b",
    re.IGNORECASE,
)


#: Phrases that name the essays as a collection; the essays' own texts do not contain them.
_OF_ESSAYS = re.compile(
    r"\b(?:(?:this|the|last|our|esta|la)\s+)?(?:season(?:'s|’s)?|temporada|contest(?:'s|’s)?|concurso)\b",
    re.IGNORECASE,
)


def asks_essays(query: str) -> bool:
    """Return whether the question names essays or entries, in English or Spanish."""
    return _ESSAYS.search(query) is not None


def asked_of_essays(question: str) -> str:
    """Return the question without the phrases that only name the essays as the source."""
    return " ".join(_ESSAYS.sub(" ", _OF_ESSAYS.sub(" ", question)).split())

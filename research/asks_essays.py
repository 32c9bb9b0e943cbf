"""Whether a question is about the entries' own essays."""

from __future__ import annotations

import re

#: "Ensayos clínicos" are trials, not essays.
_ESSAYS = re.compile(
    r"\b(?:essays?|entries|redacci(?:ón|ones)|ensayos?(?!\s+(?:cl[ií]nic|aleatori|control|piloto|de\s+campo)))\b",
    re.IGNORECASE,
)


#: What names the essays themselves; they do not say of themselves that they are the essays of a season.
_OF_ESSAYS = re.compile(
    r"\b(?:(?:this|the|last|our|esta|la)\s+)?(?:season(?:'s|’s)?|temporada|contest(?:'s|’s)?|concurso)\b",
    re.IGNORECASE,
)


def asks_essays(query: str) -> bool:
    """Whether the question names essays or entries, in English or Spanish."""
    return _ESSAYS.search(query) is not None


def asked_of_essays(question: str) -> str:
    """The question without the words that only name where to look."""
    return " ".join(_ESSAYS.sub(" ", _OF_ESSAYS.sub(" ", question)).split())

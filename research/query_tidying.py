"""Queries as an engine takes them: one line, within its length, without marks that it reads as commands."""

from __future__ import annotations

import re
from collections.abc import Iterable

from research.request.tokens import fold
from research.worker_result import Kind

#: Characters that an engine takes; Tavily's limit, and less than what the others refuse.
LONGEST: dict[Kind, int] = {"web": 400, "academic": 250, "book": 150}
#: What the scholarly index (wildcards) and the book catalogue (Solr's syntax) read as commands.
_COMMANDS: dict[Kind, re.Pattern[str]] = {
    "web": re.compile(r"[\x00-\x1f]"),
    "academic": re.compile(r"[*?~^|!\\\x00-\x1f]"),
    "book": re.compile(r"[*?~^|!\\:/+(){}\[\]&\x00-\x1f]"),
}
_NUMBERING = re.compile(
    r"^\s*(?:[-*•·]\s+|\(?\d{1,2}[.):]\s+|(?:query|search|consulta|búsqueda)\s*\d*\s*:\s*)+", re.IGNORECASE
)
_QUOTES = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "„": '"'})


def tidy(query: str, kind: Kind) -> str:
    """The query as it is sent; "" where nothing of it can be searched for."""
    text = _NUMBERING.sub("", query.translate(_QUOTES))
    text = " ".join(_COMMANDS[kind].sub(" ", text).split()).strip(" ,;")
    text = _balanced(_cut(text, LONGEST[kind]))
    return text if any(char.isalnum() for char in text) else ""


def distinct(queries: Iterable[str]) -> list[str]:
    """Without empty ones and those that differ in case, accents or spaces only."""
    seen: dict[str, str] = {}
    for query in queries:
        if query:
            seen.setdefault(" ".join(fold(query).split()), query)
    return list(seen.values())


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    head, _, _ = text[: longest + 1].rpartition(" ")
    return head or text[:longest]


def _balanced(text: str) -> str:
    """Without quotation marks where one of a pair is missing."""
    return text if text.count('"') % 2 == 0 else " ".join(text.replace('"', " ").split())

"""Clean queries for search engines: one line, limited length, no operator characters."""

from __future__ import annotations

import re
from collections.abc import Iterable

from research.memo.worker_result import Kind
from research.questions.wording import fold

#: Most characters of a query: Tavily's limit, which is below that of the others.
LONGEST: dict[Kind, int] = {"web": 400, "academic": 250, "book": 150}
#: Operators of the scholarly index (wildcards) and of the book catalogue (Solr's syntax).
_COMMANDS: dict[Kind, re.Pattern[str]] = {
    "web": re.compile(r"[\x00-\x1f]"),
    "academic": re.compile(r"[*?~^|!\\\x00-\x1f]"),
    "book": re.compile(r"[*?~^|!\\:/+(){}\[\]&\x00-\x1f]"),
}
_NUMBERING = re.compile(
    r"^\s*+(?:[-*•·]\s++|\(?\d{1,2}[.):]\s++|(?:query|search|consulta|búsqueda)\s*+\d*+\s*+:\s*+)+", re.IGNORECASE
)
_QUOTES = str.maketrans("“”«»„", '"""""')


def tidy(query: str, kind: Kind) -> str:
    """Return the query to send; "" if nothing searchable remains."""
    text = _NUMBERING.sub("", query.translate(_QUOTES))
    text = " ".join(_COMMANDS[kind].sub(" ", text).split()).strip(" ,;")
    if len(text) > LONGEST[kind]:
        text = text[: LONGEST[kind] + 1].rpartition(" ")[0] or text[: LONGEST[kind]]
    if text.count('"') % 2:
        text = " ".join(text.replace('"', " ").split())
    return text if any(char.isalnum() for char in text) else ""


def distinct(queries: Iterable[str]) -> list[str]:
    """Drop empty queries and those that differ only in case, accents or spaces."""
    seen: dict[str, str] = {}
    for query in filter(None, queries):
        seen.setdefault(" ".join(fold(query).split()), query)
    return list(seen.values())

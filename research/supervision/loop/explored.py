"""Decide by its text whether an issue was explored before, independently of the model."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rapidfuzz import fuzz

from research.supervision.types import Issue

#: Least `rapidfuzz.fuzz.token_sort_ratio` (0 to 100) of equal texts.
_ALIKE = 88
_WORD = re.compile(r"\w+")


def explored_key(issue: Issue) -> str:
    """Return the record of an explored issue: its folded topic and queries, one per line."""
    return "\n".join(_folded(text) for text in (issue.topic, *issue.suggested_queries) if _folded(text))


def was_explored(issue: Issue, explored: Iterable[str]) -> bool:
    """Return whether an earlier issue has the same topic, or had all of its queries."""
    topic = _folded(issue.topic)
    queries = [_folded(query) for query in issue.suggested_queries if _folded(query)]
    for key in explored:
        before_topic, *before_queries = key.split("\n")
        if _alike(topic, before_topic):
            return True
        if queries and before_queries and all(any(_alike(q, b) for b in before_queries) for q in queries):
            return True
    return False


def _alike(one: str, other: str) -> bool:
    return one == other or fuzz.token_sort_ratio(one, other) >= _ALIKE


def _folded(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(_WORD.findall("".join(c for c in bare if not unicodedata.combining(c))))

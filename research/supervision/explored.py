"""Whether an issue was looked into before: decided by what it says, not by asking the model to remember."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rapidfuzz import fuzz

from research.supervision.types import Issue

#: Of `rapidfuzz.fuzz.token_sort_ratio`, 0 to 100.
_ALIKE = 88
_WORD = re.compile(r"\w+")


def explored_key(issue: Issue) -> str:
    """What is kept of an issue that was looked into: its topic, then its queries, a line each."""
    return "\n".join(_folded(text) for text in (issue.topic, *issue.suggested_queries) if _folded(text))


def was_explored(issue: Issue, explored: Iterable[str]) -> bool:
    """Whether the topic is that of an earlier issue, or every query of it was asked before."""
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

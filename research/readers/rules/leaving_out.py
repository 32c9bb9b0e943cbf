"""Reasons for which an entry of a list is no item of the request, from its own words and the headings above it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from research.readers.protocol import Asked
from research.readers.rules.blocks import Entry
from research.readers.rules.vocabulary import folded, pattern, words
from research.text import content_stems

#: Characters at the start of an entry in which it may be said to be a shop.
_OPENING = 60
_WORD = re.compile(r"[^\W\d_]+")
#: Most words after "not" or "no" in a request that name what is not wanted.
_MOST_UNWANTED = 3


def reason_to_leave_out(entry: Entry, values: Mapping[str, object], asked: Asked) -> str:
    """Return why an entry is left out, "" if it is an item."""
    own = folded(" ".join([*dict.fromkeys(part.quote for part in entry.parts)]))
    headings = folded(" | ".join(entry.headings))
    if pattern("ended_headings").search(headings):
        return f"under the heading {entry.headings[-1]!r}"
    for reason in ("ended", "planned", "unsuitable"):
        if found := pattern(reason).search(own):
            return f"{reason}: {found[0]!r}"
    request = folded(asked.query)
    if not words("trade_asked").intersection(_asked_for(request)) and pattern("trading").match(
        own[:_OPENING].lstrip(" (")
    ):
        return "trades, and the request is not about trade"
    if unwanted := _unwanted(request, asked.language).intersection(
        content_stems(f"{entry.name} {own}", asked.language)
    ):
        return f"the request excludes {', '.join(sorted(unwanted))}"
    return "" if values else "nothing of what was asked is said of it"


def speaks_to_machines(text: str) -> bool:
    """Return whether a text gives orders to programs that read it."""
    return bool(pattern("orders").search(folded(text)))


def _asked_for(request: str) -> set[str]:
    return set(_WORD.findall(request)) - {word for phrase in _without(request) for word in phrase}


def _unwanted(request: str, language: str) -> frozenset[str]:
    return frozenset(stem for phrase in _without(request) for stem in content_stems(" ".join(phrase), language))


def _without(request: str) -> list[list[str]]:
    """Return the words after each "not" or "no" of a request, up to the next mark: "NOT shops that rent"."""
    return [
        _WORD.findall(re.split(r"[.,;:!?()]", request[found.end() :])[0])[:_MOST_UNWANTED]
        for found in pattern("without").finditer(request)
    ]

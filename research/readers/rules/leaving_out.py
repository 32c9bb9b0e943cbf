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
#: Sentences or cells of an entry, from the first, that may say that it is none.
_QUOTES = 2
#: Most words after "not" or "no" in a request that name what is not wanted.
_MOST_UNWANTED = 3


def reason_to_leave_out(entry: Entry, values: Mapping[str, object], asked: Asked) -> str:
    """Return why an entry is left out, "" if it is an item."""
    quotes = list(dict.fromkeys(part.quote for part in entry.parts))
    own = folded(" ".join(quotes[:_QUOTES]))
    if pattern("ended_headings").search(folded(" | ".join(entry.headings))):
        return f"under the heading {entry.headings[-1]!r}"
    for reason in ("ended", "planned", "unsuitable"):
        if found := pattern(reason).search(own):
            return f"{reason}: {found[0]!r}"
    trades = pattern("trading").match(own[:_OPENING].lstrip(" ("))
    if (trades and not _wants_trade(asked)) or is_trade(entry.name, asked):
        return "trades, and the request is not about trade"
    unwanted = set(content_stems(" ".join(_excluded(asked)), asked.language))
    if told := unwanted.intersection(content_stems(f"{entry.name} {own}", asked.language)):
        return f"the request excludes {', '.join(sorted(told))}"
    return "" if values else "nothing of what was asked is said of it"


def is_trade(name: str, asked: Asked) -> bool:
    """Return whether a name is that of a shop or hotel, and the request does not ask for any."""
    return not words("trade_asked").isdisjoint(_WORD.findall(folded(name))) and not _wants_trade(asked)


def _wants_trade(asked: Asked) -> bool:
    return bool(words("trade_asked").intersection(_WORD.findall(folded(asked.query))) - set(_excluded(asked)))


def _excluded(asked: Asked) -> list[str]:
    """Return the words after each "not" or "no" of the request, up to the next mark: "NOT shops that rent"."""
    request = folded(asked.query)
    after = [re.split(r"[.,;:!?()]", request[found.end() :])[0] for found in pattern("without").finditer(request)]
    return [word for phrase in after for word in _WORD.findall(phrase)[:_MOST_UNWANTED]]


def speaks_to_machines(text: str) -> bool:
    """Return whether a text gives orders to programs that read it."""
    return bool(pattern("orders").search(folded(text)))

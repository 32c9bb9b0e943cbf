"""Reasons for which an entry of a list is no item of the request, from its own words and the headings above it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from research.readers.protocol import Asked
from research.readers.rules.blocks import Entry
from research.readers.rules.vocabulary import folded, pattern
from research.text import content_stems

#: Sentences or cells of an entry, from the first, that may say that it is none.
_QUOTES = 2
#: Words after "not" in a request, up to the next mark, that name what is not wanted: "NOT shops that rent".
_UNWANTED = re.compile(r"(?:[^\W\d_]+[^\w.,;:!?()]*){1,3}")


def reason_to_leave_out(entry: Entry, values: Mapping[str, object], asked: Asked) -> str:
    """Return why an entry is left out, "" if it is an item."""
    quotes = list(dict.fromkeys(part.quote for part in entry.parts))
    own = folded(" ".join(quotes[:_QUOTES]))
    if pattern("ended_headings").search(folded(" | ".join(entry.headings))):
        return f"under the heading {entry.headings[-1]!r}"
    for reason in ("ended", "planned", "unsuitable"):
        if found := pattern(reason).search(own):
            return f"{reason}: {found[0]!r}"
    wanted, *phrases = pattern("without").split(folded(asked.query))
    if pattern("trading").match(own.lstrip(" (")) and not pattern("trading").search(wanted):
        return "trades, and the request is not about trade"
    unwanted = [found[0] for phrase in phrases if (found := _UNWANTED.match(phrase.lstrip()))]
    excluded = set(content_stems(" ".join(unwanted), asked.language))
    if told := excluded.intersection(content_stems(f"{entry.name} {own}", asked.language)):
        return f"the request excludes {', '.join(sorted(told))}"
    return "" if values else "nothing of what was asked is said of it"


def speaks_to_machines(text: str) -> bool:
    """Return whether a text gives orders to programs that read it."""
    return bool(pattern("orders").search(folded(text)))

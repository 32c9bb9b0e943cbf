"""Tell why what a page names is not an item of the request, where the page or the request says so."""

from __future__ import annotations

import re

from research.readers.protocol import Asked
from research.readers.rules.blocks import Entry
from research.readers.rules.fields import tells
from research.readers.rules.vocabulary import folded, pattern, words
from research.text import content_stems

#: Words after "not" in a request, up to the next mark, that name what is not wanted: "NOT shops that rent".
_UNWANTED = re.compile(r"(?:[^\W\d_]+[^\w.,;:!?()]*){1,3}")
_YEAR = re.compile(r"\b20\d\d\b")


def reason_to_leave_out(entry: Entry, asked: Asked) -> str:
    """Return why what an entry tells of is no item of the request, "" if nothing speaks against it."""
    own = folded(" ".join(dict.fromkeys(part.quote for part in entry.parts)))
    for text in (*entry.headings, *(part.text for part in entry.parts)):
        if pattern("over").match(folded(text)):
            return f"under {text!r}"
    for reason in ("ended", "planned", "unsuitable"):
        if found := pattern(reason).search(own):
            return f"{reason}: {found[0]!r}"
    if later := [year for part in entry.parts for year in _YEAR.findall(part.quote) if int(year) > asked.year]:
        return f"planned: {later[0]}"
    if sum(not tells(part.text) or part.text.casefold() in words("nothing") for part in entry.parts) > 1:
        return "most of its cells tell nothing"
    wanted, *phrases = pattern("without").split(folded(asked.query))
    if pattern("trading").match(own.lstrip(" (")) and not pattern("trading").search(wanted):
        return "trades, and the request is not about trade"
    unwanted = [found[0] for phrase in phrases if (found := _UNWANTED.match(phrase.lstrip()))]
    excluded = set(content_stems(" ".join(unwanted), asked.language))
    if told := excluded.intersection(content_stems(f"{entry.name} {own}", asked.language)):
        return f"the request excludes {', '.join(sorted(told))}"
    return ""

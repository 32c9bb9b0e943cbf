"""Tell what kind of proof a source is, from the words of its title, publisher and text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from research.material import SourceText

#: Characters from the start of a source that are examined.
_SAMPLE = 8000


def strength_of(source: SourceText) -> str:
    """Return one of the readers' `STRENGTHS`, by title and publisher or else by its text, the strongest first."""
    publisher = source.reference.publisher or ""
    text = source.text[:_SAMPLE]
    named = [
        name
        for name, (in_head, of_publisher, _, _) in _kinds().items()
        if in_head.search(f"{source.reference.title} {publisher}") or of_publisher.search(publisher)
    ]
    told = [
        name
        for name, (_, _, in_text, least) in _kinds().items()
        if len({found.casefold() for found in in_text.findall(text)}) >= least
    ]
    # Whoever publishes it, what describes a trial at length is one.
    if named[:1] == ["provider"] and told[:1] == ["trial"]:
        return "trial"
    return [*named, *told, "report"][0]


@cache
def _kinds() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], int]]:
    """Return by kind the words of a title, a publisher and a text, and how many of these decide."""
    told = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        name: (_any(one["named"]), _any(one.get("publisher", [])), _any(one["told"]), one["least"])
        for name, one in told.items()
    }


def _any(phrases: list[str]) -> re.Pattern[str]:
    """Match one of the phrases as a whole; without phrases nothing."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases)) or '(?!)'})(?!\w)", re.IGNORECASE)

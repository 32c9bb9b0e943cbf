"""Tell what kind of proof a source is, from the words of its title, publisher and text."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from research.material import SourceText

#: Characters from the start of a source that are examined.
_SAMPLE = 8000


@dataclass(frozen=True)
class _Kind:
    name: str
    named: re.Pattern[str]
    publisher: re.Pattern[str] | None
    told: re.Pattern[str]
    least: int


def strength_of(source: SourceText) -> str:
    """Return one of the readers' `STRENGTHS`, by title and publisher or else by its text, the strongest first."""
    reference = source.reference
    head = f"{reference.title} {reference.publisher or ''}"
    text = source.text[:_SAMPLE]
    named = [
        kind.name
        for kind in _kinds()
        if kind.named.search(head) or (kind.publisher and kind.publisher.search(reference.publisher or ""))
    ]
    told = [
        kind.name
        for kind in _kinds()
        if len({found.casefold() for found in kind.told.findall(text)}) >= kind.least
    ]
    # Whoever publishes it, what describes a trial at length is one.
    if named[:1] == ["provider"] and told[:1] == ["trial"]:
        return "trial"
    return [*named, *told, "report"][0]


@cache
def _kinds() -> tuple[_Kind, ...]:
    told = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        _Kind(
            name,
            _any(one["named"]),
            _any(one["publisher"]) if "publisher" in one else None,
            _any(one["told"]),
            one["least"],
        )
        for name, one in told.items()
    )


def _any(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)

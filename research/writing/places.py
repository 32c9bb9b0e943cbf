"""Locate quotations in the sources of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from research.citations import verify_quote
from research.material import SourceText

#: Characters before a quotation that tell whom it speaks of.
_BEFORE = 300
#: Most characters between quotations that stand near each other.
_NEAR = 3


@dataclass(frozen=True)
class Place:
    """A verified quotation: `source text[start:end]`."""

    #: Key of the source that was given for it.
    claimed: str
    key: str
    start: int
    end: int
    quote: str
    page_no: int | None

    def overlaps(self, other: Place) -> bool:
        """Return whether both share characters of a source."""
        return self.key == other.key and self.start < other.end and other.start < self.end

    def is_near(self, other: Place) -> bool:
        """Return whether both overlap, or almost nothing of the source stands between them."""
        return self.key == other.key and self.start - _NEAR <= other.end and other.start - _NEAR <= self.end

    def holds(self, other: Place) -> bool:
        """Return whether the other lies within this one."""
        return self.key == other.key and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True)
class Sources:
    """The sources of a report, and their texts for verification."""

    by_key: Mapping[str, SourceText]
    texts: Mapping[str, str]

    @classmethod
    def of(cls, sources: Mapping[str, SourceText]) -> Sources:
        """Join each source's text once."""
        return cls(sources, {key: source.text for key, source in sources.items()})

    def place(self, quote: str, claimed: str) -> Place | None:
        """Return where a quotation stands, in `claimed` or else in another source; None if it stands in none."""
        verdict = verify_quote(quote, claimed, self.texts) if quote.strip() else None
        if verdict is None or verdict.source_id is None or verdict.start is None or verdict.end is None:
            return None
        return self.at(verdict.source_id, verdict.start, verdict.end, claimed)

    def at(self, key: str, start: int, end: int, claimed: str = "") -> Place:
        """Return the place of `text[start:end]` of a source."""
        return Place(claimed or key, key, start, end, self.texts[key][start:end], self.by_key[key].page_at(start))

    def before(self, place: Place) -> str:
        """Return what stands right before a quotation in its paragraph, which may tell whom it speaks of."""
        return self.texts[place.key][max(0, place.start - _BEFORE) : place.start].rpartition("\n\n")[2].strip()

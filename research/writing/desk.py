"""What every step of writing a report needs: its sources, places of quotations in them, and claims by marker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from research.citations import verify_quote
from research.config import ResearchConfig
from research.document import CheckedClaim, Section, section_key
from research.material import SourceText
from research.memo import CatalogMemo, ResearchMemo
from research.memo.worker_result import WorkerResult
from research.readers.protocol import Asked, Evidence, Plan
from research.readers.reader import Reader
from research.words import phrases_of

Verification = Literal["confirmed", "contradicted", "not_found"]


@dataclass(frozen=True)
class ReportMaterial:
    """Everything that the three rounds collected."""

    asked: Asked
    #: Its questions are in the order of their sections.
    plan: Plan
    config: ResearchConfig
    #: Of the last round.
    memo: ResearchMemo
    #: Of all rounds, in the order of their tasks.
    results: tuple[WorkerResult, ...]
    #: By citation key.
    sources: Mapping[str, SourceText]
    #: Sentences on problems during the rounds, for the report's limits.
    troubles: tuple[str, ...] = ()


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

    def overlaps(self, other: Place, apart: int = 0) -> bool:
        """Return whether both share characters of a source, or fewer than `apart` stand between them."""
        return self.key == other.key and self.start < other.end + apart and other.start < self.end + apart

    def holds(self, other: Place) -> bool:
        """Return whether the other lies within this one."""
        return self.key == other.key and self.start <= other.start and other.end <= self.end


class Sources:
    """The sources of a report, and their texts for verification."""

    def __init__(self, sources: Mapping[str, SourceText]) -> None:
        self.by_key = sources
        self.texts = {key: source.text for key, source in sources.items()}

    def place(self, quote: str, claimed: str) -> Place | None:
        """Return where a quotation stands, in `claimed` or else in another source; None if it stands in none."""
        found = verify_quote(quote, claimed, self.texts) if quote.strip() else None
        if found is None or found.source_id is None or found.start is None or found.end is None:
            return None
        return self.at(found.source_id, found.start, found.end, claimed)

    def at(self, key: str, start: int, end: int, claimed: str = "") -> Place:
        """Return the place of `text[start:end]` of a source."""
        return Place(claimed or key, key, start, end, self.texts[key][start:end], self.by_key[key].page_at(start))

    def of(self, one: Evidence) -> Place:
        """Return the place of a piece of evidence."""
        return self.at(one.finding.source_key, one.finding.start_char, one.finding.end_char)


class ClaimBook:
    """Assigns claim ids in order, one per sentence and place; also records fabricated quotations."""

    def __init__(self, prefix: str = "c") -> None:
        #: What the ids begin with; another one for each revision of a report.
        self._prefix = prefix
        self._claims: dict[str, CheckedClaim] = {}
        self._ids: dict[tuple[str, Place], str] = {}

    def marker(self, sentence: str, place: Place) -> str:
        """Return the marker of a sentence supported by a quotation.

        The claim is misattributed if another source was given for the quotation than the one that has it.
        """
        if (sentence, place) not in self._ids:
            status: Literal["verified", "misattributed"] = (
                "verified" if place.claimed == place.key else "misattributed"
            )
            found = (place.key, place.start, place.end, place.page_no)
            claim = CheckedClaim("", sentence, place.quote, place.claimed, *found, status)
            self._ids[sentence, place] = self._keep(claim)
        return f"[@{place.key}#{self._ids[sentence, place]}]"

    def fabricated(self, sentence: str, quote: str, claimed: str | None) -> None:
        """Record a sentence whose quotation occurs in no source; it gets no marker."""
        self._keep(CheckedClaim("", sentence, quote, claimed, None, None, None, None, "fabricated"))

    def verified_as(self, place: Place, verification: Verification) -> None:
        """Set the result of Round 3's verification on every claim whose quotation overlaps this one."""
        for (_, known), claim_id in self._ids.items():
            if known.overlaps(place):
                self._claims[claim_id] = replace(self._claims[claim_id], verification=verification)

    @property
    def all(self) -> tuple[CheckedClaim, ...]:
        """All claims in order of their ids."""
        return tuple(self._claims.values())

    def _keep(self, claim: CheckedClaim) -> str:
        claim_id = f"{self._prefix}{len(self._claims) + 1}"
        self._claims[claim_id] = replace(claim, claim_id=claim_id)
        return claim_id


class Desk:
    """Material, reader, and what was published so far."""

    def __init__(self, material: ReportMaterial, reader: Reader) -> None:
        self.material = material
        self.reader = reader
        self.sources = Sources(material.sources)
        self.book = ClaimBook()
        self.asked = material.asked
        if isinstance(memo := material.memo, CatalogMemo):
            self.asked = replace(self.asked, count=memo.target_items)
        self.language = self.asked.language
        #: The fixed phrases in that language.
        self.words = phrases_of("wording", self.language)
        self._keys: set[str] = set()

    def section(self, heading: str, body: str, level: int = 1) -> Section:
        """Return a section under a key of its own."""
        return Section(key=section_key(heading, self._keys), heading=heading, level=level, body=body)

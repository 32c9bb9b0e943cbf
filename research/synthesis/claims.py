"""The claims of one report: each published sentence with its quotation, under an id that its marker names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from research.material import CheckedClaim
from research.synthesis.evidence import Sentence

Verification = Literal["confirmed", "contradicted", "not_found"]


@dataclass
class ClaimBook:
    """Gives ids in order, one to each sentence; keeps what was dropped too."""

    _claims: dict[str, CheckedClaim] = field(default_factory=dict)
    _places: dict[tuple[str, str, int], str] = field(default_factory=dict)

    def marker(self, sentence: Sentence) -> str:
        """The marker behind a sentence quoted as it stands."""
        return self.carried(
            sentence.text,
            sentence.quote,
            sentence.key,
            sentence.key,
            sentence.start,
            sentence.end,
            sentence.page_no,
        )

    def carried(
        self,
        sentence: str,
        quote: str,
        claimed: str | None,
        key: str,
        start: int,
        end: int,
        page_no: int | None,
    ) -> str:
        """The marker of a sentence that a quotation carries, wherever that was said to stand."""
        place = (sentence, key, start)
        if place not in self._places:
            claim_id = self._places[place] = self._next()
            status: Literal["verified", "misattributed"] = "verified" if claimed == key else "misattributed"
            self._claims[claim_id] = CheckedClaim(
                claim_id, sentence, quote, claimed, key, start, end, page_no, status
            )
        return f"[@{key}#{self._places[place]}]"

    def fabricated(self, sentence: str, quote: str, claimed: str | None) -> None:
        """Keep what stands in no source; it has no marker."""
        claim_id = self._next()
        self._claims[claim_id] = CheckedClaim(
            claim_id, sentence, quote, claimed, None, None, None, None, "fabricated"
        )

    def verified_as(self, sentence: Sentence, verification: Verification) -> None:
        """Note what Round 3 found on every claim that this sentence carries."""
        for claim_id, claim in self._claims.items():
            if claim.source_key == sentence.key and _overlaps(claim, sentence):
                self._claims[claim_id] = replace(claim, verification=verification)

    @property
    def all(self) -> tuple[CheckedClaim, ...]:
        """Every claim, in the order of their ids."""
        return tuple(self._claims.values())

    def _next(self) -> str:
        return f"c{len(self._claims) + 1}"


def _overlaps(claim: CheckedClaim, sentence: Sentence) -> bool:
    if claim.start_char is None or claim.end_char is None:
        return False
    return min(claim.end_char, sentence.end) - max(claim.start_char, sentence.start) > 0

"""Record the claims of one report: published sentences and their quotations, by the id in the marker."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from research.document import CheckedClaim
from research.writing.places import Place

Verification = Literal["confirmed", "contradicted", "not_found"]


@dataclass
class ClaimBook:
    """Assigns claim ids in order, one per sentence and place; also records fabricated quotations."""

    #: What the ids begin with; another one for each revision of a report.
    prefix: str = "c"
    _claims: dict[str, CheckedClaim] = field(default_factory=dict)
    _places: dict[tuple[str, str, int], str] = field(default_factory=dict)

    def marker(self, sentence: str, place: Place) -> str:
        """Return the marker of a sentence supported by a quotation.

        The claim is misattributed if another source was given for the quotation than the one that has it.
        """
        known = (sentence, place.key, place.start)
        if known not in self._places:
            claim_id = self._places[known] = self._next()
            status: Literal["verified", "misattributed"] = (
                "verified" if place.claimed == place.key else "misattributed"
            )
            self._claims[claim_id] = CheckedClaim(
                claim_id,
                sentence,
                place.quote,
                place.claimed,
                place.key,
                place.start,
                place.end,
                place.page_no,
                status,
            )
        return f"[@{place.key}#{self._places[known]}]"

    def fabricated(self, sentence: str, quote: str, claimed: str | None) -> None:
        """Record a sentence whose quotation occurs in no source; it gets no marker."""
        claim_id = self._next()
        self._claims[claim_id] = CheckedClaim(
            claim_id, sentence, quote, claimed, None, None, None, None, "fabricated"
        )

    def verified_as(self, place: Place, verification: Verification) -> None:
        """Set the result of Round 3's verification on every claim whose quotation overlaps this one."""
        for claim_id, claim in self._claims.items():
            if claim.source_key == place.key and _overlaps(claim, place):
                self._claims[claim_id] = replace(claim, verification=verification)

    @property
    def all(self) -> tuple[CheckedClaim, ...]:
        """All claims in order of their ids."""
        return tuple(self._claims.values())

    def _next(self) -> str:
        return f"{self.prefix}{len(self._claims) + 1}"


def _overlaps(claim: CheckedClaim, place: Place) -> bool:
    if claim.start_char is None or claim.end_char is None:
        return False
    return min(claim.end_char, place.end) > max(claim.start_char, place.start)

"""Record the claims of one report: published sentences and their quotations, by the id in the marker."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from research.document import CheckedClaim
from research.writing.evidence import Sentence

Verification = Literal["confirmed", "contradicted", "not_found"]


@dataclass
class ClaimBook:
    """Assigns claim ids in order, one per sentence and place; also records fabricated quotations."""

    _claims: dict[str, CheckedClaim] = field(default_factory=dict)
    _places: dict[tuple[str, str, int], str] = field(default_factory=dict)

    def marker(self, sentence: Sentence) -> str:
        """Return the marker of a sentence that is quoted verbatim."""
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
        """Return the marker of a sentence supported by a quotation in source `key`.

        The claim is misattributed if `claimed`, the source given for the quotation, is another one.
        """
        place = (sentence, key, start)
        if place not in self._places:
            claim_id = self._places[place] = self._next()
            status: Literal["verified", "misattributed"] = "verified" if claimed == key else "misattributed"
            self._claims[claim_id] = CheckedClaim(
                claim_id, sentence, quote, claimed, key, start, end, page_no, status
            )
        return f"[@{key}#{self._places[place]}]"

    def fabricated(self, sentence: str, quote: str, claimed: str | None) -> None:
        """Record a sentence whose quotation occurs in no source; it gets no marker."""
        claim_id = self._next()
        self._claims[claim_id] = CheckedClaim(
            claim_id, sentence, quote, claimed, None, None, None, None, "fabricated"
        )

    def verified_as(self, sentence: Sentence, verification: Verification) -> None:
        """Set the result of Round 3's verification on every claim quoted from this sentence."""
        for claim_id, claim in self._claims.items():
            if claim.source_key == sentence.key and _overlaps(claim, sentence):
                self._claims[claim_id] = replace(claim, verification=verification)

    @property
    def all(self) -> tuple[CheckedClaim, ...]:
        """All claims in order of their ids."""
        return tuple(self._claims.values())

    def _next(self) -> str:
        return f"c{len(self._claims) + 1}"


def _overlaps(claim: CheckedClaim, sentence: Sentence) -> bool:
    if claim.start_char is None or claim.end_char is None:
        return False
    return min(claim.end_char, sentence.end) - max(claim.start_char, sentence.start) > 0

"""Verify the quotations of a revision, and record each as a claim."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

from research.citations import verify_quote
from research.document import CheckedClaim
from research.supervision.loop.context import Expansion


@dataclass
class RevisionClaims:
    """The claims of one revision; their ids are the same for the same words at the same place."""

    expansion: Expansion
    _found: dict[str, CheckedClaim] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._texts = {key: source.text for key, source in self.expansion.sources.items()}

    def verified(self, quote: str, key: str) -> CheckedClaim | None:
        """Record a quotation that is said to stand in the source `key`; return None if it stands in no source."""
        verdict = verify_quote(quote, key, self._texts)
        place = f"{verdict.source_id}:{verdict.start}:{verdict.end}:{quote}"
        # Ids of the report's own claims begin with "c".
        claim_id = f"x{hashlib.sha256(place.encode()).hexdigest()[:10]}"
        self._found[claim_id] = claim = CheckedClaim(
            claim_id=claim_id,
            sentence=quote,
            quote=quote,
            claimed_source_key=key,
            source_key=verdict.source_id,
            start_char=verdict.start,
            end_char=verdict.end,
            page_no=self._page(verdict.source_id, verdict.start),
            status=verdict.status,
        )
        return None if claim.source_key is None else claim

    def publish(self, claim: CheckedClaim, sentence: str) -> str:
        """Note the sentence that a claim carries, and return its marker."""
        self._found[claim.claim_id] = replace(claim, sentence=sentence)
        return f"[@{claim.source_key}#{claim.claim_id}]"

    @property
    def all(self) -> tuple[CheckedClaim, ...]:
        """All claims, published or not, in the order in which they were verified."""
        return tuple(self._found.values())

    def _page(self, key: str | None, start: int | None) -> int | None:
        if key is None or start is None:
            return None
        return self.expansion.sources[key].page_at(start)

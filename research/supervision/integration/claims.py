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

    def verified(self, quote: str, key: str) -> CheckedClaim | None:
        """Record a quotation that is said to stand in the source `key`; return None if it stands in no source."""
        sources = self.expansion.sources
        verdict = verify_quote(quote, key, {key: source.text for key, source in sources.items()})
        found, start = verdict.source_id, verdict.start
        place = f"{found}:{start}:{verdict.end}:{quote}"
        # Ids of the report's own claims begin with "c".
        claim_id = f"x{hashlib.sha256(place.encode()).hexdigest()[:10]}"
        self._found[claim_id] = claim = CheckedClaim(
            claim_id=claim_id,
            sentence=quote,
            quote=quote,
            claimed_source_key=key,
            source_key=found,
            start_char=start,
            end_char=verdict.end,
            page_no=None if found is None or start is None else sources[found].page_at(start),
            status=verdict.status,
        )
        return None if found is None else claim

    def publish(self, claim: CheckedClaim, sentence: str) -> str:
        """Note the sentence that a claim carries, and return its marker."""
        self._found[claim.claim_id] = replace(claim, sentence=sentence)
        return f"[@{claim.source_key}#{claim.claim_id}]"

    @property
    def all(self) -> tuple[CheckedClaim, ...]:
        """All claims, published or not, in the order in which they were verified."""
        return tuple(self._found.values())

"""Plan the tasks of Round 3: search for each claim on other domains than its own."""

from __future__ import annotations

from research.allocation import ResearcherAllocation
from research.config import Language
from research.memo.domain_use import used_domains
from research.memo.types import Claim, ResearchMemo
from research.memo.worker_result import Kind
from research.plan.claim_choice import is_on_money
from research.plan.kinds import available_kind
from research.plan.planned_task import PlannedTask

_FOR_PRICES: tuple[Kind, ...] = ("web", "book", "academic")
_FOR_FINDINGS: tuple[Kind, ...] = ("academic", "web", "book")
_AGAINST = {"en": "criticism contradicts", "es": "críticas contradice"}
_INSTRUCTIONS = (
    "Verify this claim of {domain} by independent sources; those that contradict it count as much as those that "
    "confirm it. It belongs to the question: {query}"
)


def verification_tasks(
    memo: ResearchMemo, allocation: ResearcherAllocation, limit: int, language: Language
) -> list[PlannedTask]:
    """Return one task per claim, at most `limit`, which avoids the claim's domain and all used ones."""
    claims = memo.claims_to_verify[: max(limit, 0)]
    return [_task(place, claim, memo, allocation, language) for place, claim in enumerate(claims, start=1)]


def _task(
    place: int, claim: Claim, memo: ResearchMemo, allocation: ResearcherAllocation, language: Language
) -> PlannedTask:
    kinds = _FOR_PRICES if is_on_money(claim.claim_text) else _FOR_FINDINGS
    query = claim.verification_query.strip() or claim.claim_text
    avoid = dict.fromkeys([claim.source_domain, *used_domains(memo)])
    return PlannedTask(
        task_id=f"v_{place}",
        kind=available_kind(kinds, allocation),
        question=claim.claim_text,
        queries=(query, f"{query} {_AGAINST[language]}"),
        instructions=_INSTRUCTIONS.format(domain=claim.source_domain, query=memo.query),
        claim_id=claim.claim_id or None,
        avoid_domains=tuple(domain for domain in avoid if domain),
    )

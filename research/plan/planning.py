"""Plan the three rounds: discovery, filling gaps, verification."""

from __future__ import annotations

from collections.abc import Sequence

from research.allocation import ResearcherAllocation, assign_questions
from research.config import Language, ResearchConfig
from research.memo.sources import used_domains
from research.memo.types import Claim, ResearchMemo
from research.plan.claim_choice import is_on_money
from research.plan.gap_tasks import gap_tasks
from research.plan.planned_task import FOR_EVIDENCE, FOR_PRICES, PlannedTask, available_kind
from research.words import phrases_of

_VERIFY = (
    "Verify this claim of {domain} by independent sources; those that contradict it count as much as those that "
    "confirm it. It belongs to the question: {query}"
)


def plan_round(
    round_index: int,
    memo: ResearchMemo | None,
    allocation: ResearcherAllocation,
    config: ResearchConfig,
    questions: Sequence[str] = (),
) -> list[PlannedTask]:
    """Return the tasks of a round, at most as many as remain; empty if there is nothing to do.

    Round 1, discovery: the questions, assigned to researchers. Round 2, filling gaps: a task for each question of
    each open gap, most urgent first. Round 3, verification: a task per claim, on domains not yet used.
    """
    remaining = memo.tasks_remaining if memo else config.max_tasks_total
    if round_index == 1:
        return _discovery(allocation, questions)[: max(remaining, 0)]
    if memo is None or remaining <= 0:
        return []
    if round_index == 2:
        kept_for_verification = min(config.max_claims, remaining // 3)
        return gap_tasks(memo, allocation, remaining - kept_for_verification, config.language)
    return verification_tasks(memo, allocation, min(remaining, config.max_claims), config.language)


def verification_tasks(
    memo: ResearchMemo, allocation: ResearcherAllocation, limit: int, language: Language
) -> list[PlannedTask]:
    """Return one task per claim, at most `limit`, which avoids the claim's domain and all used ones."""
    claims = memo.claims_to_verify[:limit]
    return [_verification(place, claim, memo, allocation, language) for place, claim in enumerate(claims, start=1)]


def _discovery(allocation: ResearcherAllocation, questions: Sequence[str]) -> list[PlannedTask]:
    assigned = assign_questions(questions, allocation)
    pairs = [(researcher.kind, question) for researcher in assigned for question in researcher.questions]
    return [PlannedTask(f"r1_{n}", kind, question) for n, (kind, question) in enumerate(pairs, start=1)]


def _verification(
    place: int, claim: Claim, memo: ResearchMemo, allocation: ResearcherAllocation, language: Language
) -> PlannedTask:
    kinds = FOR_PRICES if is_on_money(claim.claim_text) else FOR_EVIDENCE
    query = claim.verification_query.strip() or claim.claim_text
    avoid = dict.fromkeys([claim.source_domain, *used_domains(memo)])
    return PlannedTask(
        task_id=f"v_{place}",
        kind=available_kind(kinds, allocation),
        question=claim.claim_text,
        queries=(query, f"{query} {phrases_of('tasks', language)['search_against']}"),
        instructions=_VERIFY.format(domain=claim.source_domain, query=memo.query),
        avoid_domains=tuple(domain for domain in avoid if domain),
    )

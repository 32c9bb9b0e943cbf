"""Plan the tasks of the three rounds: discovery, filling gaps, verification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from research.allocation import ResearcherAllocation, assign_questions
from research.config import Language, ResearchConfig
from research.gaps.catalog_gaps import field_query
from research.memo import CatalogMemo
from research.memo.context import one_line, shortened
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.sources import used_domains
from research.memo.types import Claim, Gap, GapState, ResearchMemo
from research.memo.worker_result import Kind
from research.plan.claim_choice import is_on_money
from research.plan.planned_task import FOR_EVIDENCE, FOR_PRICES, PlannedTask, available_kind
from research.questions.catalog_fields import is_pricing, is_proof, search_words
from research.text import content_stems
from research.words import phrases_of

#: Most findings that a task is told, least number of stems that they share with it, and most bytes of each.
_KNOWN, _NEAR, _LONGEST = 3, 2, 200
_MOST_NAMES = 6
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
        return _gap_tasks(memo, allocation, remaining - kept_for_verification, config.language)
    claims = enumerate(memo.claims_to_verify[: min(remaining, config.max_claims)], start=1)
    return [_verification(place, claim, memo, allocation, config.language) for place, claim in claims]


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


def _gap_tasks(
    memo: ResearchMemo, allocation: ResearcherAllocation, limit: int, language: Language
) -> list[PlannedTask]:
    """Return at most `limit` tasks; a search for more candidates is always included if there is such a gap."""
    waiting = sorted((gap for gap in memo.gaps if gap.state == GapState.OPEN), key=lambda gap: gap.priority)
    tasks = [task for gap in waiting for task in _tasks_of(gap, memo, allocation, language)]
    chosen = tasks[: max(limit, 0)]
    more = {gap.id for gap in waiting if gap.gap_type == "missing_candidates"}
    if chosen and (left_out := [task for task in tasks[len(chosen) :] if task.gap_id in more]):
        chosen[-1] = left_out[0]
    return [replace(task, task_id=f"r2_{n}") for n, task in enumerate(chosen, start=1)]


def _tasks_of(
    gap: Gap, memo: ResearchMemo, allocation: ResearcherAllocation, language: Language
) -> Iterator[PlannedTask]:
    avoid = tuple(used_domains(memo)) if gap.missing_topic == DIVERSE_SOURCES else ()
    for about, question, query, kinds in _wishes(gap, memo, language):
        told, kind = _instructions(about, gap, memo, language), available_kind(kinds, allocation)
        yield PlannedTask("", kind, question, (query,), gap.id, told, avoid)


def _instructions(about: str, gap: Gap, memo: ResearchMemo, language: Language) -> str:
    """Return what is missing, where the question does not say it, and the findings that are nearest to it."""
    missing = one_line(gap.description)
    own = frozenset(content_stems(f"{about} {missing}", language))
    of_query = frozenset(content_stems(memo.query, language)) - own
    told = [(frozenset(content_stems(one.text, language)), one.text) for one in memo.findings]
    rated = [(len(stems & own), len(stems & of_query), text) for stems, text in told if stems & own]
    near = sorted((one for one in rated if one[0] + one[1] >= _NEAR), key=lambda one: (-one[0], -one[1]))[:_KNOWN]
    parts = [f"Missing: {shortened(missing, _LONGEST)}"] if missing else []
    parts += [f"Known: {' / '.join(shortened(one_line(text), _LONGEST) for *_, text in near)}"] if near else []
    return " ".join(parts)


def _wishes(gap: Gap, memo: ResearchMemo, language: Language) -> Iterator[tuple[str, str, str, tuple[Kind, ...]]]:
    """Yield what is asked for a gap without the words of the request, the question, a query and the kinds."""
    if gap.candidate_name and gap.missing_fields:
        yield from _field_wishes(gap, gap.candidate_name, gap.missing_fields, language)
        return
    told, query = phrases_of("tasks", language), gap.suggested_query or memo.query
    if gap.gap_type == "missing_candidates":
        names = [one.name for one in memo.candidates] if isinstance(memo, CatalogMemo) else []
        phrase = told["candidates" if names else "first"]
        question = phrase.format(names=", ".join(names[:_MOST_NAMES]), query=memo.query)
        yield gap.gap_type, question, query, FOR_PRICES
    elif gap.missing_topic == DIVERSE_SOURCES:
        yield DIVERSE_SOURCES, told["other_domains"].format(query=memo.query), query, FOR_PRICES
    else:
        topic = (gap.missing_topic or gap.description).replace("_", " ")
        yield topic, told["topic"].format(topic=topic), query, FOR_PRICES


def _field_wishes(
    gap: Gap, name: str, fields: Sequence[str], language: Language
) -> Iterator[tuple[str, str, str, tuple[Kind, ...]]]:
    """Yield a wish for the prices, one for proof and one for the others; for weak evidence one for all."""
    prices = [field for field in fields if is_pricing(field)]
    proof = [field for field in fields if is_proof(field)]
    others = [field for field in fields if field not in prices and field not in proof]
    parts = [("price", prices, FOR_PRICES), ("proof", proof, FOR_EVIDENCE), ("fields", others, FOR_PRICES)]
    is_weak = gap.gap_type == "weak_evidence"
    if is_weak:
        parts = [("weak", list(fields), FOR_PRICES if prices else FOR_EVIDENCE)]
    for phrase, own, kinds in parts:
        if own:
            what = ", ".join(search_words(field, language) for field in own)
            question = phrases_of("tasks", language)[phrase].format(name=name, what=what)
            query = (is_weak and gap.suggested_query) or field_query(name, own, language)
            yield f"{name} {what}", question, query, kinds

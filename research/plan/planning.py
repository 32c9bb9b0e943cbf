"""Plan the tasks of the three rounds: discovery, filling gaps, verification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from research.allocation import ResearcherAllocation, assign_questions
from research.config import Language, ResearchConfig
from research.gaps.catalog_gaps import field_query
from research.gaps.gap_closing import alike
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
#: Least share of stems that what two questions ask about has in common if one task answers both.
_SAME_QUESTION = 0.75
_MOST_NAMES = 6


_VERIFY = (
    "Verify this claim of {domain} by independent sources; those that contradict it count as much as those that "
    "confirm it. It belongs to the question: {query}"
)


@dataclass(frozen=True)
class _Wish:
    gaps: tuple[Gap, ...]
    #: What it asks about, without the words of the request.
    about: str
    question: str
    query: str
    kinds: tuple[Kind, ...]
    avoid: tuple[str, ...] = ()


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
    wishes = _merged((wish for gap in waiting for wish in _wishes(gap, memo, language)), language)
    chosen = wishes[: max(limit, 0)]
    discovery = next((wish for wish in wishes if wish.gaps[0].gap_type == "missing_candidates"), None)
    if chosen and discovery and discovery not in chosen:
        chosen[-1] = discovery
    return [_task(place, wish, memo, allocation, language) for place, wish in enumerate(chosen, start=1)]


def _task(
    place: int, wish: _Wish, memo: ResearchMemo, allocation: ResearcherAllocation, language: Language
) -> PlannedTask:
    first, *others = [gap.id for gap in wish.gaps]
    return PlannedTask(
        task_id=f"r2_{place}",
        kind=available_kind(wish.kinds, allocation),
        question=wish.question,
        queries=(wish.query,) if wish.query else (),
        gap_id=first or None,
        other_gaps=tuple(others),
        instructions=_instructions(wish, memo, language),
        avoid_domains=wish.avoid,
    )


def _instructions(wish: _Wish, memo: ResearchMemo, language: Language) -> str:
    """Return what is missing, where the question does not say it, and the findings that are nearest to it."""
    missing = [one_line(gap.description) for gap in wish.gaps if gap.description]
    own = frozenset(content_stems(" ".join([wish.about, *missing]), language))
    of_query = frozenset(content_stems(memo.query, language)) - own
    told = [(frozenset(content_stems(one.text, language)), one.text) for one in memo.findings]
    rated = [(len(stems & own), len(stems & of_query), text) for stems, text in told if stems & own]
    near = sorted((one for one in rated if one[0] + one[1] >= _NEAR), key=lambda one: (-one[0], -one[1]))[:_KNOWN]
    parts = [f"Missing: {shortened(' '.join(missing), _LONGEST)}"] if missing else []
    parts += [f"Known: {' / '.join(shortened(one_line(text), _LONGEST) for *_, text in near)}"] if near else []
    return " ".join(parts)


def _merged(wishes: Iterable[_Wish], language: Language) -> list[_Wish]:
    """Merge each wish into an earlier one that asks nearly the same."""
    kept: list[_Wish] = []
    for wish in wishes:
        near = (n for n, one in enumerate(kept) if alike(one.about, wish.about, language, _SAME_QUESTION))
        place = next(near, None)
        if place is None:
            kept.append(wish)
        else:
            gaps = {gap.id: gap for gap in (*kept[place].gaps, *wish.gaps)}
            kept[place] = replace(kept[place], gaps=tuple(gaps.values()))
    return kept


def _wishes(gap: Gap, memo: ResearchMemo, language: Language) -> list[_Wish]:
    if gap.candidate_name and gap.missing_fields:
        return _field_wishes(gap, gap.candidate_name, gap.missing_fields, language)
    return [_topic_wish(gap, memo, phrases_of("tasks", language))]


def _field_wishes(gap: Gap, name: str, fields: Sequence[str], language: Language) -> list[_Wish]:
    """Return a wish for the prices, one for proof and one for the others; for weak evidence one for all."""
    prices = [field for field in fields if is_pricing(field)]
    proof = [field for field in fields if is_proof(field)]
    others = [field for field in fields if field not in prices and field not in proof]
    parts = [("price", prices, FOR_PRICES), ("proof", proof, FOR_EVIDENCE), ("fields", others, FOR_PRICES)]
    own_query = None
    if gap.gap_type == "weak_evidence":
        parts = [("weak", list(fields), FOR_PRICES if prices else FOR_EVIDENCE)]
        own_query = gap.suggested_query
    wishes = []
    for phrase, own, kinds in parts:
        if own:
            what = ", ".join(search_words(field, language) for field in own)
            question = phrases_of("tasks", language)[phrase].format(name=name, what=what)
            query = own_query or field_query(name, own, language)
            wishes.append(_Wish((gap,), f"{name} {what}", question, query, kinds))
    return wishes


def _topic_wish(gap: Gap, memo: ResearchMemo, told: Mapping[str, str]) -> _Wish:
    query = gap.suggested_query or memo.query
    if gap.gap_type == "missing_candidates":
        names = [one.name for one in memo.candidates] if isinstance(memo, CatalogMemo) else []
        phrase = told["candidates" if names else "first"]
        question = phrase.format(names=", ".join(names[:_MOST_NAMES]), query=memo.query)
        return _Wish((gap,), gap.gap_type, question, query, FOR_PRICES)
    if gap.missing_topic == DIVERSE_SOURCES:
        question = told["other_domains"].format(query=memo.query)
        return _Wish((gap,), DIVERSE_SOURCES, question, query, FOR_PRICES, tuple(used_domains(memo)))
    topic = (gap.missing_topic or gap.description).replace("_", " ")
    return _Wish((gap,), topic, told["topic"].format(topic=topic), query, FOR_PRICES)

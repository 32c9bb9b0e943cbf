"""Plan the tasks of Round 2: one for each question of each open gap, most urgent first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research.allocation import KINDS, ResearcherAllocation
from research.config import Language
from research.gaps.gap_queries import field_query
from research.memo.domain_use import used_domains
from research.memo.gap_messages import DIVERSE_SOURCES, gap_in_english
from research.memo.types import Gap, GapState, ResearchMemo
from research.memo.worker_result import Kind
from research.plan.planned_task import PlannedTask
from research.questions.angles import aspect_of, subject_of
from research.questions.catalog_fields import is_pricing, is_proof, search_words

_FOR_PRICES: tuple[Kind, ...] = ("web", "book", "academic")
_FOR_PROOF: tuple[Kind, ...] = ("academic", "web", "book")
_EVIDENCE_ASPECTS = {"effects", "evidence", "mechanism"}
_QUESTIONS = {
    "en": {
        "price": "What does {name} cost?",
        "proof": "What do evaluations, studies and reviews say about {name}?",
        "fields": "{name}: {what}",
        "weak": "What do independent sources say about {name}: {what}?",
        "candidates": "Which other {subject} are there?",
        "other_domains": "What do other sources say about {subject}?",
        "topic": "{what}: {subject}",
    },
    "es": {
        "price": "¿Cuánto cuesta {name}?",
        "proof": "¿Qué dicen las evaluaciones, los estudios y las reseñas sobre {name}?",
        "fields": "{name}: {what}",
        "weak": "¿Qué dicen fuentes independientes sobre {name}: {what}?",
        "candidates": "¿Qué otros {subject} hay?",
        "other_domains": "¿Qué dicen otras fuentes sobre {subject}?",
        "topic": "{what}: {subject}",
    },
}
_INSTRUCTIONS = "To close this gap: {gap}. Bring the sentence that says it, word for word, with where it stands."


@dataclass(frozen=True)
class _Wish:
    gap: Gap
    question: str
    query: str
    kind: Kind
    avoid: tuple[str, ...] = ()


def gap_tasks(
    memo: ResearchMemo, allocation: ResearcherAllocation, limit: int, language: Language
) -> list[PlannedTask]:
    """Return at most `limit` tasks; a search for more candidates is always included if there is such a gap."""
    waiting = sorted((gap for gap in memo.gaps if gap.state == GapState.OPEN), key=lambda gap: gap.priority)
    wishes = [wish for gap in waiting for wish in _wishes(gap, memo, allocation, language)]
    chosen = wishes[: max(limit, 0)]
    discovery = next((wish for wish in wishes if wish.gap.gap_type == "missing_candidates"), None)
    if chosen and discovery and discovery not in chosen:
        chosen[-1] = discovery
    return [_task(place, wish) for place, wish in enumerate(chosen, start=1)]


def available_kind(wanted: Sequence[Kind], allocation: ResearcherAllocation) -> Kind:
    """Return the first wanted kind that has a researcher, else any kind that has one."""
    counts: dict[Kind, int] = {
        "web": allocation["web_count"],
        "academic": allocation["academic_count"],
        "book": allocation["book_count"],
    }
    return next((kind for kind in (*wanted, *KINDS) if counts[kind]), wanted[0])


def _task(place: int, wish: _Wish) -> PlannedTask:
    return PlannedTask(
        task_id=f"r2_{place}",
        kind=wish.kind,
        question=wish.question,
        queries_hint=(wish.query,) if wish.query else (),
        gap_id=wish.gap.id or None,
        instructions=_INSTRUCTIONS.format(gap=gap_in_english(wish.gap)),
        avoid_domains=wish.avoid,
    )


def _wishes(gap: Gap, memo: ResearchMemo, allocation: ResearcherAllocation, language: Language) -> Iterator[_Wish]:
    if gap.candidate_name and gap.missing_fields:
        yield from _field_wishes(gap, gap.candidate_name, gap.missing_fields, allocation, language)
    else:
        yield _topic_wish(gap, memo, allocation, language)


def _field_wishes(
    gap: Gap, name: str, fields: Sequence[str], allocation: ResearcherAllocation, language: Language
) -> Iterator[_Wish]:
    texts = _QUESTIONS[language]
    if gap.gap_type == "weak_evidence":
        what = ", ".join(search_words(field, language) for field in fields)
        kind = available_kind(_FOR_PRICES if any(map(is_pricing, fields)) else _FOR_PROOF, allocation)
        query = gap.suggested_query or field_query(name, fields, language)
        yield _Wish(gap, texts["weak"].format(name=name, what=what), query, kind)
        return
    prices = [field for field in fields if is_pricing(field)]
    proof = [field for field in fields if is_proof(field)]
    others = [field for field in fields if field not in prices and field not in proof]
    for own, text, kinds in (
        (prices, texts["price"], _FOR_PRICES),
        (proof, texts["proof"], _FOR_PROOF),
        (others, texts["fields"], _FOR_PRICES),
    ):
        if own:
            what = ", ".join(search_words(field, language) for field in own)
            question = text.format(name=name, what=what)
            yield _Wish(gap, question, field_query(name, own, language), available_kind(kinds, allocation))


def _topic_wish(gap: Gap, memo: ResearchMemo, allocation: ResearcherAllocation, language: Language) -> _Wish:
    texts, subject = _QUESTIONS[language], subject_of(memo.query, language)
    query = gap.suggested_query or subject
    if gap.gap_type == "missing_candidates":
        kind = available_kind(_FOR_PRICES, allocation)
        return _Wish(gap, texts["candidates"].format(subject=subject), query, kind)
    topic = gap.missing_topic or gap.description
    aspect = aspect_of(topic)
    proof = aspect is not None and aspect.label["en"] in _EVIDENCE_ASPECTS
    kind = available_kind(_FOR_PROOF if proof else _FOR_PRICES, allocation)
    if topic == DIVERSE_SOURCES:
        question = texts["other_domains"].format(subject=subject)
        return _Wish(gap, question, query, kind, tuple(used_domains(memo)))
    what = f"{topic.replace('_', ' ')} ({aspect.search[language]})" if aspect else topic
    return _Wish(gap, texts["topic"].format(what=what, subject=subject), query, kind)

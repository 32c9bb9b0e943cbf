"""Plan the tasks of Round 2: one for each question of each open gap, most urgent first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from research.allocation import ResearcherAllocation
from research.config import Language
from research.gaps.gap_closing import alike
from research.gaps.gap_queries import field_query
from research.memo import CatalogMemo
from research.memo.bounded_lines import one_line, shortened
from research.memo.domain_use import used_domains
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.types import Gap, GapState, ResearchMemo
from research.memo.worker_result import Kind
from research.plan.kinds import available_kind
from research.plan.planned_task import PlannedTask
from research.questions.catalog_fields import is_pricing, is_proof, search_words
from research.text import content_stems

#: Most findings that a task is told, least number of stems that they share with it, and most bytes of each.
_KNOWN, _NEAR, _LONGEST = 3, 2, 200
#: Least share of stems that what two questions ask about has in common if one task answers both.
_SAME_QUESTION = 0.75
#: All of these kinds, the first that is available.
_FOR_PRICES: tuple[Kind, ...] = ("web", "book", "academic")
_FOR_PROOF: tuple[Kind, ...] = ("academic", "web", "book")
_QUESTIONS = {
    "en": {
        "price": "What does {name} cost?",
        "proof": "What do evaluations, studies and reviews say about {name}?",
        "fields": "What is said of {name} on its {what}?",
        "weak": "What do independent sources say about {name} on its {what}?",
        "candidates": "Which others, besides {names}, answer this: {query}",
        "first": "Who or what answers this: {query}",
        "other_domains": "What do other sources say about this: {query}",
        "topic": "What do the sources say about {topic}?",
    },
    "es": {
        "price": "¿Cuánto cuesta {name}?",
        "proof": "¿Qué dicen las evaluaciones, los estudios y las reseñas sobre {name}?",
        "fields": "¿Qué se dice de {name} sobre {what}?",
        "weak": "¿Qué dicen fuentes independientes de {name} sobre {what}?",
        "candidates": "¿Qué otros, además de {names}, responden a esto: {query}",
        "first": "¿Quién o qué responde a esto: {query}",
        "other_domains": "¿Qué dicen otras fuentes sobre esto: {query}",
        "topic": "¿Qué dicen las fuentes sobre {topic}?",
    },
}
_MOST_NAMES = 6


@dataclass(frozen=True)
class _Wish:
    gaps: tuple[Gap, ...]
    #: What it asks about, without the words of the request.
    about: str
    question: str
    query: str
    kinds: tuple[Kind, ...]
    avoid: tuple[str, ...] = ()


def gap_tasks(
    memo: ResearchMemo, allocation: ResearcherAllocation, limit: int, language: Language
) -> list[PlannedTask]:
    """Return at most `limit` tasks; a search for more candidates is always included if there is such a gap."""
    waiting = sorted((gap for gap in memo.gaps if gap.state == GapState.OPEN), key=lambda gap: gap.priority)
    wishes = _merged([wish for gap in waiting for wish in _wishes(gap, memo, language)], language)
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


def _merged(wishes: Sequence[_Wish], language: Language) -> list[_Wish]:
    """Merge each wish into an earlier one that asks nearly the same."""
    kept: list[_Wish] = []
    for wish in wishes:
        place = next((n for n, one in enumerate(kept) if _is_one(one, wish, language)), None)
        if place is None:
            kept.append(wish)
        else:
            first = kept[place]
            new = tuple(gap for gap in wish.gaps if gap.id not in {one.id for one in first.gaps})
            kept[place] = replace(first, gaps=(*first.gaps, *new))
    return kept


def _is_one(one: _Wish, other: _Wish, language: Language) -> bool:
    return alike(one.about, other.about, language, _SAME_QUESTION)


def _wishes(gap: Gap, memo: ResearchMemo, language: Language) -> Iterator[_Wish]:
    if gap.candidate_name and gap.missing_fields:
        yield from _field_wishes(gap, gap.candidate_name, gap.missing_fields, language)
    else:
        yield _topic_wish(gap, memo, language)


def _field_wishes(gap: Gap, name: str, fields: Sequence[str], language: Language) -> Iterator[_Wish]:
    texts = _QUESTIONS[language]
    if gap.gap_type == "weak_evidence":
        kinds = _FOR_PRICES if any(map(is_pricing, fields)) else _FOR_PROOF
        query = gap.suggested_query or field_query(name, fields, language)
        what = _named(fields, language)
        yield _Wish((gap,), f"{name} {what}", texts["weak"].format(name=name, what=what), query, kinds)
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
            what = _named(own, language)
            question = text.format(name=name, what=what)
            yield _Wish((gap,), f"{name} {what}", question, field_query(name, own, language), kinds)


def _topic_wish(gap: Gap, memo: ResearchMemo, language: Language) -> _Wish:
    texts = _QUESTIONS[language]
    query = gap.suggested_query or memo.query
    if gap.gap_type == "missing_candidates":
        names = [one.name for one in memo.candidates] if isinstance(memo, CatalogMemo) else []
        text = texts["candidates" if names else "first"]
        question = text.format(names=", ".join(names[:_MOST_NAMES]), query=memo.query)
        return _Wish((gap,), gap.gap_type, question, query, _FOR_PRICES)
    if gap.missing_topic == DIVERSE_SOURCES:
        question = texts["other_domains"].format(query=memo.query)
        return _Wish((gap,), DIVERSE_SOURCES, question, query, _FOR_PRICES, tuple(used_domains(memo)))
    topic = (gap.missing_topic or gap.description).replace("_", " ")
    return _Wish((gap,), topic, texts["topic"].format(topic=topic), query, _FOR_PRICES)


def _named(fields: Sequence[str], language: Language) -> str:
    return ", ".join(search_words(field, language) for field in fields)

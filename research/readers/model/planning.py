"""Ask a model for the plan of a report, and for what the findings of a round do not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from research.gaps.gap_closing import gap_id
from research.memo import Gap
from research.memo.worker_result import Finding
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.passages import plain
from research.readers.model.planning_prompts import (
    ALLOCATION_GUIDELINES,
    GAPS_SYSTEM,
    PLAN_SYSTEM,
    REQUEST_IS_DATA,
)
from research.readers.model.reading_prompts import DATA
from research.readers.protocol import Asked, Plan

#: Most characters of a question, an aspect and the reasoning.
_QUESTION, _ASPECT, _REASONING = 400, 60, 800
_MOST_ASPECTS = 6
#: Most researchers of a kind.
_MOST_RESEARCHERS = 3
_MOST_GAPS = 5
#: Most findings of a question, and most characters of each, of a topic and of another text of a gap.
_FINDINGS, _FINDING, _TOPIC, _TEXT = 8, 400, 80, 300


class PlanReply(Reply):
    """A plan as a model gives it; the numbers of researchers may be too large together."""

    questions: list[str] = Field(min_length=1)
    aspects: list[str] = Field(default_factory=list)
    reasoning: str = ""
    web_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    academic_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    book_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    allocation_reasoning: str = ""


class GapGiven(Reply):
    """A gap as a model gives it."""

    topic: str = Field(min_length=1)
    description: str = Field(min_length=1)
    priority: int = Field(ge=1, le=3)
    search_query: str = ""


class GapsGiven(Reply):
    """The gaps, most important first."""

    gaps: list[GapGiven] = Field(default_factory=list)


def plan_of(asking: Asking, asked: Asked, most_questions: int) -> Plan | None:
    """Return the model's plan, None if its reply cannot be used."""
    guidelines = "\n".join(f"- {what}: {', '.join(map(str, counts))}" for what, counts in ALLOCATION_GUIDELINES)
    system = PLAN_SYSTEM.format(
        guidelines=guidelines, most=most_questions, language=LANGUAGE_NAMES[asked.language]
    )
    reply = asking.ask("plan", f"{system}\n\n{REQUEST_IS_DATA}", _request(asked), PlanReply, "research.plan")
    if reply is None:
        return None
    questions = _lines(reply.questions, _QUESTION)[:most_questions]
    if not questions:
        asking.failed("plan", "no_question")
        return None
    counts = (reply.web_researchers, reply.academic_researchers, reply.book_researchers)
    return Plan(
        questions,
        _lines(reply.aspects, _ASPECT)[:_MOST_ASPECTS],
        _line(reply.reasoning, _REASONING),
        counts if any(counts) else None,
        _line(reply.allocation_reasoning, _REASONING),
    )


def _request(asked: Asked) -> str:
    items = f"\nItems: {asked.count}" if asked.count else ""
    fields = f"\nFields of each: {', '.join(asked.fields)}" if asked.fields else ""
    return f"Request: {asked.query}\nKind of report: {asked.report_type}{items}{fields}"


def gaps_of(asking: Asking, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
    """Return at most five gaps, each a missing topic; none if the reply cannot be used."""
    told = "\n\n".join(_under(question, found) for question, found in findings.items())
    user = f"Request: {asked.query}\nAspects: {'; '.join(plan.aspects)}\n\nFound so far:\n{told}"
    system = f"{GAPS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
    reply = asking.ask("gaps", system, user, GapsGiven, "research.gaps")
    return [_gap(given) for given in reply.gaps[:_MOST_GAPS]] if reply else []


def _under(question: str, found: Sequence[Finding]) -> str:
    quotes = dict.fromkeys(" ".join(finding.quote.split())[:_FINDING] for finding in found[:_FINDINGS])
    lines = [f"<p{number}>{plain(quote)}</p{number}>" for number, quote in enumerate(quotes, start=1)]
    return "\n".join([f"{' '.join(question.split())}", *(lines or ["nothing"])])


def _gap(given: GapGiven) -> Gap:
    topic = _line(given.topic, _TOPIC)
    return Gap(
        gap_type="missing_topic",
        description=_line(given.description, _TEXT),
        priority=given.priority,
        missing_topic=topic,
        suggested_query=_line(given.search_query, _TEXT) or None,
        id=gap_id("missing_topic", topic=topic),
    )


def _lines(texts: Sequence[str], longest: int) -> tuple[str, ...]:
    told = (" ".join(text.split()) for text in texts)
    return tuple(dict.fromkeys(text for text in told if 0 < len(text) <= longest))


def _line(text: str, longest: int) -> str:
    return " ".join(text.split())[:longest]

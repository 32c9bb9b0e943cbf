"""Ask a model for the questions, aspects and researchers of a report, all in one request."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.planning_prompts import ALLOCATION_GUIDELINES, PLAN_SYSTEM, REQUEST_IS_DATA
from research.readers.protocol import Asked, Plan

#: Most characters of a question, an aspect and the reasoning.
_QUESTION, _ASPECT, _REASONING = 400, 60, 800
_MOST_ASPECTS = 6
#: Most researchers of a kind.
_MOST_RESEARCHERS = 3


class PlanReply(Reply):
    """A plan as a model gives it; the numbers of researchers may be too large together."""

    questions: list[str] = Field(min_length=1)
    aspects: list[str] = Field(default_factory=list)
    reasoning: str = ""
    web_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    academic_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    book_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    allocation_reasoning: str = ""


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
        " ".join(reply.reasoning.split())[:_REASONING],
        counts if any(counts) else None,
        " ".join(reply.allocation_reasoning.split())[:_REASONING],
    )


def _request(asked: Asked) -> str:
    items = f"\nItems: {asked.count}" if asked.count else ""
    fields = f"\nFields of each: {', '.join(asked.fields)}" if asked.fields else ""
    return f"Request: {asked.query}\nKind of report: {asked.report_type}{items}{fields}"


def _lines(texts: Sequence[str], longest: int) -> tuple[str, ...]:
    told = (" ".join(text.split()) for text in texts)
    return tuple(dict.fromkeys(text for text in told if 0 < len(text) <= longest))

"""Ask a model what the findings do not say of what the request asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from research.gaps.gap_closing import gap_id
from research.memo import Gap
from research.memo.worker_result import Finding
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.passages import plain
from research.readers.model.planning_prompts import GAPS_SYSTEM
from research.readers.model.reading_prompts import DATA
from research.readers.protocol import Asked, Plan

MOST_GAPS = 5
#: Most findings of a question, and most characters of each.
_FINDINGS, _FINDING = 8, 400
_TOPIC, _TEXT = 80, 300


class GapGiven(Reply):
    """A gap as a model gives it."""

    topic: str = Field(min_length=1)
    description: str = Field(min_length=1)
    priority: int = Field(ge=1, le=3)
    search_query: str = ""


class GapsGiven(Reply):
    """The gaps, most important first."""

    gaps: list[GapGiven] = Field(default_factory=list)


def gaps_of(asking: Asking, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
    """Return at most five gaps, each a missing topic; none if the reply cannot be used."""
    told = "\n\n".join(_under(question, found) for question, found in findings.items())
    user = f"Request: {asked.query}\nAspects: {'; '.join(plan.aspects)}\n\nFound so far:\n{told}"
    system = f"{GAPS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
    reply = asking.ask("gaps", system, user, GapsGiven, "research.gaps")
    return [_gap(given) for given in reply.gaps[:MOST_GAPS]] if reply else []


def _under(question: str, found: Sequence[Finding]) -> str:
    quotes = dict.fromkeys(" ".join(finding.quote.split())[:_FINDING] for finding in found[:_FINDINGS])
    lines = [f"<p{number}>{plain(quote)}</p{number}>" for number, quote in enumerate(quotes, start=1)]
    return "\n".join([f"{' '.join(question.split())}", *(lines or ["nothing"])])


def _gap(given: GapGiven) -> Gap:
    topic = " ".join(given.topic.split())[:_TOPIC]
    return Gap(
        gap_type="missing_topic",
        description=" ".join(given.description.split())[:_TEXT],
        priority=given.priority,
        missing_topic=topic,
        suggested_query=" ".join(given.search_query.split())[:_TEXT] or None,
        id=gap_id("missing_topic", topic=topic),
    )

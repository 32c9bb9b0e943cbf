"""Let a model propose gaps from the notes, in addition to those found by rule."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from core.llm import Model
from research.gaps.gap_closing import gap_id
from research.memo.types import Gap
from research.readers.model.prompts import PROPOSE_GAPS_SYSTEM
from research.report_type import ReportType

MAX_PROPOSED = 5
_MAX_NOTES = 12_000
_MAX_TOPIC = 80
_MAX_TEXT = 300


class _Proposed(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    topic: str = Field(min_length=1)
    description: str = Field(min_length=1)
    priority: int = Field(ge=1, le=3)
    search_query: str = ""


class _Proposals(BaseModel):
    model_config = ConfigDict(extra="forbid")

    gaps: list[_Proposed]


def propose_gaps(
    query: str, report_type: ReportType, notes: str, model: Model, *, round_index: int = 1
) -> list[Gap]:
    """Return at most five gaps, each a missing topic. Raises ModelError."""
    user = f"Question: {query[:4000]}\nReport: {report_type}\n\n## Notes\n{notes[:_MAX_NOTES]}"
    reply, _ = model.ask(PROPOSE_GAPS_SYSTEM, user, _Proposals, purpose="propose_gaps")
    return [_gap(proposed, round_index) for proposed in reply.gaps[:MAX_PROPOSED]]


def _gap(proposed: _Proposed, round_index: int) -> Gap:
    topic = " ".join(proposed.topic.split())[:_MAX_TOPIC]
    return Gap(
        gap_type="missing_topic",
        description=" ".join(proposed.description.split())[:_MAX_TEXT],
        priority=proposed.priority,
        missing_topic=topic,
        suggested_query=" ".join(proposed.search_query.split())[:_MAX_TEXT] or None,
        id=gap_id("missing_topic", topic=topic),
        opened_round=round_index,
    )

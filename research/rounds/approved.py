"""Draw up the plan of a report by rule or model, and read the approved one from its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from research.allocation import (
    ResearcherAllocation,
    effective_allocation,
    explain_allocation,
    parse_allocation,
    without_unavailable,
)
from research.memo.worker_result import Kind
from research.plan.allocation_choice import choose_allocation
from research.plan.planning import plan_questions
from research.running.context import RoundContext
from research.sources.base import SourceKind


@dataclass(frozen=True)
class ApprovedPlan:
    """The plan that the rounds follow."""

    questions: list[str]
    allocation: ResearcherAllocation
    angles: list[str]


def drawn_plan(context: RoundContext) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return plan and allocation as stored, and the model's reasoning; the allocation is kept by origin.

    The reasoning is "" if the model did not choose the researchers.
    """
    brief = context.brief
    drawn = plan_questions(brief.query, brief.report_type, brief.config, brief.language, model=context.model)
    user = parse_allocation(brief.allocation) if brief.allocation else None
    chosen = None if user else choose_allocation(brief.query, context.model)
    model = chosen.counts if chosen else None
    wanted = effective_allocation(user, model)
    effective, reasons = without_unavailable(wanted, available_kinds(context))
    plan = {
        "questions": list(drawn.questions),
        "angles": list(drawn.angles),
        "reasoning": drawn.reasoning,
        "allocation": dict(effective),
    }
    allocation = {
        "user": brief.allocation,
        "model": None if model is None else dict(model),
        "effective": dict(effective),
        "notes": [note.to_json() for note in (explain_allocation(user, model), *reasons)],
    }
    return plan, allocation, chosen.reasoning if chosen else ""


def approved_plan(context: RoundContext) -> ApprovedPlan:
    """Return the plan in the report's row."""
    plan: Mapping[str, Any] = context.store.progress.plan() or {}
    return ApprovedPlan(
        questions=[str(question) for question in plan["questions"]],
        allocation=_allocation(plan["allocation"]),
        angles=[str(angle) for angle in plan.get("angles", ())],
    )


def available_kinds(context: RoundContext) -> Sequence[Kind]:
    """Return the permitted kinds of researchers that have something to search."""
    in_library = context.store.progress.library_kinds()
    essays = context.brief.asks_essays and "essay" in in_library
    return [kind for kind in context.brief.kinds if essays or _answered(context, kind, in_library)]


def _answered(context: RoundContext, kind: SourceKind, in_library: frozenset[str]) -> bool:
    providers = context.providers(kind)
    return any(provider.name != "library" for provider in providers) or kind in in_library


def _allocation(kept: Mapping[str, Any]) -> ResearcherAllocation:
    return ResearcherAllocation(
        web_count=int(kept["web_count"]),
        academic_count=int(kept["academic_count"]),
        book_count=int(kept["book_count"]),
    )

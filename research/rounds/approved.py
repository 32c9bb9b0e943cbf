"""Draw up the plan of a report, and read the approved one from its row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from research.allocation import (
    ResearcherAllocation,
    allocation_of,
    effective_allocation,
    explain_allocation,
    without_unavailable,
)
from research.memo.worker_result import Kind
from research.readers.protocol import Plan
from research.running.context import RoundContext


def drawn_plan(context: RoundContext) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return plan and allocation as stored, and why these researchers; the allocation is kept by origin.

    The last is "" if the reader did not choose the researchers.
    """
    brief = context.brief
    drawn = context.reader.plan(brief.asked, brief.config.max_questions)
    user = brief.allocation or None
    chosen = None if user or drawn.researchers is None else allocation_of(drawn.researchers)
    effective, reasons = without_unavailable(effective_allocation(user, chosen), available_kinds(context))
    plan = {
        "questions": list(drawn.questions),
        "angles": list(drawn.aspects),
        "reasoning": drawn.reasoning,
        "allocation": dict(effective),
    }
    allocation = {
        "user": user,
        "model": None if chosen is None else dict(chosen),
        "effective": dict(effective),
        "notes": [note.to_json() for note in (explain_allocation(user, chosen), *reasons)],
    }
    return plan, allocation, drawn.allocation_reasoning if chosen else ""


def approved_plan(context: RoundContext) -> tuple[Plan, ResearcherAllocation]:
    """Return the plan in the report's row, and its researchers."""
    stored = context.store.progress.plan() or {}
    plan = Plan(tuple(stored["questions"]), tuple(stored.get("angles", ())), "")
    return plan, stored["allocation"]


def available_kinds(context: RoundContext) -> Sequence[Kind]:
    """Return the permitted kinds of researchers that have something to search."""
    in_library = context.store.progress.library_kinds()
    if context.brief.asks_essays and "essay" in in_library:
        return context.brief.kinds
    return [
        kind
        for kind in context.brief.kinds
        if any(provider.name != "library" or kind in in_library for provider in context.providers(kind))
    ]

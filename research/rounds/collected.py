"""Collect the writer's material: everything from the rounds, in order of tasks."""

from __future__ import annotations

from research.material import ReportMaterial
from research.memo import ResearchMemo
from research.rounds.approved import approved_plan
from research.rounds.memo_building import build_round_memo
from research.rounds.routing import LAST_ROUND
from research.rounds.troubles import troubles
from research.running.context import RoundContext


def material(context: RoundContext, unanswered: int) -> ReportMaterial:
    """Return the material of all rounds; `unanswered`: number of model calls without a usable reply."""
    stored = context.store.rounds.tasks()
    rows = context.store.sources.all()
    plan = approved_plan(context)
    return ReportMaterial(
        query=context.brief.query,
        report_type=context.brief.report_type,
        config=context.brief.config,
        memo=_last_memo(context),
        results=tuple(task.result for task in stored if task.result is not None),
        sources={row.key: context.store.sources.text(row) for row in rows if row.status == "read"},
        questions=tuple(plan.questions),
        aspects=tuple(plan.aspects),
        year=context.brief.year,
        troubles=tuple(troubles(context, rows, unanswered)),
    )


def evidence_found(given: ReportMaterial) -> bool:
    """Return whether there is any finding."""
    return any(result.findings for result in given.results)


def _last_memo(context: RoundContext) -> ResearchMemo:
    brief = context.brief
    for index in range(LAST_ROUND, 0, -1):
        memo = context.store.rounds.memo(index)
        if memo is not None:
            return memo
    return build_round_memo(brief.query, brief.report_type, 1, [], None, brief.config)

"""Collect the writer's material: everything from the rounds, in order of tasks, and what went wrong in them."""

from __future__ import annotations

from collections.abc import Sequence

from research.material import ReportMaterial
from research.rounds.approved import approved_plan
from research.rounds.routing import LAST_ROUND
from research.running.context import RoundContext
from research.storage.sources import StoredSource
from research.words import phrases_of


def material(context: RoundContext, unanswered: int) -> ReportMaterial:
    """Return the material of all rounds; `unanswered`: number of model calls without a usable reply."""
    brief, store = context.brief, context.store
    rows = store.sources.all()
    plan, _ = approved_plan(context)
    return ReportMaterial(
        query=brief.query,
        report_type=brief.report_type,
        config=brief.config,
        memo=next(memo for index in range(LAST_ROUND, 0, -1) if (memo := store.rounds.memo(index))),
        results=tuple(task.result for task in store.rounds.tasks() if task.result is not None),
        sources={row.key: store.sources.text(row) for row in rows if row.status == "read"},
        questions=plan.questions,
        aspects=plan.aspects,
        year=brief.year,
        troubles=tuple(troubles(context, rows, unanswered)),
    )


def troubles(context: RoundContext, rows: Sequence[StoredSource], unanswered: int) -> list[str]:
    """Return a sentence for each kind of problem that occurred, for the report's limits."""
    said = phrases_of("troubles", context.brief.language)
    found = []
    if (resource := context.budget.exhausted) is not None:
        found.append(said["budget"].format(resource=said[resource]))
    if unanswered:
        found.append(said["model" if unanswered == 1 else "models"].format(count=unanswered))
    for provider in sorted({row.provider for row in rows if row.is_provider}):
        found.append(said["provider"].format(provider=provider))
    unread = sum(row.status == "failed" and not row.is_provider for row in rows)
    if unread:
        found.append(said["source" if unread == 1 else "sources"].format(count=unread))
    return found

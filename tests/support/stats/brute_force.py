"""All counts, made by walking over all rows in Python: what the table of counts is held against."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import (
    ModelCallRow,
    OrchestratorCount,
    OrchestratorLog,
    ReviewDecision,
    ReviewEffort,
    ReviewSuggestion,
    ReviewSuggestionField,
    RunFact,
    UploadBatch,
)

#: (scope, its id, day, kind, keys, profile, language, provider)
Key = tuple[str, str, date, str, tuple[str, ...], str, str, str]
#: Number, total, tokens in, tokens out, cost.
Sums = tuple[int, int, int, int, Decimal]
_BOUNDS = [0, *sorted({round(2 ** (power / 2)) for power in range(52)})]
Happened = tuple[datetime, str, tuple[str, ...], int, int, int, Decimal]


def counted(session: Session) -> dict[Key, Sums]:
    """The table of counts, without rows that count nothing."""
    return {
        (
            row.scope,
            str(row.scope_id) if row.scope in ("batch", "school") else "",
            row.day,
            row.kind,
            tuple(row.keys),
            row.profile,
            row.language,
            row.ocr_provider,
        ): (row.number, row.total, row.tokens_in, row.tokens_out, row.cost_usd)
        for row in session.scalars(select(OrchestratorCount))
        if row.number
    }


def brute_force(session: Session) -> dict[Key, Sums]:
    """What the table of counts has to be."""
    found: dict[Key, list[Any]] = defaultdict(lambda: [0, 0, 0, 0, Decimal(0)])
    for fact in session.scalars(select(RunFact)):
        where = (fact.profile or "", fact.language or "", fact.ocr_provider or "")
        for at, kind, keys, *sums in _of_run(session, fact):
            day = at.astimezone(UTC).date()
            scopes = [("day", "", day), ("month", "", day.replace(day=1)), ("batch", str(fact.batch_id), day)]
            if fact.school_id:
                scopes.append(("school", str(fact.school_id), day))
            rows = [(*scope, kind, keys, *where) for scope in scopes]
            for scope, _, first in scopes[:2]:
                rows.append((f"all_{scope}", "", first, kind, keys, "", "", ""))
                rows.append((f"form_{scope}", "", first, kind, keys, where[0], "", ""))
                rows.append((f"language_{scope}", "", first, kind, keys, "", where[1], ""))
                rows.append((f"provider_{scope}", "", first, kind, keys, "", "", where[2]))
            for key in rows:
                row = found[key]
                for place, value in enumerate([1, *sums]):
                    row[place] += value
    return {key: tuple(row) for key, row in found.items()}  # type: ignore[misc]


def _of_run(session: Session, fact: RunFact) -> Iterator[Happened]:
    uploaded = session.get_one(UploadBatch, fact.batch_id).created_at
    yield _one(fact.ended_at, "run", (fact.outcome, fact.reason), len(fact.tools))
    for name in fact.fields:
        yield _one(fact.ended_at, "field", (fact.outcome, fact.reason, name))
    for code in fact.doubts:
        yield _one(fact.ended_at, "doubt", (fact.outcome, code))
    for tool in fact.tools:
        yield _one(fact.ended_at, "tool", (tool,))
    if fact.outcome == "completed":
        yield _one(fact.ended_at, "settled", ("machine", _bucket((fact.ended_at - uploaded).total_seconds())))
    for call in session.scalars(select(ModelCallRow).where(ModelCallRow.run_id == fact.run_id)):
        answer = "ok" if call.status == "ok" else call.error_code or "failed"
        keys = (call.provider, call.model, answer, "retry" if call.attempt > 1 else "first")
        sums = (call.latency_ms, call.tokens_in, call.tokens_out, call.cost_usd)
        yield (call.created_at, "call", keys, *sums)
    for step in session.scalars(select(OrchestratorLog).where(OrchestratorLog.run_id == fact.run_id)):
        keys = (step.action_taken, _bucket(step.duration_ms))
        yield _one(step.timestamp, "node", keys, step.duration_ms)
    proposed = session.scalars(
        select(ReviewSuggestionField)
        .join(ReviewSuggestion, ReviewSuggestion.id == ReviewSuggestionField.suggestion_id)
        .where(ReviewSuggestion.run_id == fact.run_id)
    ).all()
    for field in proposed:
        yield _one(fact.ended_at, "offered", _proposal(field))
    of_entry = select(ReviewDecision).where(ReviewDecision.submission_id == fact.submission_id)
    for decision in session.scalars(of_entry):
        if decision.before["run"]["run_id"] == fact.run_id:
            yield from _of_decision(session, decision, uploaded, proposed)


def _of_decision(
    session: Session, decision: ReviewDecision, uploaded: datetime, proposed: Any
) -> Iterator[Happened]:
    at, decided_as = decision.created_at, decision.before.get("counted")
    effort = session.get(ReviewEffort, decision.id)
    if effort is not None:
        seconds = "" if effort.seconds is None else _bucket(effort.seconds)
        yield _one(at, "effort", (decision.kind, seconds), effort.edits)
        if decision.undone_at is not None:
            yield _one(decision.undone_at, "undone", (decision.kind,))
    if decision.undone_at is not None:
        return
    if decided_as is not None:
        yield _one(at, "by_person", (decided_as["outcome"], decided_as["reason"]))
        if decided_as["outcome"] in ("resolved", "rejected"):
            yield _one(at, "settled", ("person", _bucket((at - uploaded).total_seconds())))
    if decision.kind == "suggestion":
        for field in proposed:
            yield _one(at, "decided", (*_proposal(field), field.decision))


def _proposal(field: ReviewSuggestionField) -> tuple[str, str, str]:
    code = field.reason.code if field.reason else ""
    if code == "nothing_proposed_for_field":
        origin = "nothing"
    elif code == "spelled_as_others":
        origin = "batch"
    elif code == "confirm_as_read":
        origin = "as_read"
    elif field.source in ("model", "school_list"):
        origin = field.source
    else:
        origin = "second_reading"
    return field.name, code, origin


def _one(at: datetime, kind: str, keys: tuple[str, ...], total: int = 0) -> Happened:
    return at, kind, keys, total, 0, 0, Decimal(0)


def _bucket(value: float) -> str:
    return str(_BOUNDS[bisect_right(_BOUNDS, int(value)) - 1])

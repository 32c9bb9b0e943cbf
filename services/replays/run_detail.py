"""One run for its page: what each step saw and decided, and by which numbers, without values of the entry."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import (
    Escalation,
    ModelCallRow,
    OrchestratorLog,
    Profile,
    ReviewDecision,
    ReviewSuggestion,
    Run,
    Season,
    Submission,
)
from core.plain_data import built
from pipeline.orchestrator.decisions import Step, TableRow, decision_table
from pipeline.orchestrator_state import Outcome
from services.accounts.person import name_of
from services.context import Context

#: Steps after which a rule of the table chooses the route.
ROUTED = (Step.RUN_PIPELINE.value, Step.SECOND_READER.value, Step.RETRY_WITH_LLM.value)


@dataclass(frozen=True)
class SeenField:
    """What a step knew of one field."""

    name: str
    confidence: float
    source: str | None


@dataclass(frozen=True)
class StepCall:
    """The numbers of one call of a model, never the question or the answer."""

    purpose: str
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    latency_ms: int
    attempt: int | None
    error_code: str | None


@dataclass(frozen=True)
class RunStep:
    step: int
    action: str
    at: datetime
    duration_ms: int
    reason: Message | None
    #: The edge that was taken; None at the end of a run.
    route: str | None
    confidence: float | None
    missing: tuple[str, ...]
    weak: tuple[str, ...]
    blocking: tuple[str, ...]
    fields: tuple[SeenField, ...]
    #: The rules down to the one that decided; empty if no rule chooses.
    table: list[TableRow]
    calls: tuple[StepCall, ...]
    tokens_in: int
    tokens_out: int
    cost_usd: Decimal
    final_outcome: str | None
    trace_id: str | None

    @property
    def by_person(self) -> bool:
        """Whether it is the decision of a person with which the graph was resumed."""
        return self.final_outcome in (Outcome.RESOLVED, Outcome.REJECTED)


@dataclass(frozen=True)
class RunDecision:
    """A person's decision on the entry while this was its run."""

    kind: str
    at: datetime
    actor: str
    undone: bool


@dataclass(frozen=True)
class RunDetail:
    run_id: str
    run_no: int
    submission_id: uuid.UUID
    season_id: uuid.UUID
    season: str
    status: str
    outcome: str | None
    reason: Message | None
    #: What was asked for when the entry was read again: names of settings and their keys.
    options: dict[str, Any]
    attempts: int
    created_at: datetime
    started_at: datetime | None
    settled_at: datetime | None
    #: When its checkpoints were removed.
    pruned_at: datetime | None
    reopened: bool
    #: Values that the pass over the other entries changed; None before it has run.
    changed_together: int | None
    steps: list[RunStep]
    #: Calls of models that no step names, made by an interrupted node.
    other_calls: tuple[StepCall, ...]
    suggestion_id: uuid.UUID | None
    escalation_id: uuid.UUID | None
    decisions: list[RunDecision]
    #: Numbers of the entry's other runs.
    other_runs: list[int]

    @property
    def duration_ms(self) -> int:
        """Milliseconds of all steps."""
        return sum(step.duration_ms for step in self.steps)

    @property
    def routes(self) -> list[tuple[str, str]]:
        """(node, edge) of the steps, in order."""
        return [(step.action, step.route) for step in self.steps if step.route is not None]


def run_detail(context: Context, run_id: str) -> RunDetail:
    """Return the run. Raises NotFoundError."""
    with context.database.reading() as session:
        row = session.execute(
            select(Run, Season.name).join(Season, Season.id == Run.season_id).where(Run.run_id == run_id)
        ).one_or_none()
        if row is None:
            raise NotFoundError("no such run")
        run, season = row
        logs = session.scalars(
            select(OrchestratorLog).filter_by(run_id=run_id).order_by(OrchestratorLog.step)
        ).all()
        steps = [step_of(log) for log in logs]
        runs = select(Run.run_no).where(Run.submission_id == run.submission_id, Run.run_no != run.run_no)
        return built(
            RunDetail,
            run,
            season=season,
            options=dict(run.options),
            changed_together=None if run.together is None else len(run.together),
            steps=steps,
            other_calls=_other_calls(session, run_id, steps),
            suggestion_id=session.scalar(select(ReviewSuggestion.id).filter_by(run_id=run_id)),
            escalation_id=session.scalar(select(Escalation.id).filter_by(run_id=run_id)),
            decisions=_decisions(session, run),
            other_runs=list(session.scalars(runs.order_by(Run.run_no))),
        )


def step_of(log: OrchestratorLog) -> RunStep:
    """Return a row of the log as a step."""
    trace = log.trace_json or {}
    values = trace.get("values") or {}
    readings = values.get("readings") or {}
    return built(
        RunStep,
        log,
        action=log.action_taken,
        at=log.timestamp,
        route=trace.get("route"),
        confidence=values.get("confidence"),
        missing=tuple(values.get("missing_fields", ())),
        weak=tuple(values.get("weak_fields", ())),
        blocking=tuple(values.get("blocking_codes", ())),
        fields=tuple(
            SeenField(name, one.get("confidence") or 0.0, one.get("source")) for name, one in readings.items()
        ),
        table=decision_table(trace, log.tools_used) if log.action_taken in ROUTED else [],
        calls=tuple(_call(one) for one in trace.get("model_calls", ())),
    )


def _call(call: dict[str, Any]) -> StepCall:
    return StepCall(
        purpose=call["purpose"],
        provider=call["provider"],
        model=call["model"],
        tokens_in=call["tokens_in"],
        tokens_out=call["tokens_out"],
        latency_ms=call["latency_ms"],
        attempt=call.get("attempt"),
        error_code=call.get("error_code"),
    )


def _other_calls(session: Session, run_id: str, steps: Sequence[RunStep]) -> tuple[StepCall, ...]:
    """Return the calls of the ledger that no step names, oldest first."""
    rows = session.scalars(
        select(ModelCallRow).filter_by(run_id=run_id).order_by(ModelCallRow.created_at, ModelCallRow.id)
    ).all()
    known = [_shape(call) for step in steps for call in step.calls]
    found = []
    for row in rows:
        call = built(StepCall, row, attempt=None)
        if _shape(call) in known:
            known.remove(_shape(call))
        else:
            found.append(call)
    return tuple(found)


def _shape(call: StepCall) -> tuple[object, ...]:
    return call.purpose, call.model, call.tokens_in, call.tokens_out, call.latency_ms, call.error_code


def _decisions(session: Session, run: Run) -> list[RunDecision]:
    """Return the decisions on the entry from the run's start to that of the next run, oldest first."""
    following = (
        select(Run.created_at)
        .where(Run.submission_id == run.submission_id, Run.run_no > run.run_no)
        .order_by(Run.run_no)
        .limit(1)
    )
    until = session.scalar(following)
    rows = session.execute(
        select(
            ReviewDecision.kind,
            ReviewDecision.created_at,
            name_of(Profile).label("actor"),
            ReviewDecision.undone_at.is_not(None).label("undone"),
        )
        .join(Profile, Profile.id == ReviewDecision.actor_id)
        .join(Submission, Submission.id == ReviewDecision.submission_id)
        .where(
            ReviewDecision.submission_id == run.submission_id,
            ReviewDecision.created_at >= run.created_at,
            *([] if until is None else [ReviewDecision.created_at < until]),
        )
        .order_by(ReviewDecision.created_at)
    ).all()
    return [RunDecision(row.kind, row.created_at, row.actor, row.undone) for row in rows]

"""Replay a decided run with other thresholds or another model, without any effect."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError, existing
from core.graphs import StrictSerializer, open_saver
from core.llm.chat import LedgerHandler
from core.llm.providers import open_model
from core.messages import Message
from core.models import (
    FieldEvidence,
    OrchestratorLog,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
    SubmissionField,
)
from pipeline.orchestrator.artifacts import (
    RAW_TEXT,
    artifact_dir_of,
    for_state,
    load_reading,
    store_reading,
    without_second_readings,
)
from pipeline.orchestrator.context import MemoryRecorder, RunContext, StepLog
from pipeline.orchestrator.decisions import THRESHOLDS, Step
from pipeline.orchestrator_graph import create_orchestrator_graph
from pipeline.orchestrator_state import AgentState, Outcome
from pipeline.pages.page_model import Source
from pipeline.profiles import known_profile
from pipeline.reason_codes import ReadingWay
from pipeline.schema import FieldReading, Report, SubmissionRecord
from pipeline.supabase_db import record_of
from pipeline.validation.policy import Policy
from services.context import Context
from services.messages.entries import ReplayRefused, ReplaySource
from services.policy import Rule, changed_rules, policy_by
from services.replays.stand_ins import (
    OverlayStore,
    RecordedHeader,
    RecordedReadings,
    ReplayedModel,
    StoredReading,
    no_place,
)
from services.seasons import season_policy

#: Key of the document in the replay's store; no page of it is read.
_DOCUMENT = "replay/document"


@dataclass(frozen=True)
class PlayedStep:
    """One step of the run or of the replay: what decided it, and where it led."""

    action: str
    route: str | None
    confidence: float | None
    missing: tuple[str, ...]
    weak: tuple[str, ...]
    blocking: tuple[str, ...]
    outcome: str | None


@dataclass(frozen=True)
class StepPair:
    """A step as it was beside the one of the replay; None if one of the two had ended."""

    before: PlayedStep | None
    after: PlayedStep | None

    @property
    def differs(self) -> bool:
        """Whether anything differs."""
        return self.before != self.after


@dataclass(frozen=True)
class Replay:
    """A run beside its replay."""

    source: ReplaySource
    pairs: list[StepPair]
    outcome_before: str | None
    outcome_after: str | None
    #: Fields with a proposed value.
    proposed_before: tuple[str, ...]
    proposed_after: tuple[str, ...]
    #: The rules that differ from those of the run, as they were and as they are in the replay.
    rules: dict[str, tuple[Any, Any]]
    #: Calls of a model that the replay made; 0 unless it was asked.
    calls: int

    @property
    def differs(self) -> bool:
        """Whether anything differs."""
        return (
            any(pair.differs for pair in self.pairs)
            or self.proposed_before != self.proposed_after
            or self.outcome_before != self.outcome_after
        )


def replay(
    context: Context,
    run_id: str,
    changes: Mapping[str, Any] | None = None,
    from_step: str | None = None,
    ask_model: bool = False,
) -> Replay:
    """Replay the run with the rules that it had and these changes to them, by the keys of `Rule`.

    No page is read and no model asked: second readings and the model's values are those that the run proposed.
    With `ask_model` the model is asked, and its calls are not in the ledger. The steps before `from_step` are not
    replayed. Writes nothing. Raises NotFoundError, InvalidInputError for invalid rules or a wrong step, and
    ConflictError if the log or the reading is gone.
    """
    with context.database.session() as session:
        run = existing(session.get(Run, run_id), "no such run")
        logs = _machine_steps(session, run_id)
        proposed = _proposed(session, run_id)
        policy = season_policy(session, run.season_id, context.settings)
    if not logs:
        raise ConflictError(ReplayRefused.NO_STEPS)
    names = [log.action_taken for log in logs]
    if from_step is not None and from_step not in names:
        raise InvalidInputError(ReplayRefused.NO_SUCH_STEP, name=from_step, choices=list(dict.fromkeys(names)))
    if ask_model and not context.settings.model_configured:
        raise InvalidInputError(ReplayRefused.NO_MODEL)
    start = starting_point(context, run)
    then = _policy_then(policy, logs[0], start.record)
    now = _changed(context, then, changes or {})
    kept = 0 if from_step is None else names.index(from_step)
    nodes, recorder = _nodes_context(context, start, now, logs[0], proposed, ask_model)
    _run(run, nodes, start, logs, names[kept] if kept else None)
    before = [_step(log.action_taken, log.trace_json, log.final_outcome) for log in logs]
    after = [*before[:kept], *(_of_log(recorder.steps[step]) for step in sorted(recorder.steps))]
    made = recorder.proposal.fields if recorder.proposal else ()
    return Replay(
        source=start.source,
        pairs=[StepPair(one, other) for one, other in zip_longest(before, after)],
        outcome_before=before[-1].outcome,
        outcome_after=after[-1].outcome if after else None,
        proposed_before=tuple(sorted(row.name for row in proposed if row.proposed_value is not None)),
        proposed_after=tuple(sorted(field.name for field in made if field.proposed_value is not None)),
        rules=_differing(then, now),
        calls=len(recorder.ledger.calls),
    )


def _machine_steps(session: Session, run_id: str) -> list[OrchestratorLog]:
    """Return the log of the run without a person's decision at its end."""
    by_person = (Outcome.RESOLVED.value, Outcome.REJECTED.value)
    rows = session.scalars(select(OrchestratorLog).filter_by(run_id=run_id).order_by(OrchestratorLog.step)).all()
    return [row for row in rows if row.final_outcome not in by_person]


def _proposed(session: Session, run_id: str) -> Sequence[ReviewSuggestionField]:
    of_run = select(ReviewSuggestion.id).where(ReviewSuggestion.run_id == run_id)
    return session.scalars(
        select(ReviewSuggestionField).where(ReviewSuggestionField.suggestion_id.in_(of_run))
    ).all()


def _policy_then(policy: Policy, first: OrchestratorLog, record: SubmissionRecord) -> Policy:
    """Return the rules that the run had; those missing in its log, and the schools, are the present ones."""
    trace = first.trace_json or {}
    limits = trace.get("thresholds") or {}
    update: dict[str, Any] = {name: limits[name] for name in THRESHOLDS if name in limits}
    required = (trace.get("values") or {}).get("required")
    form = known_profile(record.profile, record.profile_version)
    if required and form is not None and form.version is not None:
        update["required_by_form"] = {**policy.required_by_form, form.key: tuple(required)}
    elif required and record.doc_class is not None:
        update["required"] = {**policy.required, record.doc_class: tuple(required)}
    return policy.model_copy(update=update)


def _changed(context: Context, policy: Policy, changes: Mapping[str, Any]) -> Policy:
    given = {key: value for key, value in changes.items() if value is not None}
    after = changed_rules(context.settings, {}, given)
    chosen = policy_by(context.settings, after)
    update = {key: getattr(chosen, key) for key in after if key in Policy.model_fields}
    if {Rule.DEFAULT_REQUIRED, Rule.REQUIRED, Rule.REQUIRED_BY_FORM} & after.keys():
        update["required"], update["required_by_form"] = chosen.required, chosen.required_by_form
    return policy.model_copy(update=update)


def _nodes_context(
    context: Context,
    start: StartingPoint,
    policy: Policy,
    first: OrchestratorLog,
    proposed: Sequence[ReviewSuggestionField],
    ask_model: bool,
) -> tuple[RunContext, MemoryRecorder]:
    recorder, store = MemoryRecorder(), OverlayStore(context.store)
    store.put(_DOCUMENT, b"")
    by_model = {
        row.name: row.proposed_value for row in proposed if row.source == Source.MODEL and row.proposed_value
    }
    trace = first.trace_json or {}
    had_model, had_vision = bool(trace.get("model_configured")), bool(trace.get("vision_configured"))
    recorded = ReplayedModel(by_model) if had_model else None
    nodes = RunContext(
        settings=context.settings,
        store=store,
        policy=policy,
        recorder=recorder,
        read=StoredReading(without_second_readings(start.record), start.report),
        model=open_model(context.settings) if ask_model else recorded,
        read_again=RecordedReadings({row.name: _reading(row) for row in proposed if row.proposed_value}),
        locate=no_place,
        vision=ReplayedModel({}) if had_vision else None,
        ask_second_reader=RecordedHeader(start.record),
    )
    return nodes, recorder


def _reading(row: ReviewSuggestionField) -> FieldReading:
    return FieldReading(
        value=row.proposed_value,
        confidence=row.confidence,
        source=Source(row.source) if row.source else None,
        method=row.method,
        way=Message.of(ReadingWay.SECOND).to_json(),
    )


def _run(
    run: Run, nodes: RunContext, start: StartingPoint, logs: Sequence[OrchestratorLog], from_step: str | None
) -> None:
    """Run the graph in memory until it ends or would wait for a person."""
    folder = artifact_dir_of(run.submission_id, run.run_no)
    given: AgentState = {
        "submission_id": str(run.submission_id),
        "run_id": run.run_id,
        "run_no": run.run_no,
        "image_path": _DOCUMENT,
        "artifact_dir": folder,
        "ocr_provider_name": str(run.options.get("ocr_provider") or nodes.settings.ocr_provider),
        "original_filename": None,
        "chunk_metadata": None,
        "doc_format": None,
        "max_steps": nodes.policy.max_steps,
    }
    graph = create_orchestrator_graph(InMemorySaver(serde=StrictSerializer()))
    config: RunnableConfig = {
        "configurable": {"thread_id": run.run_id},
        "callbacks": [LedgerHandler(nodes.recorder.ledger)],
    }
    if from_step is None:
        graph.invoke({**given, "tries": 0, "tools_used": []}, config, context=nodes)
        return
    record = start.record.model_copy(update={"artifact_dir": folder})
    store_reading(nodes.store, record, start.report)
    state: AgentState = {**state_before(start, logs, from_step), **given}
    bare = for_state(SubmissionRecord.model_validate(state["record"]))
    # As if by a node without edges, so that only the step is next.
    graph.update_state(config, {**state, "record": bare}, as_node=Step.SAVE_COMPLETE.value)
    going_on: Command[Any] = Command(goto=from_step)
    graph.invoke(going_on, config, context=nodes)


def _of_log(step: StepLog) -> PlayedStep:
    return _step(step.action, step.trace, step.final_outcome)


def _step(action: str, trace: Mapping[str, Any] | None, outcome: str | None) -> PlayedStep:
    values = (trace or {}).get("values") or {}
    return PlayedStep(
        action=action,
        route=(trace or {}).get("route"),
        confidence=values.get("confidence"),
        missing=tuple(values.get("missing_fields", ())),
        weak=tuple(values.get("weak_fields", ())),
        blocking=tuple(values.get("blocking_codes", ())),
        outcome=outcome,
    )


def _differing(then: Policy, now: Policy) -> dict[str, tuple[Any, Any]]:
    """Return the rules that differ, as JSON."""
    keys = {rule.value for rule in Rule}
    before, after = (one.model_dump(mode="json", include=keys) for one in (then, now))
    return {key: (before[key], after[key]) for key in before if before[key] != after[key]}


#: Steps that a replay may begin with.
STEPS = tuple(step.value for step in Step)


@dataclass(frozen=True)
class StartingPoint:
    """A reading, and where it comes from."""

    source: ReplaySource
    record: SubmissionRecord
    report: Report
    #: The states that the checkpoints hold, newest first, by the node that came next; empty if they are gone.
    states: Mapping[str, AgentState]


def starting_point(context: Context, run: Run) -> StartingPoint:
    """Return the run's reading. Writes nothing. Raises ConflictError if none is kept."""
    snapshots = _snapshots(context, run.run_id)
    states = {nodes[0]: state for state, nodes in reversed(snapshots) if nodes}
    stored = _stored(context, run)
    for state, _ in snapshots:
        # Only the model's step changes the record.
        if state.get("record") and Step.RETRY_WITH_LLM not in state.get("tools_used", []):
            kept = SubmissionRecord.model_validate(state["record"])
            # Only the stored reading has the texts.
            record, report = stored or (kept, {RAW_TEXT: ""})
            return StartingPoint(ReplaySource.CHECKPOINTS, record, report, states)
    if stored is not None:
        return StartingPoint(ReplaySource.STORED_READING, *stored, states)
    with context.database.session() as session:
        return StartingPoint(ReplaySource.FIELDS, _of_rows(session, run), {RAW_TEXT: ""}, states)


def state_before(start: StartingPoint, logs: Sequence[OrchestratorLog], step: str) -> AgentState:
    """Return the state before a step, from its checkpoint, or else from the log of the step before it."""
    if (kept := start.states.get(step)) is not None:
        return kept
    index = next(index for index, log in enumerate(logs) if log.action_taken == step)
    if index == 0:
        return {"tries": 0, "tools_used": []}
    before = logs[index - 1]
    seen: dict[str, Any] = before.state_json
    codes = seen.get("review_reason_codes", start.record.review_reason_codes)
    bare = start.record.model_copy(update={"review_reason_codes": list(codes)})
    return {
        "record": bare.model_dump(mode="json"),
        "tries": seen.get("tries", 1),
        "tools_used": list(before.tools_used),
        "missing_fields": list(seen.get("missing_fields", ())),
        "weak_fields": list(seen.get("weak_fields", ())),
        "confidence": seen.get("confidence") or 0.0,
        "needs_review": bool(seen.get("needs_review", True)),
        "status": seen.get("status") or "processing",
        "reason": before.reason.to_json() if before.reason else {},
    }


def _snapshots(context: Context, run_id: str) -> list[tuple[AgentState, tuple[str, ...]]]:
    """Return the states that the run's checkpoints hold, with the nodes that come next, newest first."""
    graph = create_orchestrator_graph(open_saver(context.database))
    config: RunnableConfig = {"configurable": {"thread_id": run_id}}
    return [(cast(AgentState, one.values), one.next) for one in graph.get_state_history(config)]


def _stored(context: Context, run: Run) -> tuple[SubmissionRecord, Report] | None:
    try:
        return load_reading(context.store, artifact_dir_of(run.submission_id, run.run_no))
    except NotFoundError:
        return None


def _of_rows(session: Session, run: Run) -> SubmissionRecord:
    submission = session.get_one(Submission, run.submission_id)
    fields = session.scalars(select(SubmissionField).filter_by(submission_id=submission.id)).all()
    if submission.run_no != run.run_no or not fields:
        raise ConflictError(ReplayRefused.NO_READING)
    pieces: dict[uuid.UUID, list[FieldEvidence]] = {field.id: [] for field in fields}
    for piece in session.scalars(
        select(FieldEvidence).where(FieldEvidence.field_id.in_(pieces)).order_by(FieldEvidence.ordinal)
    ):
        pieces[piece.field_id].append(piece)
    return record_of(submission, {field: pieces[field.id] for field in fields})

"""What a replay begins with: the run's checkpoints, or what was stored of its reading once these are gone."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import ConflictError, NotFoundError
from core.graphs.checkpoints import open_saver
from core.models import FieldEvidence, OrchestratorLog, Run, Submission, SubmissionField
from pipeline.orchestrator.artifacts import RAW_TEXT, artifact_dir_of, load_reading
from pipeline.orchestrator_graph import create_orchestrator_graph
from pipeline.orchestrator_state import AgentState, Step
from pipeline.records.from_rows import record_of
from pipeline.schema import Report, SubmissionRecord
from services.context import Context
from services.messages.replay import ReplayRefused, ReplaySource


@dataclass(frozen=True)
class StartingPoint:
    """A reading, and where it comes from."""

    source: ReplaySource
    record: SubmissionRecord
    report: Report
    #: The states that the checkpoints hold, newest first, by the node that came next; empty where they are gone.
    states: Mapping[str, AgentState]


def starting_point(context: Context, run: Run) -> StartingPoint:
    """Return what the run read. Writes nothing. Raises ConflictError if nothing of it is kept."""
    snapshots = _snapshots(context, run.run_id)
    states = {nodes[0]: state for state, nodes in reversed(snapshots) if nodes}
    stored = _stored(context, run)
    for state, _ in snapshots:
        # Only the model's step changes the record.
        if state.get("record") and Step.RETRY_WITH_LLM not in state.get("tools_used", []):
            kept = SubmissionRecord.model_validate(state["record"])
            # The texts are in the stored reading alone.
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

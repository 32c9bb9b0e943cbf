"""Run the supervisor over an entry under a lease, or resume a run that waited for a person."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from langchain_core.callbacks import BaseCallbackHandler
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session, aliased

from core.confined.children import within
from core.graphs import open_saver
from core.lease import Lease, process_name
from core.llm.providers import open_model, open_vision_model
from core.messages import Message
from core.models import (
    Escalation,
    EscalationStatus,
    OrchestratorLog,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
    Upload,
)
from core.models.leases import RUN_LEASES
from core.tracing.traces import flush_traces, trace_callbacks
from pipeline.joint_pass.votes import Respelling
from pipeline.orchestrator.artifacts import ReadTogether, artifact_dir_of
from pipeline.orchestrator.context import RunContext, RunResult
from pipeline.orchestrator.run import resume_entry, run_entry
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import Orchestrator, create_orchestrator_graph
from pipeline.orchestrator_nodes import judged
from pipeline.orchestrator_routing import may_complete, route_after_pipeline
from pipeline.orchestrator_state import AgentState, Outcome, applied
from pipeline.reason_codes import RunReason
from pipeline.runner import read_submission
from pipeline.schema import SubmissionRecord
from pipeline.validate import Defaults, validate_record, with_defaults
from pipeline.validation.policy import Policy
from services.context import Context
from services.recovery.kinds import RUNS, UNSPLIT
from services.recovery.work import keeping, lasting, queue_rows, take_lease
from services.runs.inputs import carried_readings, has_others, joint_changes_of
from services.runs.joint_pass import begin_following, hand_on, queue_passes
from services.runs.settle import chunk_to_read, end_run, settle_run
from services.seasons import defaults_in_force, defaults_of_submission, forms_in_use, season_policy
from services.stats.counts import count_later_steps


def run_submission(context: Context, run_id: str) -> bool:
    """Do the run, or the part of it before the joint pass; return False if it is not due or another worker has it.

    Continues from the last checkpoint after a crash. Errors of the reading are propagated, with the lease released
    so that a retry can take the run.
    """
    lease = take_lease(context, RUNS, run_id)
    if lease is None:
        return False
    try:
        with keeping(context, lease), within(context.settings.parse_file_seconds):
            result = _do(context, lease)
            if result is not None and not settle_run(context, lease, result):
                _begin_anew(context, lease)
        # This may have been the last run that the joint passes over file and batch waited for.
        queue_passes(context, run_id)
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)
    return True


def _do(context: Context, lease: Lease[Run]) -> RunResult | None:
    """Return the result of the run; None if the entry waits for others of its file."""
    policy = run_policy(context, lease)
    state = _begin(context, lease, policy)
    if not can_continue(context, lease) and not read_first(context, lease, state, policy, goes_to_a_person):
        return None
    nodes_context = run_context(context, lease)
    if not context.settings.use_orchestrator:
        return run_directly(state, nodes_context)
    graph, callbacks = open_run_graph(context)
    return run_entry(graph, state, nodes_context, lease.key, callbacks)


def _begin(context: Context, lease: Lease[Run], policy: Policy) -> AgentState:
    """Mark the run and the entry as in progress; return the graph's initial state: ids and keys, no values."""
    with context.database.session() as session:
        # Raises LeaseLostError if a person has superseded the run meanwhile.
        run = lease.hold(session)
        submission = session.get_one(Submission, run.submission_id)
        upload = session.get_one(Upload, submission.upload_id)
        forms = forms_in_use(session, submission.season_id)
        run.status = RunStatus.RUNNING.value
        submission.status = SubmissionStatus.PROCESSING.value
        submission.error = None
    return {
        "submission_id": str(submission.id),
        "run_id": lease.key,
        "run_no": run.run_no,
        "image_path": upload.pdf_key or upload.storage_key,
        "artifact_dir": artifact_dir_of(submission.id, run.run_no),
        "ocr_provider_name": str(run.options.get("ocr_provider") or context.settings.ocr_provider),
        # It is not used, and may contain the name of another child whose entry is in the file.
        "original_filename": None,
        "chunk_metadata": chunk_to_read(submission, run.options, forms),
        "doc_format": submission.doc_format,
        "owner_user_id": str(submission.owner_user_id),
        "upload_batch_id": str(submission.batch_id),
        "tries": 0,
        "tools_used": [],
        "max_steps": policy.max_steps,
    }


def _begin_anew(context: Context, lease: Lease[Run]) -> None:
    """Begin the entry's next run in place of this one, with the stored reading."""
    run = context.database.get_one(Run, lease.key)
    hand_on(context.store, run)
    with context.database.session() as session:
        run = lease.hold(session)
        submission = session.get_one(Submission, run.submission_id, with_for_update={"key_share": True})
        following = begin_following(session, submission, run, run.together, run.reopened)
    queue_rows(context, RUNS, following)


_RESUMABLE = (RunStatus.INTERRUPTED.value, RunStatus.SETTLED.value)
#: What the log has for a person's decision, by its outcome.
_BY_PERSON = {
    Outcome.RESOLVED.value: RunReason.SETTLED_BY_PERSON,
    Outcome.REJECTED.value: RunReason.REJECTED_BY_PERSON,
}


def resume_run(context: Context, escalation_id: uuid.UUID) -> bool:
    """Resume the graph at its interrupt with the stored decision, and settle the run.

    Without a checkpoint only the stored decision settles the run. Returns False if there is nothing to do, another
    worker has the run, or the decision was undone meanwhile.
    """
    escalation = _decided(context, escalation_id)
    if escalation is None:
        return False
    lease = _take(context, escalation.run_id)
    if lease is None:
        return False
    try:
        with keeping(context, lease):
            # Read the row again: the decision may have been undone before the lease was taken.
            escalation = _decided(context, escalation_id)
            return escalation is not None and _resume(context, lease, escalation)
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)


def _take(context: Context, run_id: str) -> Lease[Run] | None:
    with context.database.session() as session:
        return RUN_LEASES.take(
            session, run_id, process_name(), lasting(context), Run.status.in_(_RESUMABLE), **RUNS.taken
        )


def _decided(context: Context, escalation_id: uuid.UUID) -> Escalation | None:
    """Return the escalation if its decision has not been carried out, else None."""
    escalation = context.database.get_one(Escalation, escalation_id)
    return None if escalation.decision is None or escalation.resumed_at is not None else escalation


def _resume(context: Context, lease: Lease[Run], escalation: Escalation) -> bool:
    assert escalation.decision is not None
    # The graph gets the action only; typed values stay in the row and out of the checkpoints.
    decision = {"action": escalation.decision["action"], "escalation_id": str(escalation.id)}
    graph, callbacks = open_run_graph(context)
    resume_entry(graph, decision, run_context(context, lease), lease.key, callbacks)
    return _close(context, lease, escalation)


def _close(context: Context, lease: Lease[Run], escalation: Escalation) -> bool:
    """Settle the run with this decision; return False if the decision was undone or replaced."""
    outcome = Outcome.REJECTED if escalation.status == EscalationStatus.REJECTED else Outcome.RESOLVED
    with context.database.session() as session:
        run = lease.hold(session)
        carried_out = session.scalar(
            update(Escalation)
            .where(
                Escalation.id == escalation.id,
                Escalation.version == escalation.version,
                Escalation.decided_at.is_not(None),
                Escalation.resumed_at.is_(None),
            )
            .values(resumed_at=func.now())
            .returning(Escalation.id)
        )
        if carried_out is None:
            return False
        end_run(run, RunStatus.SETTLED, outcome.value)
        _log_last(session, run, outcome)
        count_later_steps(session, run.run_id)
        return True


def _log_last(session: Session, run: Run, outcome: Outcome) -> None:
    """Log this decision if the log ends with another one, with which the graph was resumed and which was undone.

    The thread has ended with that one, or logged it before it was killed, and logs each step once.
    """
    last = session.scalar(
        select(OrchestratorLog).filter_by(run_id=run.run_id).order_by(OrchestratorLog.step.desc()).limit(1)
    )
    if last is None or last.final_outcome not in _BY_PERSON or last.final_outcome == outcome.value:
        return
    session.add(
        OrchestratorLog(
            submission_id=last.submission_id,
            season_id=last.season_id,
            owner_user_id=last.owner_user_id,
            run_id=run.run_id,
            step=last.step + 1,
            action_taken=last.action_taken,
            reason=Message.of(_BY_PERSON[outcome.value]),
            state_json=last.state_json,
            tools_used=list(last.tools_used),
            final_outcome=outcome.value,
            trace_json=last.trace_json,
        )
    )


def goes_to_a_person(state: AgentState, record: SubmissionRecord, policy: Policy) -> bool:
    """Whether the machine would not complete an entry that was read like this."""
    return not may_complete(applied(state, judged(record, policy)), policy)


def run_directly(state: AgentState, context: RunContext) -> RunResult:
    """Return the result of one reading, completed if the graph would complete it, else escalated.

    The graph's own routing function decides, with the run's policy. All later steps of the graph are left out.
    """
    record, report = context.read(state, settings=context.settings, store=context.store, policy=context.policy)
    found = applied(state, {**judged(record, context.policy), "tries": 1, "tools_used": ["run_pipeline"]})
    completes = route_after_pipeline(found, context.policy) == "complete"
    return RunResult(
        record=record.model_copy(update={"needs_review": not completes}),
        report=report,
        outcome=Outcome.COMPLETED if completes else Outcome.ESCALATED,
        reason=Message.of(RunReason.READ_WITHOUT_SUPERVISOR),
        tools_used=found["tools_used"],
        confidence=found["confidence"],
        missing_fields=found["missing_fields"],
        weak_fields=found["weak_fields"],
    )


# The first reading of an entry: alone it is decided at once, in a file with others it waits for them.
#
# While pages of the file are being read, an entry that goes to a person is shown before the joint pass (ADR 26).


def can_continue(context: Context, lease: Lease[Run]) -> bool:
    """Whether the entry was read and the run can continue: the joint pass has run, or the entry is shown early."""
    with context.database.reading() as session:
        run = session.get_one(Run, lease.key)
        return run.together is not None or run.shown_early


def read_first(
    context: Context,
    lease: Lease[Run],
    state: AgentState,
    policy: Policy,
    goes_to_a_person: Callable[[AgentState, SubmissionRecord, Policy], bool],
) -> bool:
    """Read the entry and store the reading; safe to repeat. Return whether the run can continue.

    An entry that came alone is decided at once. Another one waits as `read`. While pages of the file are unread,
    an entry for which `goes_to_a_person` is true does not wait. Raises DocumentError, RecognitionError,
    StorageError, LeaseLostError.
    """
    record, _ = read_submission(state, settings=context.settings, store=context.store, policy=policy)
    upload, defaults = _file(context, uuid.UUID(state["submission_id"]))
    record, _ = validate_record(with_defaults(record, defaults), policy)
    is_split = upload.status not in UNSPLIT
    if is_split and (upload.entry_count or 1) == 1:
        changes = joint_changes_of(context, upload.id, [lease.key])[lease.key]
        with context.database.session() as session:
            run = lease.hold(session)
            run.together = changes
            run.batch_due = has_others(session, upload.id, [run.run_id])
        return True
    if not is_split and goes_to_a_person(state, record, policy):
        with context.database.session() as session:
            lease.hold(session).shown_early = True
        return True
    with context.database.session() as session:
        run = lease.hold(session)
        run.status = RunStatus.READ.value
        RUN_LEASES.end(run)
    return False


def _file(context: Context, submission_id: uuid.UUID) -> tuple[Upload, Defaults]:
    """Return the entry's file, and the defaults of its batch."""
    with context.database.reading() as session:
        of_entry = select(Upload).join(Submission, Submission.upload_id == Upload.id)
        upload = session.scalars(of_entry.where(Submission.id == submission_id)).one()
        return upload, defaults_in_force(session, upload.batch_id)


def run_context(context: Context, lease: Lease[Run]) -> RunContext:
    """Return the nodes' context for the leased run: settings, policy, recorder and model.

    Its reader takes the stored reading, with the joint pass's changes, the values of people that are carried to
    the entry and the defaults of the batch.
    """
    policy = run_policy(context, lease)
    with context.database.reading() as session:
        run = session.get_one(Run, lease.key)
        changes = [Respelling.model_validate(change) for change in run.together or ()]
        defaults = defaults_of_submission(session, run.submission_id)
        carried = carried_readings(session, run.submission_id)
        others = _others_of_file(session, run.submission_id)
    return RunContext(
        settings=context.settings,
        store=context.store,
        policy=policy,
        recorder=DatabaseRecorder(context.database, lease),
        model=open_model(context.settings),
        vision=open_vision_model(context.settings),
        others=others,
        read=ReadTogether(changes, defaults, carried),
    )


def _others_of_file(session: Session, submission_id: uuid.UUID) -> list[str]:
    """Return the names of the children of the other entries of the entry's file, without those it replaces."""
    own = aliased(Submission)
    names = session.scalars(
        select(Submission.student_name)
        .join(own, own.upload_id == Submission.upload_id)
        .where(own.id == submission_id, Submission.id != submission_id, Submission.student_name.is_not(None))
        .where(Submission.status != SubmissionStatus.SUPERSEDED.value)
        .distinct()
    )
    return [name for name in names if name]


def run_policy(context: Context, lease: Lease[Run]) -> Policy:
    """Return the policy of the leased run: that of its season, with a person's options for the run."""
    with context.database.reading() as session:
        run = session.get_one(Run, lease.key)
        policy = season_policy(session, run.season_id, context.settings)
    if run.shown_early or run.reopened:
        # Nothing is completed without review before the joint pass, or with changes of the pass over the batch.
        policy = policy.model_copy(update={"auto_complete": False})
    return _asking(policy) if run.options.get("ask_model") else policy


def _asking(policy: Policy) -> Policy:
    """Return a copy of the policy that asks the model for missing fields at any confidence of the reading."""
    return policy.model_copy(update={"retry_confidence": 1.0, "max_tries": max(2, policy.max_tries)})


def open_run_graph(context: Context) -> tuple[Orchestrator, Sequence[BaseCallbackHandler]]:
    """Return the graph with PostgreSQL checkpoints, and the tracing callbacks."""
    return create_orchestrator_graph(open_saver(context.database)), trace_callbacks(context.settings)

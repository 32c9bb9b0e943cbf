"""Do one run of one entry under a lease, with or without the orchestrator, and settle it."""

from __future__ import annotations

from core.confined.child import within
from core.lease import Lease
from core.models import Run, RunStatus, Submission, SubmissionStatus, Upload
from core.tracing import flush_traces
from pipeline.orchestrator.artifacts import artifact_dir_of
from pipeline.orchestrator.result import RunResult
from pipeline.orchestrator.run import run_entry
from pipeline.orchestrator_state import AgentState
from pipeline.validation.policy import Policy
from services.context import Context
from services.recovery.kinds import RUNS
from services.recovery.work import keeping, take
from services.runs.chunk_to_read import chunk_to_read
from services.runs.queue_passes import queue_passes
from services.runs.read_first import is_read, read_first
from services.runs.run_context import open_graph, run_context, run_policy
from services.runs.run_directly import goes_to_a_person, run_directly
from services.runs.settle_run import settle_run
from services.seasons import forms_in_use


def run_submission(context: Context, run_id: str) -> bool:
    """Do the run, or the part of it before the joint pass; return False if it is not due or another worker has it.

    Continues from the last checkpoint after a crash. Errors of the reading are propagated, with the lease released
    so that a retry can take the run.
    """
    lease = take(context, RUNS, run_id)
    if lease is None:
        return False
    try:
        with keeping(context, lease), within(context.settings.parse_file_seconds):
            result = _do(context, lease)
            if result is not None:
                settle_run(context, lease, result)
        # Nothing else may be left to read: the run held up the joint passes over file and batch while it was due.
        queue_passes(context, run_id)
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)
    return True


def _do(context: Context, lease: Lease[Run]) -> RunResult | None:
    """Return the result of the run; None where the entry waits for others of its file."""
    policy = run_policy(context, lease)
    state = _begin(context, lease, policy)
    if not is_read(context, lease) and not read_first(context, lease, state, policy, goes_to_a_person):
        return None
    nodes_context = run_context(context, lease)
    if not context.settings.use_orchestrator:
        return run_directly(state, nodes_context)
    graph, callbacks = open_graph(context)
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
        # Nothing is read from it, and it may be the name of another child whose entry is in the file.
        "original_filename": None,
        "chunk_metadata": chunk_to_read(submission, run.options, forms),
        "doc_format": submission.doc_format,
        "owner_user_id": str(submission.owner_user_id),
        "upload_batch_id": str(submission.batch_id),
        "tries": 0,
        "tools_used": [],
        "max_steps": policy.max_steps,
    }

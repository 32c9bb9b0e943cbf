"""Do one run of one entry: under a lease, through the orchestrator (or straight), and settle it."""

from __future__ import annotations

from collections.abc import Callable

from core.checkpoints import open_pool, open_saver
from core.llm import open_model
from core.models import Run, RunStatus, Submission, SubmissionStatus, Upload
from core.tracing import flush_traces, trace_callbacks
from pipeline.orchestrator_context import RunContext
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import create_orchestrator_graph
from pipeline.orchestrator_run import RunResult, run_entry
from pipeline.orchestrator_state import AgentState
from pipeline.runner import process_submission
from services.context import Context
from services.lease import Lease, heartbeat, release, take_lease
from services.run_directly import run_directly
from services.seasons import school_list, season_policy
from services.settle_run import settle_run


def run_submission(context: Context, run_id: str, boundary: Callable[[str], None] | None = None) -> bool:
    """Do the run; False when somebody else does or did it.

    Continues from the last checkpoint after a crash. `boundary` is called at each boundary of the graph's nodes.
    Raises what the reading raises, with the lease given back so that a retry finds the run free.
    """
    lease = take_lease(context, run_id, (RunStatus.QUEUED, RunStatus.RUNNING))
    if lease is None:
        return False
    state, run_context = _prepare(context, lease, boundary)
    try:
        with heartbeat(context, lease):
            if context.settings.use_orchestrator:
                result = _orchestrate(context, lease, state, run_context)
            else:
                result = run_directly(state, run_context)
            settle_run(context, lease, result)
    finally:
        release(context, lease)
        # A work-horse leaves without tidying up: what was traced must be sent now.
        flush_traces(context.settings)
    return True


def _prepare(
    context: Context, lease: Lease, boundary: Callable[[str], None] | None
) -> tuple[AgentState, RunContext]:
    """The graph's first state (ids and keys only) and what its nodes work with."""
    settings = context.settings
    with context.database.session() as session:
        run = session.get_one(Run, lease.run_id)
        submission = session.get_one(Submission, lease.submission_id)
        upload = session.get_one(Upload, submission.upload_id)
        run.status = RunStatus.RUNNING.value
        submission.status = SubmissionStatus.PROCESSING.value
        submission.error_code = submission.error_message = None
        policy = season_policy(session, submission.season_id, settings)
        schools = school_list(session, submission.season_id)
    state: AgentState = {
        "submission_id": str(submission.id),
        "run_id": lease.run_id,
        "run_no": lease.run_no,
        "image_path": upload.pdf_key or upload.storage_key,
        "artifact_dir": f"artifacts/{submission.id}/{lease.run_no}",
        "ocr_provider_name": str(run.options.get("ocr_provider") or settings.ocr_provider),
        "original_filename": upload.original_filename,
        "chunk_metadata": submission.chunk_metadata,
        "doc_format": submission.doc_format,
        "owner_user_id": str(submission.owner_user_id),
        "upload_batch_id": str(submission.batch_id),
        "tries": 0,
        "tools_used": [],
        "max_steps": settings.max_steps,
    }
    recorder = DatabaseRecorder(context.database, lease.run_id, lease.run_no, lease.owner)
    run_context = RunContext(
        settings=settings,
        store=context.store,
        policy=policy,
        schools=tuple(schools),
        recorder=recorder,
        model=open_model(settings),
        read=process_submission,
        boundary=boundary or _pass,
    )
    return state, run_context


def _pass(_name: str) -> None:
    """No boundary is watched."""


def _orchestrate(context: Context, lease: Lease, state: AgentState, run_context: RunContext) -> RunResult:
    pool = open_pool(context.database.dsn, context.settings.database_transaction_pooler)
    try:
        graph = create_orchestrator_graph(open_saver(pool))
        return run_entry(graph, state, run_context, lease.run_id, trace_callbacks(context.settings))
    finally:
        pool.close()

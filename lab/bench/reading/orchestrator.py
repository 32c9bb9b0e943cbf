"""What the orchestrator adds to `process_submission()`, with checkpoints, log and proposals in PostgreSQL."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import wraps
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any

from sqlalchemy import select

from core.config import load_settings
from core.database import upgrade
from core.models import Profile, Run, Submission, Upload
from lab.bench.fresh import fresh
from lab.bench.measure import Measure, at_most, measured
from lab.bench.reading.corpora import files_of
from pipeline.orchestrator.artifacts import artifact_dir_of
from pipeline.orchestrator.run import run_entry
from pipeline.orchestrator_state import AgentState
from pipeline.runner import preload_pipeline, read_submission
from services.context import Context, open_context
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.runs.run import open_run_graph, run_context
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files

ROUNDS = 3


def measure(corpus: Path) -> list[Measure]:
    """Median of several fresh processes, each with a database of its own."""
    rounds = [fresh(f"{__name__}:one_round", str(corpus)) for _ in range(ROUNDS)]
    entries, proposed = rounds[0]["entries"], rounds[0]["proposed"]
    return [
        measured(
            "orchestrator_ms_per_entry",
            median(r["added_ms"] for r in rounds),
            "ms",
            at_most(20),
            f"mean over {entries} native-text entries ({proposed} of them went to the review agent), median of "
            f"{ROUNDS} fresh processes on the embedded PostgreSQL: a run of the graph as a worker does it (graph "
            "opened, checkpoints, log rows, proposals) less the time inside its own "
            "`process_submission()`",
        ),
        measured(
            "process_submission_ms_per_entry",
            median(r["reading_ms"] for r in rounds),
            "ms",
            None,
            "the reading within the same runs",
        ),
    ]


def one_round(corpus: str) -> dict[str, float]:
    """Submit the files, split them, then run each entry once."""
    files = [file for file in files_of(Path(corpus)) if file.good_text and file.is_pdf]
    added, reading, agent = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        # Under root the database runs as another user, who needs access to the folder.
        Path(folder).chmod(0o755)
        settings = load_settings(_env_file=None, var_dir=Path(folder), max_files_per_upload=len(files))
        preload_pipeline(settings)
        context = open_context(settings)
        try:
            upgrade(context.database.dsn)
            for run_id in _runs(context, [IncomingFile(f.path.name, f.path.read_bytes()) for f in files]):
                total, read, tools = _run(context, run_id)
                added.append(total - read)
                reading.append(read)
                agent += "review_agent" in tools
        finally:
            context.close()
    # The first entry pays for what a process loads once.
    return {
        "added_ms": 1000 * mean(added[1:]),
        "reading_ms": 1000 * mean(reading[1:]),
        "entries": len(added) - 1,
        "proposed": agent,
    }


def _runs(context: Context, files: list[IncomingFile]) -> list[str]:
    with context.database.session() as session:
        person = Profile(email="bench@example.org", role="uploader")
        session.add(person)
        session.flush()
        owner = person.id
    submit_files(context, owner, files)
    uploads = context.database.scalars(select(Upload.id).order_by(Upload.position))
    return [run_id for upload in uploads for run_id in analyse_upload(context, upload)]


def _run(context: Context, run_id: str) -> tuple[float, float, list[str]]:
    """Seconds of the whole run, seconds within `process_submission`, and the nodes it went through."""
    lease = take_lease(context, RUNS, run_id)
    assert lease is not None
    spent = 0.0

    @wraps(read_submission)
    def timed(*given: Any, **named: Any) -> Any:
        nonlocal spent
        began = perf_counter()
        found = read_submission(*given, **named)
        spent += perf_counter() - began
        return found

    nodes_context = replace(run_context(context, lease), read=timed)
    state = _state(context, run_id)
    began = perf_counter()
    graph, callbacks = open_run_graph(context)
    result = run_entry(graph, state, nodes_context, run_id, callbacks)
    return perf_counter() - began, spent, result.tools_used


def _state(context: Context, run_id: str) -> AgentState:
    with context.database.session() as session:
        run = session.get_one(Run, run_id)
        submission = session.get_one(Submission, run.submission_id)
        upload = session.get_one(Upload, submission.upload_id)
    return {
        "submission_id": str(submission.id),
        "run_id": run_id,
        "run_no": run.run_no,
        "image_path": upload.pdf_key or upload.storage_key,
        "artifact_dir": artifact_dir_of(submission.id, run.run_no),
        "ocr_provider_name": context.settings.ocr_provider,
        "original_filename": upload.original_filename,
        "chunk_metadata": submission.chunk_metadata,
        "doc_format": submission.doc_format,
        "owner_user_id": str(submission.owner_user_id),
        "upload_batch_id": str(submission.batch_id),
        "tries": 0,
        "tools_used": [],
    }

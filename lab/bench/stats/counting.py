"""Runs that are logged and counted one by one beside many others: how long that takes, and whether it is right."""

from __future__ import annotations

import statistics
import time
import uuid
from datetime import timedelta

from sqlalchemy import select

from core.messages import Message
from core.models import ModelCallRow, Run, RunStatus, Submission, Upload
from core.models.leases import RUN_LEASES
from lab.bench.measure import Measure, at_most, exactly, measured
from lab.bench.stats.place import Place
from pipeline.orchestrator.context import StepLog
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.reason_codes import RunReason
from services.stats.counts import wrong_counts
from services.stats.lists import note_run

RUNS, STEPS = 120, 4
_LOGGING_MS = 2


def measure(few: Place, many: Place) -> list[Measure]:
    """Log and count runs beside the many rows, then count everything anew."""
    logging, counting = _log_and_count(many)
    beside = f"beside {many.logs} rows of the log, in the embedded PostgreSQL"
    return [
        measured(
            "logging_ms_a_node",
            statistics.mean(logging),
            "ms",
            at_most(_LOGGING_MS),
            f"mean of {len(logging)} steps, each written under the lease of its run, {beside}",
        ),
        measured(
            "counting_ms_a_run",
            statistics.mean(counting),
            "ms",
            None,
            f"mean of {len(counting)} runs: facts, steps, calls and tools, in one transaction, {beside}",
        ),
        measured(
            "rollup_rows_wrong",
            wrong_counts(many.context.database),
            "rows",
            exactly(0),
            f"counts that differ from a recount of all rows after {RUNS} runs were counted one by one, {beside}",
        ),
    ]


def _log_and_count(place: Place) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each step's row, and of counting each run."""
    logging: list[float] = []
    counting: list[float] = []
    for number in range(RUNS):
        run_id = _run(place, number)
        with place.context.database.session() as session:
            lease = RUN_LEASES.take(session, run_id, "bench", timedelta(minutes=5))
        assert lease is not None
        recorder = DatabaseRecorder(place.context.database, lease)
        for step in range(1, STEPS + 1):
            logging.append(_timed(lambda: recorder.log_step(_step(step))))  # noqa: B023
        counting.append(_timed(lambda: _note(place, run_id)))  # noqa: B023
    return logging, counting


def _timed(call: object) -> float:
    begun = time.perf_counter()
    call()  # type: ignore[operator]
    return 1000 * (time.perf_counter() - begun)


def _run(place: Place, number: int) -> str:
    key = uuid.uuid4()
    with place.context.database.session() as session:
        upload = session.scalars(select(Upload).limit(1)).one()
        session.add(
            Submission(
                id=key,
                season_id=upload.season_id,
                batch_id=upload.batch_id,
                upload_id=upload.id,
                owner_user_id=upload.uploaded_by,
                chunk_index=10_000_000 + number,
                page_start=1,
                page_end=1,
                doc_class="SINGLE_TYPED",
                doc_format="native_text",
                profile="ifi_2026",
                language="en",
                school_name=f"Foxglove School {1 + number % 300}",
            )
        )
        session.flush()
        run = Run(
            run_id=f"{key}:1",
            submission_id=key,
            season_id=upload.season_id,
            run_no=1,
            status=RunStatus.RUNNING.value,
        )
        session.add(run)
        session.flush()
        session.add(
            ModelCallRow(
                id=uuid.uuid4(),
                run_id=run.run_id,
                submission_id=key,
                purpose="missing_fields",
                provider="groq",
                model="small",
                tokens_in=300,
                status="ok",
            )
        )
    return f"{key}:1"


def _step(step: int) -> StepLog:
    readings = {name: {"confidence": 0.91, "source": "ocr"} for name in ("student_name", "school_name", "grade")}
    return StepLog(
        step=step,
        action="run_pipeline",
        reason=Message.of(RunReason.MISSING, fields=["grade"]),
        state={"tries": 1, "confidence": 0.74, "missing_fields": ["grade"]},
        tools_used=["run_pipeline"] * step,
        duration_ms=40,
        trace={
            "route": "review_agent",
            "values": {"readings": readings},
            "thresholds": {"complete_confidence": 0.9},
        },
    )


def _note(place: Place, run_id: str) -> None:
    with place.context.database.session() as session:
        run = session.get_one(Run, run_id)
        submission = session.get_one(Submission, run.submission_id)
        reason = Message.of(RunReason.MISSING, fields=["grade"])
        note_run(session, run, submission, "suggested", reason, ["run_pipeline"] * STEPS, "rapidocr")

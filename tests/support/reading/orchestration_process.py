"""A worker in a process of its own: runs or resumes one run on a real database, and may be killed on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, text, update

from core.database import Database
from core.graphs import open_saver
from core.models import Run
from core.models.leases import RUN_LEASES
from pipeline.orchestrator.context import RunContext, RunResult
from pipeline.orchestrator.run import resume_entry, run_entry
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import create_orchestrator_graph
from tests.support.boundaries import of_orchestrator
from tests.support.moments import watch
from tests.support.processes import PROCESSES
from tests.support.reading.orchestration import ENTRIES, FakeModel, FakeSecondReader, context, first_state


@dataclass(frozen=True)
class Work:
    """What a worker is to do."""

    dsn: str
    run_id: str
    #: Of `ENTRIES`.
    kind: str
    folder: Path
    #: Values that a model gives; None: no model.
    says: Mapping[str, str] | None = None
    #: Values that a second reader gives, by field; None: nobody looks a second time.
    seen: Mapping[str, str | None] | None = None
    #: A person's decision; None: run instead of resume.
    decision: Mapping[str, Any] | None = None
    #: The boundary to be killed at.
    kill_at: str | None = None
    owner: str = "worker-1"


def work(task: Work) -> RunResult | None:
    """Take the run's lease and run or resume it, in this process."""
    database = Database(task.dsn)
    try:
        _take_lease(database, task)
        graph = create_orchestrator_graph(open_saver(database))
        given = _context(database, task)
        if task.decision is None:
            return run_entry(graph, first_state(task.run_id), given, task.run_id)
        return resume_entry(graph, task.decision, given, task.run_id)
    finally:
        database.dispose()


def in_a_process(task: Work) -> tuple[int | None, RunResult | None]:
    """Do the work in a process of its own: its exit code, and what it came to."""
    receiver, sender = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=_work_and_tell, args=(task, sender))
    process.start()
    sender.close()
    process.join(600)
    told: RunResult | None = receiver.recv() if process.exitcode == 0 else None
    receiver.close()
    code = process.exitcode
    process.close()
    return code, told


def _work_and_tell(task: Work, sender: Any) -> None:
    watch(of_orchestrator(_killer(task.kill_at)))
    sender.send(work(task))


def _take_lease(database: Database, task: Work) -> None:
    until = func.now() + text("interval '10 minutes'")
    database.execute(
        update(Run).where(Run.run_id == task.run_id).values(lease_owner=task.owner, lease_until=until)
    )


def _context(database: Database, task: Work) -> RunContext:
    record = ENTRIES[task.kind]()
    if task.seen is not None:
        record = record.model_copy(update={"ocr_confidence_avg": 0.9})
    return context(
        record,
        task.folder,
        DatabaseRecorder(database, RUN_LEASES.held_by(task.run_id, task.owner)),
        model=None if task.says is None else FakeModel(dict(task.says)),
        vision=None if task.seen is None else FakeModel({}),
        ask_second_reader=FakeSecondReader(dict(task.seen or {})),
    )


def _killer(at: str | None) -> Callable[[str], None]:
    def reached(boundary: str) -> None:
        if boundary == at:
            os.kill(os.getpid(), signal.SIGKILL)

    return reached

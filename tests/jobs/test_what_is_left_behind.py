"""A real worker with a model and traces reads a few files; then all that it left is searched for whom they name:
its log, every command that the queue's server was sent, metrics, traces, failures and checkpoints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import select

from core.config import ROOT, load_settings
from core.models import JobFailure, OrchestratorLog, Run, Submission
from core.queue import worker_count
from pipeline.orchestrator.decisions import Step
from services.context import Context
from services.doctor.metrics import exposition
from services.reconcile import reconcile
from services.uploads.submit import IncomingFile, submit_files
from tests.support.left_behind import OPENING, checkpoints, found_in, sought, steps_logged, values_of
from tests.support.office import SAMPLES, environment, make_person, settled, wait_until
from tests.support.reading.entries import COMPLETE, ESSAY, acroform
from tests.support.servers.groq_server import GroqServer, answer
from tests.support.servers.langsmith_server import LangSmithServer
from tests.support.site import tidy_context

ASKED = {**COMPLETE, "Student's Name": "Theodora Okonkwo", "Grade": "", "School": "Juniper Hill Elementary"}
FILES = [
    IncomingFile("complete.pdf", acroform(COMPLETE)),
    IncomingFile("asked.pdf", acroform(ASKED, essay=f"{ESSAY} I am in the fourth grade.")),
    # The bytes of a sample of the demo, see `_files`.
    IncomingFile("sample", b""),
    IncomingFile("broken.pdf", b"%PDF-1.4\nMarisol Quintero, marisol.quintero@example.org, 555-0142\n"),
]
SECRET_KEY = "a-key-that-signs-sessions-0000"


@dataclass(frozen=True)
class Left:
    """What was there after the worker had stopped, by where it was found; all of it as text."""

    places: dict[str, str]
    #: What must stand in none of them: values of the fields, sentences of the essays, tokens.
    secrets: set[str]
    traces: LangSmithServer
    #: {run_id: (ids of its traces by the log, nodes by the log)}
    logged: dict[str, tuple[set[str], list[str]]]
    asked: int


@pytest.fixture(scope="module")
def left(database_url: str, redis_url: str) -> Iterator[Left]:
    with (
        tempfile.TemporaryDirectory() as folder,
        LangSmithServer() as traces,
        GroqServer(otherwise=answer({})) as model,
    ):
        settings = load_settings(
            _env_file=None,
            var_dir=Path(folder) / "var",
            database_url=database_url,
            redis_url=redis_url,
            secret_key=SECRET_KEY,
            audit_share=0.0,
            # Low confidence or not: what is missing is asked for.
            retry_confidence=1.0,
            max_tries=3,
            # The prompt holds the essay: more that could get into a trace.
            llm_send_essay=True,
            groq_api_key=model.key,
            groq_base_url=model.url,
            langsmith_tracing=True,
            langsmith_api_key=traces.key,
            langsmith_endpoint=traces.url,
            langsmith_project=traces.project,
            log_level="debug",
            log_format="json",
        )
        with tidy_context(settings) as context:
            context.redis.flushdb()
            tokens = {model.key, traces.key, SECRET_KEY}
            yield _worked(context, Path(folder) / "log", traces, model, tokens)


def _worked(context: Context, log: Path, traces: LangSmithServer, model: GroqServer, tokens: set[str]) -> Left:
    sent: list[str] = []
    with _listening(context.redis, sent), _worker(context, log):
        batch = submit_files(context, make_person(context), _files())
        wait_until(lambda: settled(context, batch), "the end of the batch", seconds=300)
        wait_until(lambda: _runs_have_ended(context), "the end of the runs", seconds=60)
    before = checkpoints(context)
    reconcile(context)
    with context.database.session() as session:
        failures = session.scalars(select(JobFailure)).all()
        logs = session.execute(
            select(OrchestratorLog.run_id, OrchestratorLog.trace_id, OrchestratorLog.action_taken).order_by(
                OrchestratorLog.run_id, OrchestratorLog.step
            )
        ).all()
    run_ids = {row.run_id for row in logs}
    return Left(
        places={
            "log": log.read_text(encoding="utf-8", errors="replace"),
            "queue": "\n".join(sent),
            "metrics": exposition(context).decode(),
            "traces": traces.text,
            "failures": "\n".join(str(failure.errors) for failure in failures),
            "steps": steps_logged(context),
            "checkpoints": checkpoints(context, of_settled=True),
            "checkpoints before they are pruned": before,
        },
        secrets=values_of(context) | tokens,
        traces=traces,
        logged={
            run_id: (
                {row.trace_id for row in logs if row.run_id == run_id},
                [row.action_taken for row in logs if row.run_id == run_id],
            )
            for run_id in run_ids
        },
        asked=len(model.requests),
    )


def _files() -> list[IncomingFile]:
    sample = next(path for path in sorted(SAMPLES.glob("*.pdf")) if path.name.startswith("10-"))
    return [file if file.data else IncomingFile(sample.name, sample.read_bytes()) for file in FILES]


def _runs_have_ended(context: Context) -> bool:
    with context.database.session() as session:
        open_runs = select(Run.run_id).where(Run.status.in_(["queued", "read", "running"])).limit(1)
        return session.scalar(open_runs) is None and session.scalar(select(Submission.id).limit(1)) is not None


@contextmanager
def _worker(context: Context, log: Path) -> Iterator[None]:
    """A worker process of its own, started as `flask worker` starts it, whose output goes to a file."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LANG", "LLM", "GROQ"))}
    with log.open("wb") as file:
        worker = subprocess.Popen(
            [sys.executable, "-m", "jobs.worker"],
            cwd=ROOT,
            env=kept | environment(context.settings),
            stdout=file,
            stderr=file,
        )
        try:
            wait_until(lambda: worker_count(context.redis) > 0, "a worker", seconds=180)
            yield
        finally:
            worker.terminate()
            try:
                worker.wait(60)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()


@contextmanager
def _listening(redis: Redis, sent: list[str]) -> Iterator[None]:
    """Write down every command that the server gets for this database: what a key held for a moment, too."""
    database = str(redis.connection_pool.connection_kwargs.get("db", 0))
    ended = threading.Event()
    monitor = redis.monitor()
    monitor.__enter__()

    def listen() -> None:
        with suppress(RedisError, ValueError, OSError, AttributeError):
            for command in monitor.listen():
                if ended.is_set():
                    return
                if str(command["db"]) == database:
                    sent.append(str(command["command"]))

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        redis.ping()
        thread.join(timeout=10)
        monitor.__exit__()


def test_there_is_something_to_find(left: Left) -> None:
    """Without this, the search would prove nothing."""
    secrets = sought(left.secrets)
    assert {"Marisol Quintero", "Theodora Okonkwo", "My father gets up before "[:OPENING], SECRET_KEY} <= secrets
    assert all(left.places[place] for place in left.places if place != "checkpoints")
    assert "job_failed" in left.places["log"] and "rq:job:" in left.places["queue"] and left.asked
    assert (
        found_in("x Marisol%20Quintero y", secrets)
        == found_in("MARISOL QUINTERO", secrets)
        == {"Marisol Quintero"}
    )


@pytest.mark.parametrize("place", ["log", "queue", "metrics", "failures", "steps", "checkpoints"])
def test_nothing_names_anybody(left: Left, place: str) -> None:
    assert found_in(left.places[place], sought(left.secrets)) == set()
    assert not re.search(r"[\w.+-]+@[\w-]+\.\w+|555.0142", left.places[place])


def test_traces_hold_nothing_but_their_own_key(left: Left) -> None:
    bodies = left.places["traces"]
    key = LangSmithServer.key
    assert found_in(bodies, sought(left.secrets) - {key}) == set()
    assert bodies.count(key) == sum(key in str(request.headers) for request in left.traces.requests)


def test_no_checkpoint_ever_holds_an_essay(left: Left) -> None:
    held = left.places["checkpoints before they are pruned"]
    essays = {one[:OPENING] for one in re.split(r"(?<=[.!?])\s+", ESSAY)}
    assert essays and found_in(held, essays | {SECRET_KEY, GroqServer.key, LangSmithServer.key}) == set()


def test_runs_nest_as_the_graph_does(left: Left) -> None:
    runs = left.traces.runs
    roots = {run_id: run for run_id, run in runs.items() if not run.get("parent_run_id")}
    assert {run["name"] for run in roots.values()} == {"LangGraph"} and roots
    for run_id, run in runs.items():
        parent = runs.get(str(run.get("parent_run_id")))
        if parent is not None:
            assert run["trace_id"] == parent["trace_id"]
            assert run["dotted_order"].startswith(f"{parent['dotted_order']}.")
        else:
            assert run["trace_id"] == run_id
        assert "end_time" in run
    nodes = set(Step)
    of_graph = [run for run in runs.values() if run["name"] in nodes]
    assert of_graph and all(str(run["parent_run_id"]) in roots for run in of_graph)
    chats = [run for run in runs.values() if run["name"] == "ChatGroq"]
    assert len(chats) == left.asked
    assert {_node_above(runs, run) for run in chats} <= {Step.RETRY_WITH_LLM, Step.REVIEW_AGENT}


def _node_above(runs: dict[str, dict[str, object]], run: dict[str, object]) -> str:
    while run["name"] not in set(Step):
        run = runs[str(run["parent_run_id"])]
    return str(run["name"])


def test_the_log_names_the_trace_that_was_sent(left: Left) -> None:
    sent: dict[str, list[str]] = {}
    for run in sorted(left.traces.runs.values(), key=lambda run: str(run["dotted_order"])):
        if run["name"] in set(Step):
            sent.setdefault(str(run["trace_id"]), []).append(str(run["name"]))
    assert left.logged
    of_logs = [trace for traces, _ in left.logged.values() for trace in traces]
    assert None not in of_logs and sorted(of_logs) == sorted(set(of_logs)), "a trace of each run's own"
    assert set(of_logs) <= sent.keys()
    for traces, nodes in left.logged.values():
        assert [
            node for trace in sorted(traces, key=lambda one: list(sent).index(one)) for node in sent[trace]
        ] == nodes

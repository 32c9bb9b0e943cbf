"""A context on the test's own database, queue and files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs.worker
from core.config import Settings, load_settings
from core.queue import open_queue
from jobs.worker import AppWorker
from services.context import Context
from tests.support import told_by_job
from tests.support.servers.groq_server import GroqServer, answer
from tests.support.site import tidy_context


def settings_of_a_job(var_dir: Path, database_url: str, redis_url: str) -> dict[str, Any]:
    """The settings of a job's test; leases are short, so that recovery need not be waited for."""
    return {
        "_env_file": None,
        "var_dir": var_dir,
        "database_url": database_url,
        "redis_url": redis_url,
        "secret_key": "test",
        "lease_seconds": 2,
        "audit_share": 0.0,
        "embeddings_provider": "none",
    }


@pytest.fixture
def chosen(tmp_path: Path, database_url: str, redis_url: str) -> dict[str, Any]:
    """The settings of this test, which it may add to."""
    return settings_of_a_job(tmp_path, database_url, redis_url)


@pytest.fixture
def worker(context: Context, monkeypatch: pytest.MonkeyPatch) -> AppWorker:
    """A worker of the test's own, in this process, that runs the functions of `told_by_job` alone."""
    monkeypatch.setattr(jobs.worker, "process_context", lambda: context)
    functions = (told_by_job.tell_backend, told_by_job.tell_process, told_by_job.fail)
    runnable = frozenset(f"{one.__module__}.{one.__name__}" for one in functions)
    return AppWorker([open_queue(context.redis)], runnable, connection=context.redis)


@pytest.fixture
def context(chosen: dict[str, Any]) -> Iterator[Context]:
    """Opened parts, an empty queue, no model."""
    yield from opened(load_settings(**chosen))


@pytest.fixture
def context_with_model(chosen: dict[str, Any]) -> Iterator[Context]:
    """Opened parts with a model that finds nothing, in Groq's wire format on this machine."""
    with GroqServer(otherwise=answer({})) as server:
        yield from opened(load_settings(**chosen, groq_api_key=server.key, groq_base_url=server.url))


def opened(settings: Settings) -> Iterator[Context]:
    """Opened parts with these settings, and an empty queue."""
    with tidy_context(settings) as opened:
        opened.redis.flushdb()
        yield opened

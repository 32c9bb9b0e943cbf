"""Try the queue, and count the workers."""

from __future__ import annotations

import time
from collections.abc import Iterator

from redis.exceptions import RedisError

from core.queue import worker_count
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, fine, wrong


def try_queue(context: Context) -> Iterator[Finding]:
    """Yield whether the queue answers and workers take from it."""
    began = time.monotonic()
    try:
        told = context.redis.info("server")
        workers = worker_count(context.redis)
    except RedisError as error:
        yield wrong(DoctorCode.QUEUE_SILENT, time.monotonic() - began, technical=type(error).__name__)
        return
    seconds = time.monotonic() - began
    valkey = "valkey_version" in told
    version = str(told.get("valkey_version") or told.get("redis_version", ""))
    yield fine(DoctorCode.QUEUE_ANSWERS, seconds, server="Valkey" if valkey else "Redis", version=version)
    yield fine(DoctorCode.WORKERS_RUN, count=workers) if workers else doubtful(DoctorCode.WORKERS_NONE)

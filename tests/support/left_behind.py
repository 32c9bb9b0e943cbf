"""Search what an office leaves behind itself for the people whom its entries name."""

from __future__ import annotations

import re
import urllib.parse
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from redis import Redis
from sqlalchemy import select, text

from core.models import SubmissionField
from pipeline.profiles import FieldKind, fields_of_kind
from services.context import Context

#: Letters of a value from which it is searched for; shorter ones stand in many texts that name nobody.
_LEAST = 6
#: Letters of a sentence that are enough to know it by.
OPENING = 24
#: A longer value is searched for by its sentences alone.
_WHOLE = 200


def values_of(context: Context) -> set[str]:
    """The values of all fields of all entries, but for options of a form, which name nobody."""
    with context.database.session() as session:
        found = session.scalars(
            select(SubmissionField.value).where(
                SubmissionField.value.is_not(None), SubmissionField.name.not_in(fields_of_kind(FieldKind.CHOICE))
            )
        )
        return {value.strip() for value in found if value}


def sought(secrets: set[str]) -> set[str]:
    """Values long enough to name somebody, and how each sentence of a text begins."""
    sentences = {one[:OPENING] for secret in secrets for one in re.split(r"(?<=[.!?])\s+", secret)}
    whole = {secret for secret in secrets if len(secret) < _WHOLE}
    return {one for one in whole | sentences if len(one) >= _LEAST}


def found_in(place: str, secrets: set[str]) -> set[str]:
    """Those of the secrets that a text holds, however they are written."""
    searched = place.casefold()
    return {secret for secret in secrets if any(spelling in searched for spelling in _spellings(secret))}


def _spellings(secret: str) -> set[str]:
    """A text as it stands in logs, JSON, addresses and forms."""
    escaped = secret.encode("unicode_escape").decode()
    found = {
        secret,
        escaped,
        urllib.parse.quote(secret),
        urllib.parse.quote_plus(secret),
        " ".join(secret.split()),
    }
    return {one.casefold() for one in found}


def checkpoints(context: Context, of_settled: bool = False) -> str:
    """Everything that the checkpoints hold, or those of settled runs, as text."""
    settled_runs = "select run_id from runs where status not in ('queued', 'read', 'running', 'interrupted')"
    wanted = f"thread_id in ({settled_runs})" if of_settled else "true"
    found: list[str] = []
    with context.database.session() as session:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            for row in session.execute(text(f"select * from langgraph.{table} where {wanted}")):
                found += [_as_text(value) for value in row]
    return "\n".join(found)


def steps_logged(context: Context) -> str:
    """The rows of the supervisor's log as text."""
    return "\n".join(context.database.scalars(text("select to_jsonb(l)::text from orchestrator_logs l")))


def queue_holds(redis: Redis) -> str:
    """Every key of the test's own database of the queue's server with its values, as text."""
    read: dict[bytes, Callable[[bytes], Any]] = {
        b"string": lambda key: [redis.get(key)],
        b"hash": lambda key: [part for pair in redis.hgetall(key).items() for part in pair],
        b"list": lambda key: redis.lrange(key, 0, -1),
        b"set": redis.smembers,
        b"zset": lambda key: redis.zrange(key, 0, -1),
        b"stream": lambda key: redis.xrange(key),
    }
    found = [(key, read[redis.type(key)](key)) for key in redis.scan_iter()]
    return "\n".join(_as_text(part) for key, values in found for part in (key, *values))


def _as_text(value: object) -> str:
    if not isinstance(value, bytes | memoryview):
        return str(value)
    with suppress(zlib.error):
        # As RQ keeps what a job is called with.
        value = zlib.decompress(value)
    return bytes(value).decode("utf-8", "replace")

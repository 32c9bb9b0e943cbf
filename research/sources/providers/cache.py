"""Cache searches and texts in the file store, so that a resumed report reads the same sources again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from core.clock import utcnow
from core.errors import AppError, NotFoundError
from core.file_store import FileStore
from core.log import get_logger
from research.sources.base import FetchedText, Hit

T = TypeVar("T")

FOLDER = "cache/sources"
#: Increase when the meaning of stored entries changes.
VERSION = 2

_log = get_logger(__name__)

#: The cache key: provider, query and limits. It never contains an API key.
Question = Mapping[str, str | int | list[str]]


#: The shapes of what is kept: when, and what.
HITS = TypeAdapter(tuple[datetime, list[Hit]])
TEXT = TypeAdapter(tuple[datetime, FetchedText])


class SourceCache:
    """Providers' answers by question; errors of the store are logged and count as misses."""

    def __init__(self, store: FileStore, hours: float, now: Callable[[], datetime] = utcnow) -> None:
        self._store = store
        self._life = timedelta(hours=hours)
        self._now = now

    def get(self, question: Question, shape: TypeAdapter[tuple[datetime, T]]) -> T | None:
        """Return what is kept for a question, or None if it is missing, too old or of another shape."""
        try:
            stored_at, value = shape.validate_json(self._store.get(_place(question)))
        except (NotFoundError, ValidationError):
            return None
        except AppError as exc:
            _log.warning("source_cache_unreadable", code=exc.code)
            return None
        return value if self._now() - self._life <= stored_at <= self._now() else None

    def keep(self, question: Question, shape: TypeAdapter[tuple[datetime, T]], value: T) -> None:
        """Store an answer."""
        if not self._life:
            return
        try:
            self._store.put(_place(question), shape.dump_json((self._now(), value)), "application/json")
        except AppError as exc:
            # An unavailable store costs a repeated request; it must not fail the report.
            _log.warning("source_cache_unwritable", code=exc.code)


def _place(question: Question) -> str:
    words = json.dumps({"version": VERSION, **question}, sort_keys=True, ensure_ascii=True)
    return f"{FOLDER}/{hashlib.sha256(words.encode()).hexdigest()}"

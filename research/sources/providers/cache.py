"""Cache searches and texts in the file store, so that a resumed report reads the same sources again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from core.clock import utcnow
from core.errors import AppError, NotFoundError
from core.file_store import FileStore
from core.log import get_logger
from research.sources.base import FetchedText, Hit

T = TypeVar("T")

FOLDER = "cache/sources"
#: Increase when the meaning of stored entries changes.
VERSION = 1

_log = get_logger(__name__)

#: The cache key: provider, query and limits. It never contains an API key.
Question = Mapping[str, str | int | list[str]]


class _Entry(BaseModel, Generic[T]):
    version: int
    stored_at: datetime
    question: dict[str, str | int | list[str]]
    value: T


class SourceCache:
    """Providers' answers by question; errors of the store are logged and count as misses."""

    def __init__(self, store: FileStore, hours: float, now: Callable[[], datetime] = utcnow) -> None:
        self._store = store
        self._life = timedelta(hours=hours)
        self._now = now

    def hits(self, question: Question) -> list[Hit] | None:
        """Return the hits of a search, or None if they are missing or too old."""
        return self._get(question, _HITS)

    def keep_hits(self, question: Question, hits: list[Hit]) -> None:
        """Store the hits of a search."""
        self._put(question, _HITS, hits)

    def text(self, question: Question) -> FetchedText | None:
        """Return a text, or None if it is missing, too old or incomplete."""
        text = self._get(question, _TEXT)
        return text if text is not None and _is_whole(text) else None

    def keep_text(self, question: Question, text: FetchedText) -> None:
        """Store a text."""
        self._put(question, _TEXT, text)

    def _get(self, question: Question, shape: TypeAdapter[_Entry[T]]) -> T | None:
        if not self._life:
            return None
        try:
            entry = shape.validate_json(self._store.get(_place(question)))
        except (NotFoundError, ValidationError):
            return None
        except AppError as exc:
            _log.warning("source_cache_unreadable", code=exc.code)
            return None
        fresh = self._now() - self._life <= entry.stored_at <= self._now()
        return entry.value if fresh and entry.version == VERSION and entry.question == dict(question) else None

    def _put(self, question: Question, shape: TypeAdapter[_Entry[T]], value: T) -> None:
        if not self._life:
            return
        entry = _Entry[T](version=VERSION, stored_at=self._now(), question=dict(question), value=value)
        try:
            self._store.put(_place(question), shape.dump_json(entry), "application/json")
        except AppError as exc:
            # An unavailable store costs a repeated request; it must not fail the report.
            _log.warning("source_cache_unwritable", code=exc.code)


_HITS = TypeAdapter(_Entry[list[Hit]])
_TEXT = TypeAdapter(_Entry[FetchedText])


def _place(question: Question) -> str:
    words = json.dumps({"version": VERSION, **question}, sort_keys=True, ensure_ascii=True)
    return f"{FOLDER}/{hashlib.sha256(words.encode()).hexdigest()}"


def _is_whole(text: FetchedText) -> bool:
    """Return whether the passages are contiguous and not blank."""
    end = 0
    for passage in text.passages:
        if passage.start_char != end or passage.end_char != end + len(passage.text) or not passage.text:
            return False
        end = passage.end_char
    return bool(text.text.strip())

"""Searches and texts kept in the file store, so that a report taken up again reads what it read before."""

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
#: Raised whenever what is kept changes its meaning.
VERSION = 1

_log = get_logger(__name__)

#: What was asked: provider, words, limits. No key is ever part of it.
Question = Mapping[str, str | int | list[str]]


class _Entry(BaseModel, Generic[T]):
    version: int
    stored_at: datetime
    question: dict[str, str | int | list[str]]
    value: T


class SourceCache:
    """What a provider answered, by what it was asked."""

    def __init__(self, store: FileStore, hours: float, now: Callable[[], datetime] = utcnow) -> None:
        self._store = store
        self._life = timedelta(hours=hours)
        self._now = now

    def hits(self, question: Question) -> list[Hit] | None:
        """The hits of a search, None where they are not known or too old."""
        return self._get(question, _HITS)

    def keep_hits(self, question: Question, hits: list[Hit]) -> None:
        """Remember what a search brought."""
        self._put(question, _HITS, hits)

    def text(self, question: Question) -> FetchedText | None:
        """A text, None where it is not known, too old or not whole."""
        text = self._get(question, _TEXT)
        return text if text is not None and _is_whole(text) else None

    def keep_text(self, question: Question, text: FetchedText) -> None:
        """Remember a text."""
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
            # A store that is away costs a second request, not the report.
            _log.warning("source_cache_unwritable", code=exc.code)


_HITS = TypeAdapter(_Entry[list[Hit]])
_TEXT = TypeAdapter(_Entry[FetchedText])


def _place(question: Question) -> str:
    words = json.dumps({"version": VERSION, **question}, sort_keys=True, ensure_ascii=True)
    return f"{FOLDER}/{hashlib.sha256(words.encode()).hexdigest()}"


def _is_whole(text: FetchedText) -> bool:
    """Whether the passages follow each other without a gap and say something."""
    end = 0
    for passage in text.passages:
        if passage.start_char != end or passage.end_char != end + len(passage.text) or not passage.text:
            return False
        end = passage.end_char
    return bool(text.text.strip())

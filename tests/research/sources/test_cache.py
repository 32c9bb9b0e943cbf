"""What was found is kept, for as long as the settings say, and checked when it is read."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import StorageError
from core.file_store import LocalFileStore
from research.sources.base import FetchedText, Hit, Passage
from research.sources.providers.cache import FOLDER, SourceCache

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
QUESTION = {"provider": "tavily", "query": "padres y lectura", "k": 5, "denied": ["example.net"]}
HITS = [Hit("tavily", "web", "Título", "https://example.org/", authors=("Ana Ortiz",), year=2019, score=0.5)]
TEXT = FetchedText((Passage("One. ", 0, 5, 1), Passage("Two.", 5, 9, 2)), "https://example.org/", "T", "en", 2019)


def cache(folder: Path, hours: float = 1, at: datetime = NOW) -> SourceCache:
    return SourceCache(LocalFileStore(folder), hours, lambda: at)


def files(folder: Path) -> list[Path]:
    return [path for path in (folder / FOLDER).rglob("*") if path.is_file()]


def test_what_was_kept_is_read(tmp_path: Path) -> None:
    cache(tmp_path).keep_hits(QUESTION, HITS)
    cache(tmp_path).keep_text({**QUESTION, "query": "other"}, TEXT)
    assert cache(tmp_path).hits(QUESTION) == HITS
    assert cache(tmp_path).text({**QUESTION, "query": "other"}) == TEXT


def test_another_question_has_another_answer(tmp_path: Path) -> None:
    cache(tmp_path).keep_hits(QUESTION, HITS)
    assert cache(tmp_path).hits({**QUESTION, "k": 6}) is None
    assert cache(tmp_path).text(QUESTION) is None


def test_it_grows_old(tmp_path: Path) -> None:
    cache(tmp_path).keep_hits(QUESTION, HITS)
    assert cache(tmp_path, at=NOW + timedelta(minutes=59)).hits(QUESTION) == HITS
    assert cache(tmp_path, at=NOW + timedelta(minutes=61)).hits(QUESTION) is None
    assert cache(tmp_path, at=NOW - timedelta(minutes=1)).hits(QUESTION) is None


def test_without_hours_nothing_is_kept(tmp_path: Path) -> None:
    cache(tmp_path, hours=0).keep_hits(QUESTION, HITS)
    assert not (tmp_path / FOLDER).exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: b"no json",
        lambda entry: b"[]",
        lambda entry: json.dumps({**entry, "version": 99}).encode(),
        lambda entry: json.dumps({**entry, "question": {"provider": "other"}}).encode(),
        lambda entry: json.dumps({**entry, "value": {"passages": "text"}}).encode(),
        lambda entry: json.dumps({**entry, "value": {**entry["value"], "passages": []}}).encode(),
        lambda entry: json.dumps(
            {**entry, "value": {"passages": [{"text": "Two.", "start_char": 5, "end_char": 9}]}}
        ).encode(),
    ],
)
def test_what_is_not_whole_is_asked_again(tmp_path: Path, change: object) -> None:
    cache(tmp_path).keep_text(QUESTION, TEXT)
    (kept,) = files(tmp_path)
    kept.write_bytes(change(json.loads(kept.read_bytes())))  # type: ignore[operator]
    assert cache(tmp_path).text(QUESTION) is None
    cache(tmp_path).keep_text(QUESTION, TEXT)
    assert cache(tmp_path).text(QUESTION) == TEXT


def test_a_store_that_is_away_stops_nothing() -> None:
    class Away(LocalFileStore):
        def get(self, key: str) -> bytes:
            raise StorageError("away")

        def put(self, key: str, data: bytes, content_type: str = "") -> None:
            raise StorageError("away")

    away = SourceCache(Away(Path("nowhere")), 1)
    away.keep_hits(QUESTION, HITS)
    assert away.hits(QUESTION) is None

"""What was found is kept, for as long as the settings say, and checked when it is read."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import StorageError
from core.file_store import LocalFileStore
from research.sources.base import FetchedText, Hit, Passage
from research.sources.remote import FOLDER, HITS, TEXT, SourceCache

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
QUESTION = {"provider": "tavily", "query": "padres y lectura", "k": 5, "denied": ["example.net"]}
FOUND = [Hit("tavily", "web", "Título", "https://example.org/", authors=("Ana Ortiz",), year=2019, score=0.5)]
READ = FetchedText((Passage("One. ", 0, 5, 1), Passage("Two.", 5, 9, 2)), "https://example.org/", 2019)


def cache(folder: Path, hours: float = 1, at: datetime = NOW) -> SourceCache:
    return SourceCache(LocalFileStore(folder), hours, lambda: at)


def files(folder: Path) -> list[Path]:
    return [path for path in (folder / FOLDER).rglob("*") if path.is_file()]


def test_what_was_kept_is_read(tmp_path: Path) -> None:
    cache(tmp_path).keep(QUESTION, HITS, FOUND)
    cache(tmp_path).keep({**QUESTION, "query": "other"}, TEXT, READ)
    assert cache(tmp_path).get(QUESTION, HITS) == FOUND
    assert cache(tmp_path).get({**QUESTION, "query": "other"}, TEXT) == READ


def test_another_question_has_another_answer(tmp_path: Path) -> None:
    cache(tmp_path).keep(QUESTION, HITS, FOUND)
    assert cache(tmp_path).get({**QUESTION, "k": 6}, HITS) is None
    assert cache(tmp_path).get(QUESTION, TEXT) is None


def test_it_grows_old(tmp_path: Path) -> None:
    cache(tmp_path).keep(QUESTION, HITS, FOUND)
    assert cache(tmp_path, at=NOW + timedelta(minutes=59)).get(QUESTION, HITS) == FOUND
    assert cache(tmp_path, at=NOW + timedelta(minutes=61)).get(QUESTION, HITS) is None
    assert cache(tmp_path, at=NOW - timedelta(minutes=1)).get(QUESTION, HITS) is None


def test_without_hours_nothing_is_kept(tmp_path: Path) -> None:
    cache(tmp_path, hours=0).keep(QUESTION, HITS, FOUND)
    assert not (tmp_path / FOLDER).exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: b"no json",
        lambda entry: b"[]",
        lambda entry: json.dumps([entry[0], {"passages": "text"}]).encode(),
    ],
)
def test_what_is_not_whole_is_asked_again(tmp_path: Path, change: object) -> None:
    cache(tmp_path).keep(QUESTION, TEXT, READ)
    (kept,) = files(tmp_path)
    kept.write_bytes(change(json.loads(kept.read_bytes())))  # type: ignore[operator]
    assert cache(tmp_path).get(QUESTION, TEXT) is None
    cache(tmp_path).keep(QUESTION, TEXT, READ)
    assert cache(tmp_path).get(QUESTION, TEXT) == READ


def test_a_store_that_is_away_stops_nothing() -> None:
    class Away(LocalFileStore):
        def get(self, key: str) -> bytes:
            raise StorageError("away")

        def put(self, key: str, data: bytes, content_type: str = "") -> None:
            raise StorageError("away")

    away = SourceCache(Away(Path("nowhere")), 1)
    away.keep(QUESTION, HITS, FOUND)
    assert away.get(QUESTION, HITS) is None

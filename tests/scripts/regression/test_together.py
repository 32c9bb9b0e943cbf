"""Which entries the regression check decides together, on scans of one school."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.regression.prediction import Prediction
from scripts.regression.read_file import read_file
from scripts.regression.together import Together, changes_of
from tests.support.reading.one_school import OFF, SCHOOL, stack_of

SINGLE = "single.pdf"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stack of five, of which the last is a letter off, and a file of one entry that is off as well."""
    path = tmp_path_factory.mktemp("entries")
    (path / "stack.pdf").write_bytes(stack_of([*[SCHOOL] * 4, OFF]))
    (path / SINGLE).write_bytes(stack_of([SCHOOL.replace("Hills", "Hilis")]))
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def read(folder: Path, cache: Path, together: Together, name: str, graph: bool = False) -> list[Prediction]:
    files = sorted(folder.iterdir())
    changes = changes_of(together, files, "rapidocr", cache, None, workers=1)
    return read_file(folder / name, graph, "rapidocr", cache, None, changes)


@pytest.mark.parametrize("graph", [True, False])
def test_the_entries_of_a_file_are_spelled_alike_and_flagged(folder: Path, cache: Path, graph: bool) -> None:
    *others, last = read(folder, cache, Together.FILE, "stack.pdf", graph)
    assert {entry.school_name for entry in (*others, last)} == {SCHOOL}
    assert last.needs_review and "SPELLED_AS_OTHERS" in last.review_reason_codes
    assert not any("SPELLED_AS_OTHERS" in entry.review_reason_codes for entry in others)


def test_a_file_of_one_entry_is_decided_with_the_folder_only(folder: Path, cache: Path) -> None:
    (alone,) = read(folder, cache, Together.FILE, SINGLE)
    assert alone.school_name == "Juniper Hilis Elementary School"
    (joined,) = read(folder, cache, Together.FOLDER, SINGLE)
    assert joined.school_name == SCHOOL and joined.needs_review


def test_none_leaves_every_entry_as_read(folder: Path, cache: Path) -> None:
    assert read(folder, cache, Together.NONE, "stack.pdf")[-1].school_name == OFF

"""Bombs end in a reading or in an error that says what they take too much of, within small limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from core.config import Settings
from core.error_codes import ErrorCode
from core.file_store import LocalFileStore
from lab.fuzz.bombs import (
    html,
    markdown,
    pdf_drawing,
    pdf_fields,
    pdf_filters,
    pdf_fonts,
    pdf_structure,
    pictures,
    word,
)
from lab.fuzz.catalogue import bombs
from lab.fuzz.mutated import mutated
from lab.fuzz.reading import READ, UNTYPED, read_as_worker
from lab.fuzz.seeds import Seed
from tests.support.confined_limits import limited

#: Seconds for one call of a child, and most seconds for a whole file: some are parsed, opened and drawn.
SECONDS, ALL_SECONDS = 1.0, 20.0
ALLOWED = {READ, str(ErrorCode.TOO_COSTLY), str(ErrorCode.UNPACKS_TOO_LARGE)}


@pytest.fixture(autouse=True)
def small_limits() -> Iterator[None]:
    with limited(memory_mb=700, seconds=SECONDS):
        yield


@pytest.fixture
def store(settings: Settings) -> LocalFileStore:
    return LocalFileStore(settings.var_dir)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bomb", "suffix"),
    [
        (pdf_drawing.nested_forms, ".pdf"),
        (pdf_filters.huge_text_stream, ".pdf"),
        (pdf_filters.hex_then_flate, ".pdf"),
        (pdf_fields.twenty_thousand_fields, ".pdf"),
        (pdf_fonts.half_a_million_letters, ".pdf"),
        (pdf_fonts.words_in_one_line, ".pdf"),
        (pictures.png_of_sixteen_bits, ".png"),
        (word.text_nodes_of_gigabytes, ".docx"),
        (html.links, ".html"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_bomb_ends_in_a_reading_or_an_error_of_its_cost(
    bomb: Callable[[], bytes], suffix: str, settings: Settings, store: LocalFileStore
) -> None:
    outcome = read_as_worker(Seed("bomb" + suffix, bomb()), settings, store, most_pages=1)
    assert outcome.code in ALLOWED, outcome.detail
    assert not outcome.child_failed, outcome.detail
    assert outcome.seconds < ALL_SECONDS


@pytest.mark.parametrize(
    ("bomb", "suffix"),
    [
        (pdf_structure.deep_arrays_that_end, ".pdf"),
        (pdf_structure.page_tree_in_a_circle, ".pdf"),
        (pdf_structure.references_in_a_circle, ".pdf"),
        (pdf_structure.count_of_two_billion, ".pdf"),
        (pdf_fonts.type_three_that_shows_itself, ".pdf"),
        (markdown.front_matter_of_great_depth, ".md"),
        (markdown.front_matter_of_numbers_and_dates, ".md"),
        (markdown.front_matter_that_multiplies, ".md"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_degenerate_file_ends_in_a_reading_or_an_error_of_our_own(
    bomb: Callable[[], bytes], suffix: str, settings: Settings, store: LocalFileStore
) -> None:
    outcome = read_as_worker(Seed("bomb" + suffix, bomb()), settings, store, most_pages=1)
    assert outcome.code != UNTYPED, outcome.detail
    assert not outcome.child_failed, outcome.detail


@pytest.mark.slow
def test_mutated_files_end_in_a_reading_or_an_error_of_our_own(settings: Settings, store: LocalFileStore) -> None:
    files = [mutated(7, number) for number in range(20)]
    outcomes = [read_as_worker(file, settings, store, most_pages=1) for file in files]
    assert [outcome.detail for outcome in outcomes if outcome.code == UNTYPED] == []
    counts = Counter(outcome.code for outcome in outcomes)
    assert counts[READ] > 3 and counts[str(ErrorCode.DAMAGED_DOCUMENT)] > 2


def test_the_same_number_gives_the_same_file() -> None:
    assert mutated(7, 3) == mutated(7, 3)
    assert mutated(7, 3) != mutated(8, 3)


def test_there_are_bombs_of_every_format() -> None:
    found = list(bombs())
    assert len({bomb.name for bomb in found}) == len(found) >= 60
    assert {bomb.suffix for bomb in found} == {".pdf", ".png", ".docx", ".md", ".html", ".txt", ".toml", ".json"}

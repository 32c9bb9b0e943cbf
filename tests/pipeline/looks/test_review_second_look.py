"""Where a value stands on the page, and who reads it again."""

from pathlib import Path

import pytest

from core.config import Settings, load_settings
from core.file_store import LocalFileStore
from pipeline.looks import second_look
from pipeline.looks.second_look import place_on, second_readings
from pipeline.pages.page_model import Box, PageContent, Source, Word
from pipeline.schema import SubmissionRecord
from tests.support.reading.documents import essay_pdf


def page(*lines: str, number: int = 1) -> PageContent:
    words = [
        Word(text, Box(0.1 * i, 0.1 * line, 0.1 * i + 0.08, 0.1 * line + 0.05), 1.0, Source.TEXT_LAYER, line)
        for line, row in enumerate(lines)
        for i, text in enumerate(row.split(" "))
    ]
    return PageContent(number, 612, 792, words)


def test_the_words_are_found_in_a_row() -> None:
    [place] = place_on([page("Name: Marisol Vega 4")], "marisol VEGA")
    assert place.page == 1
    assert place.box == Box(0.1, 0.0, 0.28, 0.05)


def test_a_value_that_wraps_has_a_box_a_line() -> None:
    places = place_on([page("At Larkspur", "Elementary we")], "Larkspur Elementary")
    assert [round(place.box.y0, 2) for place in places] == [0.0, 0.1]


def test_it_is_found_on_a_later_page() -> None:
    [place] = place_on([page("nothing"), page("Larkspur Elementary", number=2)], "Larkspur Elementary")
    assert place.page == 2


def test_words_apart_are_no_place() -> None:
    assert place_on([page("Marisol and Vega")], "Marisol Vega") == []


def test_a_short_value_must_stand_once() -> None:
    assert place_on([page("Grade 4")], "4")
    assert place_on([page("Grade 4", "I was 4")], "4") == []


def test_no_value_has_no_place() -> None:
    assert place_on([page("a")], " ") == []


def test_a_field_is_read_again_by_the_provider_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def propose(
        name: str, pdf: bytes, record: object, pages: object, settings: Settings, *_: object
    ) -> list[object]:
        asked.append(settings.ocr_provider)
        return []

    monkeypatch.setattr(second_look, "propose", propose)
    store = LocalFileStore(tmp_path)
    store.put("a.pdf", essay_pdf())
    record = SubmissionRecord(submission_id="s", page_start=1, page_end=1)
    settings = load_settings(_env_file=None)
    second_readings(["grade"], "a.pdf", "none", record, settings=settings, store=store, schools={})
    assert (asked, settings.ocr_provider) == (["none"], "rapidocr")

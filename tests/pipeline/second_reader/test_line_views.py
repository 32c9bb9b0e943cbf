"""What the recogniser sees where a value stands, on a measured form and on a page without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Settings
from core.file_store import LocalFileStore
from pipeline.extraction.page_roles import plain_header, role_of
from pipeline.ocr_providers import get_provider
from pipeline.recognition.page_contents import read_pages
from pipeline.schema import FieldReading
from pipeline.second_reader.comparison import likelihood_of
from pipeline.second_reader.line_views import LineViews
from tests.support.reading.documents import scanned
from tests.support.reading.drawn import drawn
from tests.support.reading.paper import FORM_2026, HEADER, essay

SETTINGS = Settings(_env_file=None)


def seen(pdf: bytes, field: str, folder: Path) -> tuple[LineViews, FieldReading]:
    store, provider = LocalFileStore(folder), get_provider("rapidocr", SETTINGS)
    [page] = read_pages(pdf, SETTINGS, store, provider)
    roled = role_of(page)
    read = plain_header(roled.reading).readings if roled.profile is None else {}
    return LineViews(pdf, roled, provider, store), read.get(field, FieldReading())


@pytest.mark.parametrize("turned", [0, 90])
def test_a_line_without_a_form_is_seen_where_it_was_read(tmp_path: Path, turned: int) -> None:
    page = drawn([(72, 60, "Marisol Vega"), (72, 80, "Larkspur Elementary"), (72, 100, "Grade 4")])
    views, reading = seen(scanned(page, turned=turned), "student_name", tmp_path)
    assert reading.value == "Marisol Vega"
    found = views.of("student_name", reading)
    right, wrong = likelihood_of(["marisol vega"], found), likelihood_of(["marisol vera"], found)
    assert right is not None and wrong is not None and right > -0.1 > -0.3 > wrong


def test_a_field_that_was_not_read_is_seen_in_its_place_on_a_form(tmp_path: Path) -> None:
    views, _ = seen(drawn([*FORM_2026, *HEADER, *essay()]), "student_name", tmp_path)
    found = likelihood_of(["marisol vega"], views.of("student_name", FieldReading()))
    assert found is not None and found > -0.3


def test_without_a_place_nothing_is_seen(tmp_path: Path) -> None:
    views, _ = seen(drawn([(72, 60, "Marisol Vega"), (72, 80, "Grade 4")]), "student_name", tmp_path)
    assert views.of("school_name", FieldReading()) == []
    assert likelihood_of(["larkspur"], []) is None

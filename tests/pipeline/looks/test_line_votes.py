"""Votes of many pictures of one line, recognised for real from drawn pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Settings
from core.file_store import LocalFileStore
from pipeline.extraction.page_roles import RoledPage, roles_of
from pipeline.extraction.readings import RECOGNISED_ALONE
from pipeline.looks.line_look import LineLook, line_votes
from pipeline.ocr_providers import get_provider
from pipeline.profiles import FieldKind
from pipeline.recognition.page_contents import read_pages
from pipeline.schema import FieldReading
from tests.support.reading.drawn import drawn
from tests.support.reading.paper import FORM_2026, HEADER, essay

SETTINGS = Settings(_env_file=None)


@pytest.fixture(scope="module")
def scan() -> tuple[bytes, RoledPage]:
    pdf = drawn([*FORM_2026, *HEADER, *essay()])
    return pdf, roles_of(read_pages(pdf, SETTINGS, None))[0]


def votes(
    scan: tuple[bytes, RoledPage], folder: Path, field: str, kind: FieldKind, asked: list[str]
) -> dict[str | None, FieldReading]:
    provider, store = get_provider("rapidocr", SETTINGS), LocalFileStore(folder)
    found = line_votes(field, kind, None, asked, LineLook(*scan, provider, store), provider, store)
    return {reading.value: reading for reading in found}


def test_all_pictures_of_a_clear_line_give_its_value(scan: tuple[bytes, RoledPage], tmp_path: Path) -> None:
    found = votes(scan, tmp_path, "grade", FieldKind.GRADE, ["4", "9"])
    assert {value: reading.confidence for value, reading in found.items()} == {"4": RECOGNISED_ALONE, "9": 0.0}


def test_an_empty_zone_has_no_value(tmp_path: Path) -> None:
    pdf = drawn([*FORM_2026, *(text for text in HEADER if "Vega" not in text[2]), *essay()])
    roled = roles_of(read_pages(pdf, SETTINGS, None))[0]
    found = votes((pdf, roled), tmp_path, "student_name", FieldKind.PERSON, ["Marisol Vega"])
    assert found["Marisol Vega"].confidence == 0.0

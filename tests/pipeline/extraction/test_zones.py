"""Recognised handwriting that leaves the zone of its field, in points of the form."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.extraction.tokens import Token
from pipeline.extraction.zones import read_lines
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import all_profiles

FORM = all_profiles()["ifi_2026"]
Written = tuple[float, float, float, float, str]


def read(*lines: Sequence[Written]) -> dict[str, str | None]:
    tokens = [
        [Token(text, Box(x0, y0, x1, y1), 0.95, Source.OCR, 1, number) for x0, y0, x1, y1, text in line]
        for number, line in enumerate(lines)
    ]
    return {name: reading.value for name, reading in read_lines(FORM, tokens).items()}


def test_a_name_goes_on_over_the_label_of_the_next_column() -> None:
    name = [(210, 95, 300, 127, "Josefina"), (308, 95, 390, 127, "Quintero"), (398, 95, 480, 127, "Palomares")]
    found = read(name, [(505, 112, 520, 126, "4th")])
    assert found == {"student_name": "Josefina Quintero Palomares", "grade": "4"}


def test_large_letters_belong_to_the_row_of_their_baseline() -> None:
    name = [(206, 104, 260, 122, "Josefina"), (266, 104, 284, 122, "Paz")]
    found = read(name, [(290, 113, 380, 149, "Emilio"), (386, 113, 470, 149, "Quintero")])
    assert found == {"student_name": "Josefina Paz", "father_figure_name": "Emilio Quintero"}


def test_a_misread_word_of_a_label_is_no_part_of_a_value() -> None:
    found = read(
        [(498, 131, 570, 145, "Larkspur")], [(496, 148, 536, 158, "Escrlbiend"), (538, 148, 562, 158, "Sobre:")]
    )
    assert found == {"school_name": "Larkspur"}


def test_an_address_goes_on_behind_the_label_of_the_number() -> None:
    found = read([(66, 151, 205, 166, "emilio.quintero@exam")], [(290, 151, 350, 166, "ple.org")])
    assert found == {"email": "emilio.quintero@example.org"}


def test_a_number_beside_an_address_stays_a_number() -> None:
    found = read([(66, 151, 205, 166, "emilio.quintero@exam")], [(290, 151, 390, 166, "217-555-0136")])
    assert found["phone"] == "217-555-0136"


def test_a_number_under_the_prompts_is_the_one_that_is_missing() -> None:
    assert read([(60, 222, 150, 236, "(217) 555-0136")]) == {"phone": "(217) 555-0136"}
    assert "phone" not in read([(60, 222, 150, 236, "217-555-0136")], [(300, 222, 390, 236, "309-555-0101")])

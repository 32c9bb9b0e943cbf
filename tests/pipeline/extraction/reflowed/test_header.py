"""Headers of re-flowed forms: labels and values that wrap, in columns of their own."""

from __future__ import annotations

import pytest

from pipeline.extraction.page_reading import read_page
from pipeline.extraction.reflowed_values import Reflowed, read_reflowed
from pipeline.extraction.tokens import token_text
from tests.support.reading.paper import Set, essay, page

TITLE: Set = (72, 54, "2026 IFI Fatherhood Essay Contest", 20)
PROMPTS: list[Set] = [
    (36, 248, '"What my father or an important father-figure* means to me"'),
    (36, 265, '"Lo que mi padre o una figura paterna importante* significa para mí"'),
]
LEFT: list[Set] = [
    (30, 110, "Student’s Name / Nombre del"),
    (30, 122, "Estudiante - Marisol Vega"),
    (30, 140, "Father/Father-Figure Name / Nombre", 8),
    (30, 152, "del Padre/Figura Paterna-Ernesto", 8),
    (30, 164, "Vega Robles", 8),
    (30, 182, "Email e.vega@example.org"),
]
RIGHT: list[Set] = [
    (309, 140, "School / Escuela"),
    (309, 152, "Juniper Hill"),
    (309, 164, "Elementary"),
    (309, 182, "Grade / Grado 4th"),
]
EXPECTED = {
    "student_name": "Marisol Vega",
    "father_figure_name": "Ernesto Vega Robles",
    "school_name": "Juniper Hill Elementary",
    "grade": "4",
    "email": "e.vega@example.org",
}


def header(*texts: Set) -> Reflowed:
    return read_reflowed(read_page(page(1, [TITLE, *texts, *PROMPTS, *essay(290, 12)])))


def values(found: Reflowed) -> dict[str, str | None]:
    return {name: reading.value for name, reading in found.readings.items()}


@pytest.mark.parametrize("texts", [[*LEFT, *RIGHT], [*RIGHT, *LEFT], sorted([*LEFT, *RIGHT], key=lambda t: t[1])])
def test_lines_at_one_height_stay_in_their_columns(texts: list[Set]) -> None:
    found = header(*texts)
    assert values(found) == EXPECTED
    assert found.unexplained == []
    assert not any(reading.unaccounted for reading in found.readings.values())


def test_labels_and_values_in_cells_of_their_own() -> None:
    found = header(
        (30, 110, "Student’s Name / Nombre"),
        (30, 122, "del Estudiante"),
        (150, 110, "Marisol"),
        (150, 122, "Vega"),
        (30, 140, "Father/Father-Figure"),
        (30, 152, "Name / Nombre del"),
        (30, 164, "Padre/Figura Paterna"),
        (150, 140, "Ernesto Vega"),
        (150, 152, "Robles"),
        (309, 110, "School / Escuela"),
        (420, 110, "Juniper Hill"),
        (420, 122, "Elementary"),
        (309, 140, "Grade / Grado"),
        (420, 140, "4th"),
    )
    assert values(found) == {name: EXPECTED[name] for name in EXPECTED if name != "email"}
    assert found.unexplained == []


@pytest.mark.parametrize("kin", ["Grandpa", "Papá", "Abuelo", "My stepdad", "Mi tío"])
def test_a_word_of_kinship_is_kept_as_it_is_written(kin: str) -> None:
    found = header(*LEFT[:2], (30, 140, "Father/Father-Figure Name"), (30, 152, kin), *RIGHT)
    assert values(found)["father_figure_name"] == kin
    assert found.readings["father_figure_name"].confidence == 1.0


def test_a_word_of_kinship_is_nobodys_name_elsewhere() -> None:
    found = header((30, 110, "Student’s Name / Nombre del Estudiante"), (30, 122, "Grandpa"), *RIGHT)
    assert values(found)["student_name"] is None


def test_names_whose_labels_were_deleted_are_doubtful() -> None:
    others: list[Set] = [(30, 194, "Phone / Teléfono"), (309, 194, "Writing About / Escribiendo Sobre:")]
    found = header((30, 110, "Marisol Vega"), (30, 122, "Ernesto Vega"), *LEFT[-1:], *RIGHT, *others)
    assert (values(found)["student_name"], values(found)["father_figure_name"]) == ("Marisol Vega", "Ernesto Vega")
    assert found.readings["student_name"].confidence < 0.8


#: A line that shows how wide the column is.
WIDE: list[Set] = [
    (30, 140, "Father/Father-Figure Name"),
    (30, 182, "Email ernesto.vega.robles.senior@example.org"),
]


def test_a_second_paragraph_under_a_name_is_said_not_joined() -> None:
    found = header((30, 110, "Student’s Name - Marisol Vega"), (30, 122, "Reading club"), *WIDE, *RIGHT)
    assert values(found)["student_name"] == "Marisol Vega"
    assert token_text(found.unexplained) == "Reading club"
    assert found.readings["student_name"].unaccounted


def test_what_may_be_the_rest_of_a_name_is_joined_and_said() -> None:
    found = header((30, 110, "Student’s Name - Marisol Vega"), (30, 122, "Robles"), *WIDE, *RIGHT)
    reading = found.readings["student_name"]
    assert (reading.value, reading.unaccounted) == ("Marisol Vega Robles", True)


def test_a_word_beside_the_grade_that_is_no_grade_is_said() -> None:
    found = header(*LEFT, *RIGHT[:3], (309, 182, "Grade / Grado 4th Robles Park"))
    assert token_text(found.unexplained) == "Robles Park"


@pytest.mark.parametrize("beside", ["March 19", "Room 214", "12/03/2026", "* *"])
def test_dates_rooms_and_signs_are_explained(beside: str) -> None:
    found = header(*LEFT, *RIGHT, (480, 110, beside))
    assert found.unexplained == []
    assert values(found) == EXPECTED


def test_a_word_of_a_label_comes_off_the_end_of_a_value() -> None:
    found = header(*LEFT, *RIGHT[:3], (309, 176, "Nombre"), RIGHT[3])
    assert values(found)["school_name"] == "Juniper Hill Elementary"


def test_an_address_that_the_cells_edge_broke_is_whole_again() -> None:
    broken: list[Set] = [(30, 182, "Email"), (30, 194, "ernesto.vega.robles@exam"), (30, 206, "ple.org")]
    assert values(header(*LEFT[:-1], *broken, *RIGHT))["email"] == "ernesto.vega.robles@example.org"


@pytest.mark.parametrize(("begun", "rest"), [("ernesto.vega.robles", "@example.org"), ("e.vega@exam", "ple.org")])
def test_an_address_goes_on_behind_the_label_of_the_number(begun: str, rest: str) -> None:
    around: list[Set] = [(30, 182, f"Email {begun}"), (30, 206, f"Phone / Teléfono {rest} 312-555-0134")]
    found = values(header(*LEFT[:-1], *around, *RIGHT))
    assert (found["email"], found["phone"]) == (begun + rest, "312-555-0134")


def test_an_address_that_is_merely_cut_off_is_given_as_it_is() -> None:
    around: list[Set] = [(30, 182, "Email e.vega@exam"), (30, 206, "Phone / Teléfono 312-555-0134")]
    assert values(header(*LEFT[:-1], *around, *RIGHT))["email"] == "e.vega@exam"


SHORT: list[Set] = [
    (30, 110, "Student’s Name"),
    (30, 122, "Marisol Vega"),
    (30, 140, "Email"),
    (30, 152, "e.vega@example.org"),
    (309, 110, "School"),
    (309, 122, "Juniper Hill"),
    (309, 140, "Grade"),
    (309, 152, "4th"),
]


def test_a_header_that_asks_for_the_fields_is_the_forms_though_nothing_else_of_it_is_there() -> None:
    read = read_page(page(1, [*SHORT, PROMPTS[0]]))
    assert read.profile is not None
    assert values(read_reflowed(read)) == {
        "student_name": "Marisol Vega",
        "school_name": "Juniper Hill",
        "grade": "4",
        "email": "e.vega@example.org",
    }


@pytest.mark.parametrize("texts", [SHORT, [*SHORT[:6], PROMPTS[0]]], ids=["no prompt", "three fields"])
def test_a_few_labels_are_above_many_essays_without_a_form(texts: list[Set]) -> None:
    assert read_page(page(1, texts)).profile is None

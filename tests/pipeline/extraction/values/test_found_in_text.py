"""What counts as said by a document, and what does not."""

import pytest

from pipeline.extraction.values.kinds import found_in_text

FORM = """IFI Contest  (Grades K-12)
Student's Name: María  José
Peñalosa Ortiz      Grade / Grado: 4
School: Ｌｉｎｃｏｌｎ Elementary, Room 12
Phone (555) 555-0143   E-mail: ana @ example . org
On May 7 we walked my first dog to the banana stand."""


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("student_name", "María José Peñalosa Ortiz"),
        ("student_name", "MARÍA JOSÉ PEÑALOSA ORTIZ"),
        ("school_name", "Lincoln Elementary"),
        ("phone", "555-555-0143"),
        ("email", "ana@example.org"),
        ("grade", "4"),
        ("grade", "4th grade"),
        ("grade", "cuarto grado"),
    ],
)
def test_said(field: str, value: str) -> None:
    assert found_in_text(field, value, FORM)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("student_name", "Mario José Peñalosa Ortiz"),
        ("student_name", "Ana Ortega"),
        ("student_name", "nana"),
        ("student_name", "Maria Jose Penalosa Ortiz"),
        ("phone", "555-555-0144"),
        ("phone", "0143"),
        ("email", "na@example.org"),
        ("grade", "7"),
        ("grade", "12"),
        ("grade", "1"),
        ("grade", "K"),
        ("grade", "none"),
    ],
)
def test_not_said(field: str, value: str) -> None:
    assert not found_in_text(field, value, FORM)


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("I am in 4th grade.", "4"),
        ("Estoy en cuarto grado.", "4"),
        ("My son goes to Kindergarten", "K"),
        ("Kínder", "K"),
        ("Grade\n4\nSchool", "4"),
        ("Grade ______ 11th", "11"),
        ("grade four", "4"),
        ("Gr. 6", "6"),
    ],
)
def test_grades_in_their_equivalent_forms(text: str, grade: str) -> None:
    assert found_in_text("grade", grade, text)
    assert not found_in_text("grade", "9", text)

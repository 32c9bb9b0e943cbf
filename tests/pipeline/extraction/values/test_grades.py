import pytest

from pipeline.extraction.values.kinds import explicit_grades, parse_grade


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("4", "4"),
        ("4th", "4"),
        ("K", "K"),
        ("K.", "K"),
        ("Grade K", "K"),
        ("K - Room 5", "K"),
        ("K (Mrs. Alder)", "K"),
        ("Kindergarten", "K"),
        ("Kinder", "K"),
        ("Grade: 3", "3"),
        ("2nd Grade", "2"),
        ("tercer grado", "3"),
        ("6°", "6"),
        ("fouth", "4"),
        ("8B", "8"),
        ("404 1st", "1"),
        ("Room 214 4th grade", "4"),
        ("5th / Rm 12", "5"),
        ("Salón 7, quinto", "5"),
        ("senior", "12"),
    ],
)
def test_a_grade_field_is_read(text: str, grade: str) -> None:
    assert parse_grade(text).value == grade


@pytest.mark.parametrize("text", ["214", "Room 4", "K-12", "Pre-K", "13", "0", "4th 5th", "Lincoln", "", "2026"])
def test_what_is_no_single_grade_is_none(text: str) -> None:
    assert parse_grade(text).value is None


@pytest.mark.parametrize("text", ["8B", "4 404"])
def test_a_number_in_doubtful_company_is_not_sure(text: str) -> None:
    assert parse_grade(text).certainty < 0.8


@pytest.mark.parametrize(
    "text",
    [
        "Third Street Community School",
        "Lincoln Junior High",
        "First Academy",
        "Room 3",
        "Stella K. Osborne",
        "K. Osborne",
    ],
)
def test_a_school_a_room_or_an_initial_names_no_grade(text: str) -> None:
    assert explicit_grades(text) == []

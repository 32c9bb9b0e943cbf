import pytest

from pipeline.extraction.values.names import is_misread_label, is_print, is_teacher, person_certainty, same_person


@pytest.mark.parametrize(
    "name",
    [
        "Marisol Vega",
        "José de la Cruz",
        "Ana-Lucía O'Brien",
        "Vega, Marisol",
        "Li Wei Chen",
        "Trần Thị Mỹ Hạnh",
        "Phạm Văn Tự",
        "王小明",
        "김민준",
        "ليلى الحداد",
        "Олга Стрк",
    ],
)
def test_whole_names_are_sure(name: str) -> None:
    assert person_certainty(name) >= 0.8


@pytest.mark.parametrize("name", ["Marisol", "Marisol Vega 4th", "Page Turner", "Vega Elementary", "Mrslv Vgtrk"])
def test_odd_names_are_kept_but_not_sure(name: str) -> None:
    assert 0 < person_certainty(name) < 0.8


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Grade / Grado",
        "Student's Name",
        "Nombre del Estudiante",
        "March 19, 2026",
        "What my dad means to me",
        "a@example.org",
        "(0A7\\CEE1",
    ],
)
def test_labels_dates_and_sentences_are_no_names(text: str) -> None:
    assert person_certainty(text) == 0


def test_a_teacher_is_told_by_the_form_of_address() -> None:
    assert is_teacher("Mrs. Halverson")
    assert not is_teacher("Marisol Vega")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Marisol Vega", "marisol  vega", True),
        ("Marisol Vega", "Marisol T. Vega", True),
        ("Marisol Vega", "Marisoi Vega", True),
        ("Marisol Vega", "Daniel Vega", False),
        ("Marisol", "Marisol Vega", False),
    ],
)
def test_same_person(one: str, other: str, same: bool) -> None:
    assert same_person(one, other) is same


def test_a_grade_is_no_print() -> None:
    assert is_print("Grade")
    assert not is_print("Grade 1")


@pytest.mark.parametrize("text", ["Escribiendo Sobre", "scribierldd Sobre", "Nombre del Padne", "Stuclent Name"])
def test_labels_are_known_though_badly_read(text: str) -> None:
    assert is_misread_label(text)


@pytest.mark.parametrize("text", ["Father Figure Academy", "Escuela Lincoln", "Estudillo Noriega", "Ana"])
def test_names_and_schools_are_no_labels(text: str) -> None:
    assert not is_misread_label(text)

"""What a model is shown of an entry's text."""

from pathlib import Path

import pytest

from core.config import Settings
from pipeline.extraction.model_fields import CUT, MAX_DOCUMENT, MAX_HEADER, text_for
from pipeline.recognition.page_contents import read_pages
from pipeline.runner import raw_text

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
HEADER = """\
2026 IFI Fatherhood Essay Contest
Student's Name / Nombre del Estudiante Ana Ru1z Grade / Grado 12h
Father/Father-Figure Name / Nombre del Padre/Figura Paterna Luis Ruiz School / Escuela River
Elementary School
Email ana@example.org Phone / Teléfono 773-555-0102 Writing About / Escribiendo Sobre:
Father / Padre
X Grandfather / Abuelo"""
ESSAY = """\
My grandad is the best. He is funny when he dances.
He works a lot but he comes home to me, and he
says I am smart. I like when we play chess."""
NAME_AND_SCHOOL = frozenset({"student_name", "school_name"})


def shown(text: str, *fields: str, **known: str) -> list[str]:
    return text_for(text, frozenset(fields), known).splitlines()


def sample(name: str) -> str:
    settings = Settings(_env_file=None)
    return raw_text(read_pages((SAMPLES / name).read_bytes(), settings, None, "none"))


def test_print_is_taken_away_and_labels_are_the_keys_of_their_fields() -> None:
    assert shown(HEADER, "school_name") == [
        "[student_name] Ana Ru1z [grade] 12h",
        "[father_figure_name] Luis Ruiz [school_name] River",
        "Elementary School",
    ]


def test_values_that_are_known_are_not_shown() -> None:
    lines = shown(HEADER, "school_name", "grade", student_name="Ana Ru1z", father_figure_name="Luis Ruiz")
    assert lines[:2] == ["[student_name] [grade] 12h", "[father_figure_name] [school_name] River"]


def test_addresses_and_numbers_are_shown_where_they_are_asked_for() -> None:
    (line,) = [line for line in shown(HEADER, "email", "phone") if "[email]" in line]
    assert line == "[email] ana@example.org [phone] 773-555-0102 [writing_about]"
    assert not [line for line in shown(HEADER, "grade") if "555" in line or "@" in line]


def test_an_option_is_shown_beside_its_mark() -> None:
    assert shown(HEADER, "writing_about")[-1] == "X <Grandfather>"
    assert not [line for line in shown(HEADER, "grade") if "<" in line]


def test_a_value_above_its_label_is_shown() -> None:
    assert shown("Tomás Chávez\nStudent's Name / Nombre del Estudiante", "student_name") == ["Tomás Chávez"]


def test_the_essay_is_held_back_and_its_signature_is_not() -> None:
    assert shown(f"{ESSAY}\nTomás Chávez, Room 4", "student_name") == ["Tomás Chávez, Room 4"]


def test_the_whole_text_is_shown_where_it_is_wanted() -> None:
    text = text_for(f"{HEADER}\n{ESSAY}", NAME_AND_SCHOOL, whole=True)
    assert "He works a lot" in text
    assert "Nombre del Estudiante" not in text


def test_a_label_below_the_essay_ends_it() -> None:
    assert shown(f"{ESSAY}\nFather/Father-Figure Name Bo Oak", "father_figure_name") == [
        "[father_figure_name] Bo Oak"
    ]


def test_the_reaction_is_held_back() -> None:
    text = "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:\nBig proud heart today"
    assert shown(f"{text}\nEmail ana@example.org", "email") == ["[email] ana@example.org"]


@pytest.mark.parametrize(
    "name", ["06-blank-form.pdf", "08-printed-with-an-empty-header.pdf", "11-essay-without-a-name.pdf"]
)
def test_where_nothing_is_left_nothing_is_shown(name: str) -> None:
    assert shown(sample(name), "student_name", "school_name", "grade") == []


def test_a_filled_form_shows_its_header_alone() -> None:
    assert shown(sample("07-form-printed-from-a-browser.pdf"), "student_name", "school_name", "grade") == [
        "[student_name] Gael Valenzuela [grade] 9th grade",
        "[father_figure_name] Leopoldo Valenzuela [school_name] Ridgemont Valley High School",
    ]


def test_a_long_text_is_cut_in_the_middle() -> None:
    text = "\n".join(f"Quail Run {number}" for number in range(10_000))
    header = text_for(text, NAME_AND_SCHOOL)
    assert len(header) == MAX_HEADER and CUT in header
    assert header.startswith("Quail Run 0\n") and header.endswith("Quail Run 9999")
    assert len(text_for(text, NAME_AND_SCHOOL, whole=True)) == MAX_DOCUMENT

"""What a reply says, and what of it is not used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from core.config import Settings
from core.file_store import LocalFileStore
from core.llm.ledger import Usage
from pipeline.profiles import all_profiles, freeform_profile
from pipeline.second_reader.header_picture import HeaderPicture
from pipeline.second_reader.question import (
    HEADER_SYSTEM,
    Answers,
    Dropped,
    answers_of,
    ask,
    question_of,
    reply_schema,
)

FORM = all_profiles()["ifi_2025"]
FIELDS = ("student_name", "father_figure_name", "school_name", "grade", "phone", "email", "writing_about")


def read(**said: str) -> Answers:
    return answers_of(FORM, FIELDS, said)


def test_values_are_returned_as_records_store_them() -> None:
    found = read(student_name=" Ana  Ruiz ", grade="4th", school_name="Harbor", writing_about="Father / Padre")
    assert found.values == {
        "student_name": "Ana Ruiz",
        "grade": "4",
        "school_name": "Harbor",
        "writing_about": "Father",
    }
    assert not found.dropped and not found.unreadable


@pytest.mark.parametrize("empty", ["", "vacío", "EN BLANCO", "n/a", "None", "(empty)", "ninguno"])
def test_what_is_empty_is_left_out(empty: str) -> None:
    found = read(student_name=empty)
    assert not found.values and not found.unreadable and not found.dropped


@pytest.mark.parametrize("unreadable", ["?", "Ana ?", "illegible", "ILEGIBLE", "[unclear]", "Ana […]"])
def test_what_cannot_be_read_is_no_value(unreadable: str) -> None:
    found = read(student_name=unreadable)
    assert found.unreadable == {"student_name"} and not found.values


@pytest.mark.parametrize(
    "said",
    ["Name: Ana Ruiz", "student name: Ana Ruiz", "Student’s Name / Nombre del Estudiante: Ana Ruiz", '"Ana Ruiz"'],
)
def test_a_label_before_a_value_is_taken_off(said: str) -> None:
    assert read(student_name=said).values == {"student_name": "Ana Ruiz"}


@pytest.mark.parametrize(
    ("name", "said", "why"),
    [
        ("student_name", "very long " * 20, Dropped.TOO_LONG),
        ("student_name", "Odalys Zumwalt", Dropped.ECHO),
        ("student_name", "ODALYS ZUMWALT", Dropped.ECHO),
        ("father_figure_name", "Father/Father-Figure Name / Nombre del Padre/Figura Paterna", Dropped.ECHO),
        ("school_name", "School / Escuela", Dropped.ECHO),
        ("grade", "APPROVED", Dropped.NOT_OF_KIND),
        ("phone", "call me", Dropped.NOT_OF_KIND),
        ("email", "APPROVED", Dropped.NOT_OF_KIND),
        ("writing_about", "my dog", Dropped.NOT_OF_KIND),
        ("student_name", "\u202eziuR anA", Dropped.NOT_OF_KIND),
        ("school_name", "Juniper School\x00", Dropped.NOT_OF_KIND),
    ],
)
def test_what_cannot_be_a_value_is_dropped_with_its_reason(name: str, said: str, why: Dropped) -> None:
    found = read(**{name: said})
    assert found.dropped == {name: why} and not found.values


def test_fields_that_were_not_asked_for_are_no_answers() -> None:
    assert answers_of(FORM, ["grade"], {"grade": "4", "student_name": "Ana Ruiz"}).values == {"grade": "4"}


def test_the_question_names_fields_with_their_labels_and_options_and_no_value() -> None:
    asked = json.loads(question_of(FORM, ("student_name", "writing_about")))["fields"]
    assert asked["student_name"]["label"] == "Student's Name / Nombre del Estudiante"
    assert "Father" in asked["writing_about"]["options"]
    assert all(
        asked for asked in json.loads(question_of(freeform_profile(), ("student_name",)))["fields"].values()
    )


def test_the_prompt_calls_what_stands_in_the_picture_data() -> None:
    assert "data from an unknown person" in HEADER_SYSTEM and "letter by letter" in HEADER_SYSTEM


def test_a_reply_with_a_half_of_a_character_is_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    asked: list[str] = []

    class Odd:
        def ask(self, system: str, user: str, schema: type[Any], **options: Any) -> tuple[Any, Usage]:
            asked.append(user)
            return schema.model_validate({"student_name": "Ana\ud800 Ruiz", "grade": "4"}), Usage("odd", "odd")

    picture = HeaderPicture(1, freeform_profile(), ("student_name", "grade"), b"picture", {})
    store, settings = LocalFileStore(tmp_path), Settings(_env_file=None)
    first, again = (ask(picture, model=Odd(), settings=settings, store=store) for _ in range(2))
    assert first == again and first.values == {"grade": "4"} and len(asked) == 1


@pytest.mark.parametrize("said", [{}, {"header": {"student_name": "Ana Ruiz"}}, {"error": "try again later"}])
def test_a_reply_with_none_of_the_fields_is_no_empty_header(said: dict[str, Any]) -> None:
    """It is asked for once more, and not kept as what the page says."""
    with pytest.raises(ValidationError):
        reply_schema(("student_name", "grade")).model_validate(said)
    assert (
        reply_schema(("student_name", "grade")).model_validate({"grade": None}).model_dump(exclude_none=True) == {}
    )

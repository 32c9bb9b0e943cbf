"""What the machine marks on blanks: on one with rules, cells, combs and boxes to tick, and on the camp's."""

from __future__ import annotations

import numpy as np
import pytest

from core.config import Settings
from core.confined.mupdf import pymupdf
from lab.samples.camp import layout
from lab.samples.camp.collection import blank_forms
from pipeline.blanks.areas import key_for, kind_of_label, label_facts
from pipeline.blanks.marks import FormMarks, build_profile, first_marks, marks_of_profile
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind, PrintedRole, built_in_profiles
from pipeline.recognition.page_contents import read_pages, render_page


def marked(pdf: bytes, settings: Settings) -> FormMarks:
    (page,) = read_pages(pdf, settings, None, pages=[1])
    grey = np.asarray(render_page(pdf, 1, 150).convert("L"))
    return first_marks(page, grey, grey.shape[1] / page.width)


def ruled() -> bytes:
    """Labels before, on and under rules, a label with a colon alone, and options in a row and in a column."""
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)

        def write(x: float, y: float, text: str, size: float = 11) -> None:
            page.insert_text((x, y), text, fontsize=size)

        write(60, 70, "Riverbend Boat Race", 20)
        write(60, 92, "Please print clearly. One sheet for each boat.", 9)
        write(60, 130, "Skipper's name *")
        page.draw_line((150, 132), (560, 132), width=0.7)
        write(60, 162, "Age:")
        page.draw_line((60, 164), (200, 164), width=0.7)
        page.draw_line((320, 164), (560, 164), width=0.7)
        write(320, 174, "Race day / Día de la carrera", 8)
        write(60, 214, "What the boat is made of:")
        for number in range(3):
            page.draw_line((60, 238 + 24 * number), (560, 238 + 24 * number), width=0.7)
        write(60, 330, "Lane")
        for number, text in enumerate(("Left", "Middle", "Right")):
            page.draw_rect((150 + 90 * number, 321, 160 + 90 * number, 331), width=0.8)
            write(165 + 90 * number, 330, text)
        write(60, 360, "Boat class")
        for number, text in enumerate(("Paper", "Wood")):
            page.draw_circle((70, 376 + 20 * number), 5, width=0.8)
            write(82, 380 + 20 * number, text)
        write(60, 440, "E-mail: ______________________   Phone: ______________")
        return bytes(document.tobytes())


def test_rules_labels_and_options(settings: Settings) -> None:
    marks = marked(ruled(), settings)
    found = {field.label_en: field for field in marks.fields}
    assert list(found) == [
        *("Skipper's name", "Age", "Race day", "What the boat is made of", "Lane", "Boat class", "E-mail", "Phone")
    ]
    assert found["Skipper's name"].required and found["Skipper's name"].key == "student_name"
    assert [found[name].kind for name in ("Age", "E-mail", "Phone")] == [
        FieldKind.NUMBER,
        FieldKind.EMAIL,
        FieldKind.PHONE,
    ]
    assert found["Race day"].label_es == "Día de la carrera"
    age, day, made = (found[name].zone for name in ("Age", "Race day", "What the boat is made of"))
    assert age and 80 < age.x0 < 100 and 195 < age.x1 < 205, "the rule goes on behind its label"
    assert day and day.y1 < 167 < day.y1 + 5, "the label is under the rule"
    assert made and made.height > 55, "three rules are one area"
    lane, kind = found["Lane"].options, found["Boat class"].options
    assert [one.value for one in lane] == ["Left", "Middle", "Right"]
    assert [one.value for one in kind] == ["Paper", "Wood"]
    assert lane[1].mark and abs(lane[1].mark.cx - 245) < 1.5 and abs(lane[1].mark.cy - 326) < 1.5
    roles = {one.texts[0]: (one.role, one.field) for one in marks.printed}
    assert roles["Riverbend Boat Race"] == (PrintedRole.TITLE, "")
    assert roles["Lane"] == (PrintedRole.LABEL, "lane")
    assert not {"Left", "Paper"} & set(roles), "options stand with their field"


@pytest.mark.parametrize("name", ["camp-blank-flat.pdf", "camp-blank-live.pdf"])
def test_a_form_of_cells_in_two_languages(settings: Settings, name: str) -> None:
    marks = marked(blank_forms()[name], settings)
    labelled = {field.label_en: field for field in marks.fields}
    for cell in layout.CELLS:
        field = labelled[cell.english]
        if cell.name != "allergies":
            assert field.label_es in (cell.spanish, cell.english)
        zone = Box(*cell.box)
        assert field.zone and zone.x0 - 1 <= field.zone.cx <= zone.x1 + 1 and zone.y0 <= field.zone.cy <= zone.y1
        assert [one.value for one in field.options] == [
            one.value if "Week" not in one.value else one.text for one in cell.options
        ]
        assert field.widgets == ((f"camp_{cell.name}",) if "live" in name else ())
    assert {field.label_en for field in marks.fields} - {cell.english for cell in layout.CELLS} == {
        "Signature of parent or guardian",
        "Date",
    }


def test_labels_tell_kind_languages_and_key() -> None:
    facts = label_facts("Correo electrónico / E-mail *")
    assert (facts.en, facts.es, facts.kind, facts.required) == (
        "E-mail",
        "Correo electrónico",
        FieldKind.EMAIL,
        True,
    )
    assert label_facts("Date of birth (MM/DD/YYYY)").en == "Date of birth (MM/DD/YYYY)"
    assert kind_of_label("Phone of your school") is FieldKind.PHONE
    assert kind_of_label("Favourite colour") is FieldKind.TEXT
    assert key_for(FieldKind.GRADE, "Grade in the fall", []) == "grade"
    assert key_for(FieldKind.GRADE, "Grade in the fall", ["grade"]) == "grade_in_the_fall"
    assert key_for(FieldKind.TEXT, "2nd child", ["field_2nd_child"]) == "field_2nd_child_2"


@pytest.mark.parametrize("key", [key for key, one in built_in_profiles().items() if one.kind != "freeform"])
def test_marks_of_a_profile_make_the_same_profile(key: str) -> None:
    profile = built_in_profiles()[key]
    again = build_profile(marks_of_profile(profile, profile.page))
    assert set(again.fields) == set(profile.fields)
    for name, spec in profile.fields.items():
        kept = {"kind", "zone", "widgets", "heads", "pattern", "language"}
        assert again.fields[name].model_dump(include=kept) == spec.model_dump(include=kept)
    order = lambda printed: printed.texts  # noqa: E731 - options come first in what marks make
    assert sorted(again.printed, key=order) == sorted(profile.printed, key=order)


def test_a_rule_with_a_label_of_its_own_is_no_second_line(settings: Settings) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((60, 70), "Riverbend Boat Race", fontsize=20)
        page.insert_text((60, 130), "Skipper's name", fontsize=11)
        page.draw_line((150, 132), (420, 132), width=0.7)
        page.insert_text((440, 130), "Age", fontsize=11)
        page.draw_line((470, 132), (560, 132), width=0.7)
        page.draw_line((380, 168), (560, 168), width=0.7)
        page.insert_text((380, 178), "Date of the race", fontsize=8)
        marks = marked(bytes(document.tobytes()), settings)
    zones = {field.label_en: field.zone for field in marks.fields}
    assert set(zones) == {"Skipper's name", "Age", "Date of the race"}
    assert (
        zones["Age"] and zones["Age"].y1 < 140 and zones["Date of the race"] and zones["Date of the race"].y1 > 160
    )

"""Live fields are known by their names, also where joining files has renamed them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import ROOT, Settings
from core.confined.mupdf import pymupdf
from core.file_store import LocalFileStore
from pipeline.extract_ifi import read_entry
from pipeline.extraction.widgets import name_on_form
from pipeline.pages.page_model import Box, PageContent, Widget
from pipeline.reason_codes import ReasonCode
from pipeline.runner import analyse, process_submission
from services.policy import policy_of
from tests.support.reading.paper import Set, page

SETTINGS = Settings(_env_file=None)
FILLED = ROOT / "samples" / "01-form-filled-on-screen.pdf"
KNOWN = {"essay", "group1", "student's name"}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Essay", "essay"),
        ("Essay [103]", "essay"),
        ("essay_2", "essay"),
        ("Essay#1", "essay"),
        ("Essay (3)", "essay"),
        ("Form2.Student’s Name", "student's name"),
        ("Group1", "group1"),
        ("Group1 [9]", "group1"),
        ("Group2", None),
        ("Text1", None),
        ("7", None),
        ("", None),
    ],
)
def test_a_renamed_field_has_the_name_of_its_form(name: str, wanted: str | None) -> None:
    assert name_on_form(name, KNOWN) == wanted


def test_forms_joined_into_one_file_are_read_alike(tmp_path: Path) -> None:
    store = LocalFileStore(tmp_path)
    with pymupdf.open(FILLED) as one, pymupdf.open() as joined:
        for _ in range(3):
            joined.insert_pdf(one)
        assert len({widget.field_name for page in joined for widget in page.widgets()}) > len(
            list(one[0].widgets())
        )
        store.put("joined.pdf", joined.tobytes())
    analysis = analyse(store.get("joined.pdf"), SETTINGS, store)
    first, *others = (
        process_submission(
            "joined.pdf",
            f"s{chunk.index}",
            f"artifacts/{chunk.index}",
            "rapidocr",
            "joined.pdf",
            chunk.model_dump(mode="json"),
            analysis.format.value,
            settings=SETTINGS,
            store=store,
            policy=policy_of(SETTINGS),
        )[0]
        for chunk in analysis.chunks
    )
    assert len(others) == 2 and first.student_name and first.essay_text
    for other in others:
        assert ReasonCode.TEMPLATE_ONLY.value not in other.review_reason_codes
        assert {name: reading.value for name, reading in other.readings.items()} == {
            name: reading.value for name, reading in first.readings.items()
        }


def own_sheet(names: list[str], *, boxed: str = "", ends_with_box: bool = False) -> PageContent:
    """A sheet that is no known form: labels at the left, fields at the right, perhaps a row of boxes of grades."""
    labels = ["Student:", "School:", "Grade:", "Father or father figure:", "Essay:"]
    essay = " ".join(["He sings old songs to us."] * 12)
    values = ["Marisol Vega", "Juniper School", "4", "Ernesto Vega", essay]
    texts: list[Set] = [(60, 60 + 24 * n, label) for n, label in enumerate(labels)]
    widgets = []
    for n, (name, value) in enumerate(zip(names, values, strict=True)):
        if n == 2 and boxed:
            continue
        high = 200 if n == 4 else 16
        widgets.append(
            Widget(name, "text", value, Box(220 / 612, (52 + 24 * n) / 792, 0.9, (52 + 24 * n + high) / 792))
        )
    for n, option in enumerate("K12345" if boxed else ""):
        x = 220 + 40 * n
        texts.append((x - 14 if ends_with_box else x + 14, 108, option))
        spot = Box(x / 612, 102 / 792, (x + 10) / 612, 114 / 792)
        on = option in boxed
        widgets.append(Widget(f"Box{n}", "checkbox", "Yes" if on else "", spot, checked=on))
    return page(1, texts, widgets=widgets)


NAMED = [["name", "school", "grade", "father", "essay"], ["Text1", "Text2", "Text3", "Text4", "Text5"]]


@pytest.mark.parametrize("names", NAMED)
def test_fields_of_a_sheet_that_is_no_known_form_are_read_beside_its_labels(names: list[str]) -> None:
    found = {name: reading.value for name, reading in read_entry([own_sheet(names)])[0].items()}
    assert (found["student_name"], found["school_name"], found["grade"]) == ("Marisol Vega", "Juniper School", "4")
    assert found["father_figure_name"] == "Ernesto Vega"
    assert found["word_count"] == "72"


@pytest.mark.parametrize("ends_with_box", [False, True])
@pytest.mark.parametrize(("boxed", "grade"), [("3", "3"), ("K", "K"), ("5", "5"), ("35", None), ("-", None)])
def test_of_a_row_of_boxes_the_marked_one_is_the_grade(boxed: str, grade: str | None, ends_with_box: bool) -> None:
    sheet = own_sheet(NAMED[0], boxed=boxed, ends_with_box=ends_with_box)
    found = {name: reading.value for name, reading in read_entry([sheet])[0].items()}
    assert (found.get("student_name"), found.get("grade")) == ("Marisol Vega", grade)

"""Live fields are known by their names, also where joining files has renamed them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import ROOT, Settings
from core.file_store import LocalFileStore
from core.mupdf import pymupdf
from pipeline.extraction.widgets import name_on_form
from pipeline.reason_codes import ReasonCode
from pipeline.runner import analyse, process_submission
from pipeline.validation.season_policy import policy_of

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

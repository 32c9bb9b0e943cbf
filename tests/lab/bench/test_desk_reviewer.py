"""What the scripted reviewer of the desk's bench does about a row."""

from __future__ import annotations

from typing import Any

import pytest

from lab.bench.desk.reviewer import Act, act_on
from services.entries.detail import FieldView
from services.review.details import FieldChoice
from services.review.item import DeskRow

TRUTH: dict[str, Any] = {
    "student_name": "Ana Ruiz",
    "school_name": "Lakeview",
    "grade": None,
    "accepted": {"school_name": ["Lakeview", "Lakeview School"]},
}


def row(
    name: str, read: str | None, proposed: str | None = None, preferred: str = "neither", **more: Any
) -> DeskRow:
    """A row of the desk; with `proposed`, one to choose in."""
    proposal = None
    if proposed is not None:
        proposal = FieldChoice(name, read, proposed, None, 0.6, "ocr", None, None, [], preferred, "pending")
    required = name in ("student_name", "school_name", "grade", "essay_text")
    values = {"missing": False, "required": required, "offered": None, "waivable": False} | more
    return DeskRow(FieldView(name, read, 0.6, "ocr", None), proposal, **values)


@pytest.mark.parametrize(
    ("shown", "act"),
    [
        (row("student_name", "Ana Ruiz"), Act.NOTHING),
        (row("student_name", "Ana Puiz"), Act.EDIT),
        (row("student_name", "Ana Ruiz", "Ana Ruiz", "as_read"), Act.NOTHING),
        (row("student_name", "Ana Ruiz", "Ana Ruiz"), Act.TAKE),
        (row("student_name", "Ana Puiz", "Ana Ruiz", "proposed"), Act.NOTHING),
        (row("student_name", "Ana Ruiz", "Ana Puiz", "proposed"), Act.LEAVE),
        (row("student_name", "Ana Puiz", "Ana Quiz", "proposed"), Act.EDIT),
        (row("school_name", "Lakeview School"), Act.NOTHING),
        (row("school_name", None, missing=True, offered="Lakeview"), Act.TAKE),
        (row("grade", None, missing=True), Act.ASK),
        (row("grade", "7", "7", "as_read"), Act.DENY),
        (row("teacher_name", "Mr. Wrong"), Act.NOTHING),
        (row("teacher_name", "Mr. Wrong", "Mr. Worse", "proposed"), Act.EDIT),
        (row("essay_text", "Short.", missing=True, waivable=True), Act.WAIVE),
        (row("essay_text", "Short."), Act.NOTHING),
    ],
)
def test_the_page_decides(shown: DeskRow, act: Act) -> None:
    assert act_on(shown, TRUTH) is act

"""One value against the truth."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.regression.scoring.compare import Verdict, verdict

TRUTH: dict[str, Any] = {
    "student_name": "Sofía O'Brien-Ruiz",
    "school_name": "Maple Hollow Elem.",
    "grade": "4",
    "phone": "(312) 555-0142",
    "email": "ana.ruiz@example.org",
    "writing_about": "Father-Figure",
    "teacher_name": None,
    "word_count": 100,
    "word_count_range": [95, 105],
    "accepted": {"school_name": ["Maple Hollow Elementary School"]},
}


@pytest.mark.parametrize(
    ("name", "predicted", "expected"),
    [
        ("student_name", "SOFÍA  OBRIEN RUIZ", Verdict.RIGHT),
        ("student_name", "Sofia O'Brien-Ruiz", Verdict.WRONG),
        ("student_name", None, Verdict.MISSED),
        ("school_name", "maple hollow elem", Verdict.RIGHT),
        ("school_name", "Maple Hollow Elementary School", Verdict.RIGHT),
        ("school_name", "Maple Hollow", Verdict.WRONG),
        ("grade", "4", Verdict.RIGHT),
        ("grade", "4th", Verdict.WRONG),
        ("phone", "+1 312-555-0142", Verdict.RIGHT),
        ("phone", "312-555-0143", Verdict.WRONG),
        ("email", "Ana.Ruiz@Example.org", Verdict.RIGHT),
        ("email", "ana.ruiz@example.com", Verdict.WRONG),
        ("writing_about", "Father-Figure / Figura Paterna", Verdict.RIGHT),
        ("writing_about", "Father", Verdict.WRONG),
        ("teacher_name", None, Verdict.EMPTY),
        ("teacher_name", "Mrs. Poe", Verdict.INVENTED),
        ("word_count", 95, Verdict.RIGHT),
        ("word_count", 106, Verdict.WRONG),
        ("word_count", None, Verdict.MISSED),
    ],
)
def test_verdicts(name: str, predicted: Any, expected: Verdict) -> None:
    assert verdict(name, TRUTH, predicted) is expected


def test_words_counted_on_an_empty_page_are_invented() -> None:
    assert verdict("word_count", {"word_count": None, "word_count_range": [0, 0]}, 12) is Verdict.INVENTED

"""Entries held against what a person sees: what passes wrongly, and what is gone without a word."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.regression.prediction import FileReading
from scripts.regression.scoring.page_truth import Seen, pair, see_file
from tests.scripts.regression.made import prediction, reading

ESSAY = " ".join(f"word{number}" for number in range(60))
OTHER = " ".join(f"other{number}" for number in range(60))


def truth(name: str | None = "Ana Ruiz", page: int = 1, **changes: Any) -> dict[str, Any]:
    """The label of an entry."""
    return {
        "student_name": name,
        "school_name": "Cedar Bend",
        "grade": "3",
        "father_figure_name": None,
        "phone": None,
        "email": None,
        "essay_text": ESSAY,
        "word_count": 60,
        "word_count_range": [58, 62],
        "page_start": page,
        "page_end": page,
        "typed": True,
        "accepted": {},
        "hazards": ["way"],
        **changes,
    }


def see(truths: list[dict[str, Any]], *predictions: Any, error: str | None = None, **fair: Any) -> Seen:
    """What is seen of a file."""
    found = reading(*predictions)
    found = FileReading(found.file, found.sha256, found.predictions, 0.1, error)
    return see_file(found, {"kind": "kind", "entries": truths, **fair})


def entry(**changes: Any) -> Any:
    """A prediction that is right and passes, but for the changes."""
    return prediction(**{"essay_text": ESSAY, "word_count": 60, **changes})


def test_a_file_that_is_read_as_it_is_seen_is_right() -> None:
    seen = see([truth()], entry())
    assert seen.right and (seen.entries, seen.passed) == (1, 1)


@pytest.mark.parametrize(
    ("label", "read", "fault"),
    [
        ({}, {"student_name": "Ana Ruiz Ruiz"}, "student_name wrong"),
        ({"grade": None}, {}, "grade invented"),
        ({"grade": None}, {"grade": None}, "grade is empty"),
        ({}, {"word_count": 80}, "80 words"),
        ({}, {"word_count": None}, "no essay"),
        ({}, {"essay_text": OTHER}, "not as shown"),
        ({}, {"essay_text": ESSAY.removeprefix("word0 ")}, "not as shown"),
        ({}, {"essay_text": f"{ESSAY} COPY word"}, "not as shown"),
        ({"must_wait": True}, {}, "no machine can know"),
        ({}, {"teacher_name": "Lo\0pez"}, "control characters"),
        ({}, {"city_or_location": "page 4 of example"}, "holds 'example'"),
    ],
)
def test_what_passes_and_is_not_what_is_seen_is_silently_wrong(
    label: dict[str, Any], read: dict[str, Any], fault: str
) -> None:
    seen = see([truth(**label)], entry(**read), no_entry=["example"])
    assert fault in seen.silent[0]
    waits = see([truth(**label)], entry(**read, needs_review=True), no_entry=["example"])
    assert not waits.silent


def test_a_text_that_no_value_may_hold_is_found_as_words_or_as_signs() -> None:
    assert see([truth()], entry(), no_entry=["###-####", "bend ced"]).right
    assert see([truth()], entry(city_or_location="###-####"), no_entry=["###-####"]).silent


def test_another_fair_text_and_another_fair_spelling_are_right() -> None:
    accepted = {"school_name": ["Cedar Bend Elem."], "essay_text": [f"A title {ESSAY}"]}
    read = entry(school_name="Cedar Bend Elem", essay_text=f"A title {ESSAY}", word_count=62)
    assert see([truth(accepted=accepted)], read).right


def test_a_wrong_phone_is_counted_beside() -> None:
    seen = see([truth(phone="312-555-0100")], entry(phone="312-555-0101"))
    assert not seen.silent and "phone" in seen.beside[0]


def test_an_entry_that_is_none_is_silently_wrong_and_one_that_is_there_twice_may_be_fair() -> None:
    stray = entry(student_name="Bo Lee", essay_text=OTHER, page_start=4, page_end=4)
    assert "is none" in see([truth()], entry(), stray).silent[0]
    again = entry(page_start=2, page_end=2)
    assert see([truth()], entry(), again, may_repeat=True).right
    assert see([truth()], entry(), again).silent


@pytest.mark.parametrize(
    ("codes", "waits", "lost"),
    [([], True, 1), (["MORE_IN_FILE"], True, 0), (["MORE_IN_FILE"], False, 1), (["SHORT_ESSAY"], True, 1)],
)
def test_a_child_that_is_gone_is_lost_unless_an_entry_that_waits_says_so(
    codes: list[str], waits: bool, lost: int
) -> None:
    read = entry(needs_review=waits, review_reason_codes=codes)
    assert len(see([truth(), truth("Bo Lee", 2)], read).lost) == lost


def test_a_refused_file_is_lost_unless_refusing_it_is_fair() -> None:
    assert len(see([truth(), truth("Bo Lee", 2)], error="refused").lost) == 2
    assert see([truth()], error="refused", may_refuse=True).right
    assert see([truth()], may_refuse=True).lost


def test_entries_are_paired_by_name_and_essay_before_pages() -> None:
    truths = [truth("Ana Ruiz", 0, page_end=0), truth("Bo Lee", 1, essay_text=OTHER)]
    bo = entry(student_name="Bo Lee", essay_text=OTHER)
    assert pair(truths, [bo, entry(page_start=2, page_end=2)]) == {0: 1, 1: 0}
    # A page of nobody is no counterpart of one who is on no page.
    assert pair(truths[:1], [entry(student_name="Page Cover", essay_text=OTHER)]) == {}

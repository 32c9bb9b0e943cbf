"""Two modes side by side."""

from __future__ import annotations

from typing import Any

from scripts.regression.prediction import FileReading, Prediction
from scripts.regression.report.diff_table import diff_table
from scripts.regression.report.modes_diff import ModeRun, diff_modes
from scripts.regression.scoring.score import score_files
from tests.scripts.regression.made import label, prediction, reading


def diff(left: list[Prediction], right: list[Prediction]) -> dict[str, Any]:
    def run(mode: str, readings: list[FileReading]) -> ModeRun:
        return ModeRun(mode, readings, score_files(readings, {"a": label()}))

    return diff_modes(run("orchestrator", [reading(*left)]), run("direct", [reading(*right)]))


def test_equal_readings_differ_in_nothing() -> None:
    found = diff([prediction()], [prediction()])
    assert found["differences"] == []
    assert "differing: nothing" in diff_table(found)


def test_a_value_stands_beside_the_other_and_the_truth() -> None:
    found = diff([prediction()], [prediction(grade="5")])
    assert found["fields"]["grade"] == found["entries_with_other_values"] == 1
    assert found["differences"] == [
        {
            "file": "a.pdf", "sha256": "a", "pages": [1, 1], "field": "grade",
            "orchestrator": "3", "direct": "5", "true": "3",
        }
    ]  # fmt: skip
    assert "a.pdf p. 1–1 grade: orchestrator '3', direct '5', true '3'" in diff_table(found)


def test_outcomes_are_counted_against_each_other_and_are_no_values() -> None:
    found = diff([prediction(outcome="suggested")], [prediction(outcome="escalated")])
    assert found["entries_with_other_values"] == 0
    assert found["outcomes"] == [{"orchestrator": "suggested", "direct": "escalated", "entries": 1}]


def test_the_order_of_reason_codes_does_not_matter() -> None:
    found = diff([prediction(review_reason_codes=["A", "B"])], [prediction(review_reason_codes=["B", "A"])])
    assert found["fields"]["review_reason_codes"] == 0


def test_an_entry_that_only_one_mode_found_is_a_difference() -> None:
    found = diff([prediction()], [prediction(), prediction(page_start=2, page_end=2)])
    assert found["differences"][0]["field"] == "entry"
    assert (found["differences"][0]["orchestrator"], found["differences"][0]["direct"]) == (False, True)

"""Whether a run is worse than an earlier one, and what the message says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts.regression.baseline import BaselineMismatchError, as_baseline, compare_reports
from scripts.regression.prediction import Prediction
from tests.scripts.regression.made import label, prediction, report


def compared(now: list[Prediction], before: list[Prediction]) -> Any:
    """Files with equal labels, read in two runs; the earlier one as it is committed."""
    baseline = as_baseline(report(*((label(), found) for found in before)))
    return compare_reports(report(*((label(), found) for found in now)), json.loads(json.dumps(baseline)))


def test_the_same_run_is_neither_worse_nor_better() -> None:
    found = compared([prediction(grade="4")], [prediction(grade="4")])
    assert (found.worse, found.lost, found.won) == ([], [], [])


def test_a_lost_value_names_field_file_before_and_after() -> None:
    found = compared([prediction(grade="4", needs_review=True)], [prediction(needs_review=True)])
    assert found.lost == [
        "orchestrator: grade in 'file0.pdf' p. 1–1 (plain): before right '3', after wrong '4' for '3'"
    ]
    assert "orchestrator: grade: right was 1, is 0" in found.worse
    assert "orchestrator: three_right was 1, is 0" in found.worse


def test_a_value_lost_where_another_is_won_is_lost_but_no_figure_is_worse() -> None:
    flagged = prediction(needs_review=True)
    wrong = prediction(grade="4", needs_review=True)
    found = compared([flagged, wrong], [wrong, flagged])
    assert found.worse == []
    assert [len(found.lost), len(found.won)] == [1, 1]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            {"grade": None},
            {"grade": "4"},
            "grade in 'file0.pdf' p. 1–1 (plain): before missed '3', after wrong '4'",
        ),
        ({}, {"city_or_location": "Troy"}, "before rightly empty, after invented 'Troy'"),
        ({}, {"needs_review": True}, "review in 'file0.pdf' p. 1–1 (plain): before passed, after held for review"),
        ({"grade": "4", "needs_review": True}, {"grade": "4"}, "before held for review, after passed"),
        ({}, {"page_end": 2}, "split in 'file0.pdf' (plain): before right, after wrong"),
    ],
)
def test_what_counts_as_lost(before: dict[str, Any], after: dict[str, Any], said: str) -> None:
    found = compared([prediction(**after)], [prediction(**before)])
    assert [line for line in found.lost if said in line], found.lost
    assert compared([prediction(**before)], [prediction(**after)]).lost == []


def test_other_files_are_refused_by_name() -> None:
    one, two = report((label(), prediction())), report((label(), prediction()), (label(), prediction()))
    with pytest.raises(BaselineMismatchError, match=r"1 are new \(file1\.pdf\), 0 are gone"):
        compare_reports(two, as_baseline(one))


def test_a_baseline_of_another_mode_is_refused() -> None:
    with pytest.raises(BaselineMismatchError, match="the baseline was made in another mode"):
        compare_reports(report((label(), prediction())), report((label(), prediction()), mode="direct"))


def test_what_is_committed_holds_no_times() -> None:
    assert "seconds" not in json.dumps(as_baseline(report((label(), prediction()))))

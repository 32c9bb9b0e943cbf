"""The reliability curve over values that were given."""

from __future__ import annotations

import pytest

from scripts.regression.prediction import Seen
from scripts.regression.scoring.reliability import Judged, judged, ranking, reliability
from tests.scripts.regression.made import label, prediction, scores


def test_bins_hold_mean_confidence_and_share_right() -> None:
    curve = reliability([Judged("grade", 0.95, True), Judged("grade", 1.0, False), Judged("phone", 0.31, False)])
    assert [(b["from"], b["values"], b["confidence"], b["right"]) for b in curve["bins"]] == [
        (0.3, 1, 0.31, 0.0),
        (0.9, 2, 0.975, 0.5),
    ]


def test_the_error_weighs_bins_by_their_values() -> None:
    curve = reliability([Judged("grade", 0.9, True)] * 3 + [Judged("phone", 0.5, False)])
    assert curve["expected_calibration_error"] == pytest.approx((3 * 0.1 + 0.5) / 4)
    assert curve["fields"]["phone"] == {"values": 1, "expected_calibration_error": 0.5}


def test_nothing_given_has_no_error() -> None:
    assert reliability([]) == {"values": 0, "expected_calibration_error": None, "bins": [], "fields": {}}


def test_what_was_left_empty_claims_nothing_and_counted_words_have_no_confidence() -> None:
    seen = {name: Seen(0.9) for name in ("student_name", "school_name", "grade", "phone", "word_count")}
    entries = scores((label(phone="555"), prediction(seen, school_name="Oak Hill", grade=None)))[0].entries
    assert judged(entries) == [Judged("student_name", 0.9, True), Judged("school_name", 0.9, False)]


def test_right_values_are_ranked_above_wrong_ones() -> None:
    values = [Judged("grade", 0.9, True), Judged("grade", 0.6, True), Judged("grade", 0.6, False)]
    assert ranking(values) == 0.75
    assert ranking(values[:2]) is None

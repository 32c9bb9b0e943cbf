"""Figures of groups of entries."""

from __future__ import annotations

from scripts.regression.prediction import Seen
from scripts.regression.scoring.summary import summarise
from tests.scripts.regression.made import label, prediction, scores


def test_parts_and_ways_of_writing_stand_by_themselves() -> None:
    summary = summarise(
        scores(
            (label("plain", "development"), prediction()),
            (label("scan_hand", "held_out", typed=False), prediction(grade="5", needs_review=True)),
            (label("plain", "held_out"), prediction()),
        )
    )
    assert summary["three_right"] == 2
    assert summary["by_part"]["development"]["three_right_share"] == 1.0
    assert summary["by_part"]["held_out"]["three_right_share"] == 0.5
    assert summary["by_part"]["held_out"]["by_writing"]["handwritten"]["three_right_share"] == 0.0
    assert summary["by_part"]["held_out"]["by_kind"]["plain"]["three_right"] == 1
    assert summary["by_writing"]["typed"]["complete_typed_passed_share"] == 1.0


def test_without_parts_there_are_none() -> None:
    assert summarise(scores((label(), prediction())))["by_part"] == {}


def test_essays_outside_the_range_are_counted() -> None:
    summary = summarise(
        scores(
            (label(), prediction(word_count=76)),
            (label(), prediction(word_count=85)),
            (label(word_count=None, word_count_range=[0, 0]), prediction(word_count=None)),
        )
    )
    assert (summary["essays"], summary["essay_words_in_range"]) == (2, 1)


def test_evidence_is_judged_where_the_value_is_right_and_the_box_known() -> None:
    boxed = label(boxes={"grade": [1, [0.8, 0.1, 0.9, 0.2]]})
    there, elsewhere = (
        Seen(1.0, places=((1, (0.8, 0.1, 0.9, 0.2)),)),
        Seen(1.0, places=((1, (0.1, 0.1, 0.2, 0.2)),)),
    )
    summary = summarise(
        scores(
            (boxed, prediction({"grade": there})),
            (boxed, prediction({"grade": elsewhere})),
            (boxed, prediction({"grade": there}, grade="9")),
            (label(), prediction({"grade": there})),
        )
    )
    assert summary["evidence"] == {"grade": {"right": 1, "of": 2, "share": 0.5}}


def test_bad_values_on_passed_entries_count_whatever_the_field() -> None:
    summary = summarise(
        scores(
            (label(), prediction(city_or_location="Chicago")),
            (label(), prediction(city_or_location="Chicago", needs_review=True)),
        )
    )
    assert (summary["silent_wrong"], summary["bad_values_on_passed"]) == (0, 1)


def test_hazards_and_damage_are_counted_by_name() -> None:
    hazards = summarise(
        scores(
            (label(hazards=["cut_email"], damage=["fold"]), prediction()),
            (label(damage=["fold"]), prediction(grade=None)),
        )
    )["by_hazard"]
    assert hazards["cut_email"] == {"entries": 1, "three_right": 1, "three_right_share": 1.0}
    assert hazards["fold"] == {"entries": 2, "three_right": 1, "three_right_share": 0.5}

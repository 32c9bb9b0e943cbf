"""The measures of what pages show, from files that were judged."""

from __future__ import annotations

from lab.bench.reading.faults import silent_wrong_of_all
from lab.bench.reading.page_truth import faults_told, measures_of
from scripts.regression.scoring.page_truth import Seen


def test_what_is_silent_and_what_is_lost_is_counted_over_the_files() -> None:
    good = Seen("a.pdf", "covered", "curve", entries=2, passed=1)
    bad = Seen("b.pdf", "spread", "a3", ["Ana for Bo"], ["Cy", "Di"], entries=3)
    values = {one.measure: one for one in measures_of([good, bad])}
    assert values["heldout_page_truth_silent_wrong"].value == 1
    assert values["heldout_file_parts_lost"].value == 2
    assert not values["heldout_file_parts_lost"].holds
    assert values["heldout_page_truth_right"].value == 0.5
    assert (values["heldout_page_truth_files"].value, values["heldout_page_truth_files"].holds) == (2, False)
    assert all(measure.holds for measure in measures_of([good] * 400))
    assert faults_told([good, bad]).count("\n") == 2


def test_they_count_in_the_sum_of_the_held_out_sets() -> None:
    measures = measures_of([Seen("b.pdf", "spread", "a3", ["Ana for Bo"], entries=3)])
    total, silent = silent_wrong_of_all({one.measure: one.value for one in measures})
    assert (total.value, silent.value) == (3, 1)

"""What the measure of stacks counts as right."""

from __future__ import annotations

from random import Random

import pytest

from lab.bench.reading.stacks import share_of_family_names, share_right, shares_family_name
from lab.samples.corpus import draw_one_school_stacks
from lab.samples.part import DEVELOPMENT
from lab.samples.stacks import draw_one_school
from tests.scripts.regression.made import label, prediction, scores

FAMILY = {"student_name": "Ana Ruiz Vega", "father_figure_name": "Luis Ruiz"}


def test_a_family_shares_a_name_that_is_not_the_first() -> None:
    assert shares_family_name(FAMILY)
    assert not shares_family_name({**FAMILY, "father_figure_name": "Luis Ana"})
    assert not shares_family_name({**FAMILY, "father_figure_name": None})


def test_the_family_name_counts_and_not_the_first() -> None:
    read = ("Lus Ruiz", "Luis Ruis", None)
    pairs = [(label(**FAMILY), prediction(father_figure_name=name)) for name in read]
    entries = [entry for score in scores(*pairs) for entry in score.entries]
    assert share_of_family_names(entries) == pytest.approx(1 / 3)
    assert share_right(entries, "father_figure_name") == 0


@pytest.mark.usefixtures("sample_fonts")
def test_a_stack_is_of_one_school_by_several_hands() -> None:
    sample = draw_one_school(Random(3), DEVELOPMENT, 4)
    written = [truth.values["school_name"] for truth in sample.truths if truth.values["school_name"]]
    (first, *_) = sample.truths
    assert len(written) > 2 and all(name in first.accepted["school_name"] for name in written)
    assert len({truth.handwriting_font for truth in sample.truths}) > 1
    assert [name for name, _ in draw_one_school_stacks(DEVELOPMENT, 1, 1, 1)] == ["001 one school.pdf"]

"""Evidence against the true box."""

from __future__ import annotations

import pytest

from scripts.regression.prediction import Seen
from scripts.regression.scoring.evidence import overlap

TRUTH = {"boxes": {"student_name": [1, [0.2, 0.1, 0.6, 0.2]]}}


def test_the_same_box_overlaps_wholly() -> None:
    assert overlap("student_name", TRUTH, Seen(1.0, places=((1, (0.2, 0.1, 0.6, 0.2)),))) == pytest.approx(1.0)


def test_a_box_half_as_wide_overlaps_by_half() -> None:
    assert overlap("student_name", TRUTH, Seen(1.0, places=((1, (0.2, 0.1, 0.4, 0.2)),))) == pytest.approx(0.5)


def test_pieces_count_together() -> None:
    pieces = ((1, (0.2, 0.1, 0.4, 0.2)), (1, (0.4, 0.1, 0.6, 0.2)))
    assert overlap("student_name", TRUTH, Seen(1.0, places=pieces)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "seen",
    [None, Seen(1.0), Seen(1.0, places=((2, (0.2, 0.1, 0.6, 0.2)),)), Seen(1.0, places=((1, (0, 0, 0.1, 0.1)),))],
)
def test_no_evidence_another_page_or_another_place_overlap_by_nothing(seen: Seen | None) -> None:
    assert overlap("student_name", TRUTH, seen) == 0.0


def test_without_a_true_box_there_is_nothing_to_say() -> None:
    assert overlap("grade", TRUTH, Seen(1.0)) is None

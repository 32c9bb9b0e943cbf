"""Entries find each other by their pages."""

from __future__ import annotations

from typing import Any

from scripts.regression.prediction import Prediction
from scripts.regression.scoring.match import match, split_right


def label(start: int, end: int | None) -> dict[str, Any]:
    return {"page_start": start, "page_end": end}


def found(*ranges: tuple[int, int]) -> list[Prediction]:
    return [Prediction(page_start=start, page_end=end) for start, end in ranges]


def test_the_larger_overlap_wins() -> None:
    assert match([label(1, 2), label(3, 4)], found((2, 4), (1, 1))) == [1, 0]


def test_a_label_without_pages_in_common_stays_alone() -> None:
    assert match([label(1, 1), label(5, 5)], found((1, 1))) == [0, None]


def test_a_split_is_right_only_with_the_same_pages() -> None:
    labels = [label(1, 2), label(3, 4)]
    assert split_right(labels, found((3, 4), (1, 2)))
    assert not split_right(labels, found((1, 3), (4, 4)))
    assert not split_right(labels, found((1, 4)))


def test_blank_sheets_may_lie_on_either_side() -> None:
    labels = [label(1, 1), label(3, 3)]
    assert split_right(labels, found((1, 2), (3, 3)), blank_pages=[2])
    assert split_right(labels, found((1, 1), (2, 3)), blank_pages=[2])
    assert not split_right(labels, found((1, 2), (3, 3)))


def test_an_open_end_takes_any_last_page() -> None:
    assert split_right([label(1, None)], found((1, 3)))
    assert match([label(1, None)], found((1, 3))) == [0]

"""The difference of two values, word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from web.differences import common_runs, word_diff


def test_a_changed_word() -> None:
    assert word_diff("Lakeview Elementry School", "Lakeview Elementary School") == [
        ("same", "Lakeview "),
        ("removed", "Elementry"),
        ("added", "Elementary"),
        ("same", " School"),
    ]


def test_words_that_change_in_a_row_are_one_change() -> None:
    assert word_diff("read lend books", "quite other books") == [
        ("removed", "read lend"),
        ("added", "quite other"),
        ("same", " books"),
    ]


def test_nothing_before() -> None:
    assert word_diff(None, "4") == [("added", "4")]


@given(st.text(), st.text())
def test_both_values_can_be_read_from_it(before: str, after: str) -> None:
    segments = word_diff(before, after)
    assert "".join(text for kind, text in segments if kind != "added") == before
    assert "".join(text for kind, text in segments if kind != "removed") == after


def test_texts_of_too_many_words_are_not_compared() -> None:
    old = ["a", *"xy" * 10_000, "b"]
    new = ["a", *"yx" * 10_000, "b"]
    ends = [("equal", 0, 1, 0, 1), ("replace", 1, 20_001, 1, 20_001), ("equal", 20_001, 20_002, 20_001, 20_002)]
    assert list(common_runs(old, new)) == ends

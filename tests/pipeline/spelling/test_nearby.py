"""Neighbours in a list of words, against a comparison with every word."""

from __future__ import annotations

import pytest
from rapidfuzz.distance import Levenshtein

from pipeline.spelling.prior import Nearby, all_names

WORDS = sorted(all_names().words)[::37]


@pytest.mark.parametrize("word", ["quintana", "jonh", "kim", "abcdefghij", "zz"])
@pytest.mark.parametrize("farthest", [1, 2, 3])
def test_all_neighbours_are_found_and_nothing_else(word: str, farthest: int) -> None:
    found = Nearby(WORDS, most=len(WORDS)).of(word, farthest)
    assert sorted(found) == [w for w in WORDS if 0 < Levenshtein.distance(w, word) <= farthest]


def test_the_nearest_come_first_and_no_more_than_wanted() -> None:
    found = Nearby(["bells", "ball", "bald", "callow"], most=3).of("ball", 3)
    assert found == ["bald", "bells"]

"""Of names that share words at most one is chosen."""

from __future__ import annotations

from research.readers.rules.named import Named
from research.readers.rules.overlaps import chosen, is_version_of, overlapping

MILL, OTTER, OTTER_AT_MILL, OTHER = (
    Named((name,), (), ()) for name in ("Castle Mill", "Otter Hour", "Otter Hour at Castle Mill", "Hour of Otters")
)
NAMES = [OTTER_AT_MILL, OTTER, MILL, OTHER]


def test_names_overlap_where_one_has_all_words_of_the_other_in_order() -> None:
    assert overlapping(NAMES) == [([], [1, 2]), ([0], []), ([0], []), ([], [])]


def test_the_likeliest_of_names_that_share_words_is_chosen() -> None:
    assert chosen(NAMES, [0.6, 0.9, 0.1, 0.7], 0.5) == [1, 3]
    assert chosen(NAMES, [0.9, 0.6, 0.8, 0.2], 0.5) == [0]


def test_nothing_below_the_least_chance_is_chosen() -> None:
    assert chosen(NAMES, [0.4, 0.3, 0.2, 0.1], 0.5) == []
    assert chosen([], [], 0.5) == []


def test_two_versions_are_chosen_beside_each_other() -> None:
    van, plus = Named(("BrightVan",), (), ()), Named(("BrightVan Plus",), (), ())
    assert is_version_of(plus, van)
    assert not is_version_of(OTTER_AT_MILL, OTTER)
    assert chosen([plus, van], [0.8, 0.9], 0.5) == [1, 0]

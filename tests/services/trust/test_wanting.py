from __future__ import annotations

import random

import pytest

from services.trust.audit_sample import (
    MOST_SHARE,
    WITHIN,
    audits_needed,
    audits_wanting,
    draw,
    share_to_draw,
    weighted_share,
    wilson,
)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.98, 0.995, 1.0])
@pytest.mark.parametrize("within", [0.01, 0.03, 0.1])
def test_one_fewer_would_be_too_wide(share: float, within: float) -> None:
    found = audits_needed(share, within)
    assert wilson(share, found).width <= 2 * within
    assert found == 1 or wilson(share, found - 1).width > 2 * within


def test_sixty_without_a_mistake_are_enough_for_three_points() -> None:
    assert audits_needed(1.0) == 61


def test_those_made_count() -> None:
    none, some = weighted_share([]), weighted_share([(True, 1.0)] * 49 + [(False, 1.0)])
    assert audits_wanting(none) == audits_needed(0.98)
    assert audits_wanting(some) == audits_needed(0.98) - 50
    assert audits_wanting(weighted_share([(True, 1.0)] * 500)) == 0


def test_of_unequal_weight_more_are_wanting() -> None:
    equal = [(True, 1.0)] * 20
    assert audits_wanting(weighted_share([*equal, (True, 20.0)])) > audits_wanting(weighted_share(equal))


def test_of_few_entries_fewer_are_wanting_and_never_more_than_there_are() -> None:
    none = weighted_share([])
    assert audits_wanting(none, 40) < audits_wanting(none, 1000) < audits_wanting(none)
    assert audits_wanting(none, 40) <= 40


@pytest.mark.parametrize("within", [0.0, 0.5])
def test_no_width(within: float) -> None:
    with pytest.raises(ValueError, match="no half"):
        audits_needed(0.9, within)


def test_the_share_grows_with_what_is_not_known_and_falls_to_the_least() -> None:
    assert share_to_draw(0.0, 0, 0, None) == 0.0
    assert share_to_draw(0.05, 0, 0, None) == MOST_SHARE
    assert share_to_draw(0.5, 0, 0, None) == 0.5
    assert share_to_draw(0.05, 1000, 300, 0.98) == 0.05
    assert share_to_draw(0.05, 1000, 150, 0.9) > share_to_draw(0.05, 1000, 150, 0.95) > 0.05


def test_an_office_of_a_thousand_entries_comes_to_know_it_within_three_points() -> None:
    """Of 800 that pass unseen, so many are drawn that the precision is known, and not many more."""
    for right in (1.0, 0.98, 0.96):
        chance, total, drawn = random.Random(3), None, []
        for seen in range(800):
            found = [one for one, _ in drawn]
            share = share_to_draw(0.05, seen, len(drawn), sum(found) / len(found) if found else None)
            step = draw(total, share, 0.5)
            total = step.total
            if step.probability:
                drawn.append((chance.random() < right, 1 / step.probability))
        assert weighted_share(drawn).interval.width <= 2 * WITHIN + 0.03
        assert len(drawn) <= 250

import random

import pytest

from pipeline.extraction.placement import best_placement
from pipeline.extraction.printed import FoundText
from pipeline.profiles import FormSpec, form_profiles


def printed_by(profile: FormSpec, share: float) -> dict[str, list[FoundText]]:
    """Some of what a form prints, each where the form has it."""
    drawn = random.Random(profile.key)
    return {
        item.texts[0]: [FoundText(item.texts[0], item.at, 100.0, line, 0, len(item.texts[0]))]
        for line, item in enumerate(profile.printed)
        if item.at is not None and drawn.random() < share
    }


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("picture", [False, True])
@pytest.mark.parametrize("profile", form_profiles(), ids=lambda profile: profile.key)
def test_the_best_profile_is_the_first_of_those_with_the_highest_score(
    profile: FormSpec, picture: bool, share: float
) -> None:
    found = printed_by(profile, share)
    alone = [best_placement([other], found, picture) for other in form_profiles()]
    first = max(alone, key=lambda placement: placement.score)
    best = best_placement(form_profiles(), found, picture)
    assert (best.profile.key, best.score, best.anchors) == (first.profile.key, first.score, first.anchors)


@pytest.mark.parametrize("profile", form_profiles(), ids=lambda profile: profile.key)
def test_a_form_as_it_is_printed_is_told_from_the_others(profile: FormSpec) -> None:
    best = best_placement(form_profiles(), printed_by(profile, 1.0))
    assert best.profile.key == profile.key and best.fixed

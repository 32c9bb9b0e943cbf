"""Headers by hand for the second reader: every form, damage and language of a part."""

from __future__ import annotations

import pytest

from lab.samples.part import PARTS
from lab.samples.sets.second_reader import _SHARES, draw_headers

pytestmark = pytest.mark.usefixtures("sample_fonts")


def test_a_few_headers_are_drawn_by_hand_and_the_same_again() -> None:
    drawn = draw_headers(PARTS["held_out"], 7, 5)
    assert [name for name, _ in drawn] == [f"header-{number:03d}.pdf" for number in range(1, 6)]
    for _, sample in drawn:
        [truth] = sample.truths
        assert truth.handwriting_font in PARTS["held_out"].hands and not truth.typed
        assert truth.values["student_name"] and sample.part == "held_out"
    again = draw_headers(PARTS["held_out"], 7, 5)
    assert [sample.data for _, sample in drawn] == [sample.data for _, sample in again]


def test_the_shares_are_of_96_of_which_84_ask_for_all_three() -> None:
    assert sum(_SHARES.values()) == 96
    assert sum(_SHARES.values()) - sum(_SHARES[name] for name in ("form_2022", "form_2023", "camp")) == 84

"""A right value may be written in other ways than its label."""

from __future__ import annotations

import pytest

from lab.bench.research.catalogs.scoring import says


@pytest.mark.parametrize(
    ("told", "labelled"),
    [
        ("Tuesdays from 7.30", "Tuesdays 7:30"),
        ("half past seven on Tuesdays", "Tuesdays 7:30"),
        ("from 5:30 pm", "17.30"),
        ("a las 7 de la tarde", "19:00"),
        ("on Friday evenings from quarter past seven", "Friday evenings from 19.15"),
        ("de cero a tres", "0 a 3"),
        ("no charge", "free"),
        ("12 euro a month", "12 (of which 2 for materials)"),
    ],
)
def test_other_notation_is_right(told: str, labelled: str) -> None:
    assert says([told], [labelled], "en")


@pytest.mark.parametrize(
    ("told", "labelled"),
    [
        ("from 5:30", "17:30"),
        ("from 5:30 pm", "17:45"),
        ("from 5:30 pm", "5:30 and 6:15 pm"),
        ("in the evening", "19:00"),
        ("8 pounds", "9 pounds"),
        ("3 families in the afternoon", "15 families in the afternoon"),
        ("4 sessions for 50 euros", "4.50 euros"),
        ("4 sessions, 50 people", "£4.50"),
        ("€7, evenings", "€19, evenings"),
    ],
)
def test_other_times_and_figures_are_wrong(told: str, labelled: str) -> None:
    assert not says([told], [labelled], "en")

"""Sentences with their markers; nothing of the body is lost."""

from __future__ import annotations

import pytest

from research.supervision.cited_pieces import cited_pieces

BODIES = {
    "Fathers read [@abara2018#c1]. Children listen. They ask [@lee2021].": [
        "Fathers read [@abara2018#c1]. ",
        "Children listen. ",
        "They ask [@lee2021].",
    ],
    "Fathers read. [@abara2018] [@lee2021] Children listen.": [
        "Fathers read. [@abara2018] [@lee2021] ",
        "Children listen.",
    ],
    "According to Ortiz et al. [@ortiz2019] it helps.": ["According to Ortiz et al. [@ortiz2019] it helps."],
    "Los padres leen [@abara2018].\n\n> «Los niños escuchan.» [@lee2021]": None,
    "- One [@a2018]\n- Two [@b2019]\n\n| a | b |\n| --- | --- |\n| 1 [@c2020] | 2 |": None,
    "": [],
}


@pytest.mark.parametrize("body", BODIES)
def test_a_marker_goes_with_its_sentence(body: str) -> None:
    pieces = cited_pieces(body, "en")
    assert "".join(pieces) == body
    if BODIES[body] is not None:
        assert pieces == BODIES[body]

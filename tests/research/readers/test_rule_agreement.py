"""Statements that agree, contradict each other or have nothing to do with each other, by rule."""

from __future__ import annotations

import pytest

from research.readers.rules.agreement import agreements
from tests.research.readers.reading_room import stated

_BY_TWELVE = "Evening visits raised reading scores by 12 percent in the schools."


@pytest.mark.parametrize(
    ("one", "other", "related"),
    [
        (_BY_TWELVE, "Evening visits raised reading scores by 12 per cent in schools.", "agrees"),
        (_BY_TWELVE, "Evening visits raised reading scores by 30 percent in the schools.", "contradicts"),
        (
            "Attendance rose after the letters.",
            "Attendance fell after the letters.",
            "contradicts",
        ),
        (
            "The letters changed attendance.",
            "The letters never changed attendance.",
            "contradicts",
        ),
        (_BY_TWELVE, "The gymnasium was painted blue by a local firm.", "unrelated"),
    ],
)
def test_english(one: str, other: str, related: str) -> None:
    assert agreements([(stated(one, "a"), stated(other, "b"))]) == [related]


def test_two_languages_are_unrelated() -> None:
    other = stated("Las visitas subieron las notas de lectura un 12 por ciento.", "b", "es")
    assert agreements([(stated(_BY_TWELVE, "a"), other)]) == ["unrelated"]

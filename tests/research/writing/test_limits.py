from __future__ import annotations

from research.gaps.narrative_gaps import DIVERSE_SOURCES
from research.memo import Gap
from research.writing.limits import limits_of
from tests.support.research.report_material import material


def test_what_stayed_open_is_said_in_words() -> None:
    found = material({})
    found.memo.gaps = [
        Gap("missing_topic", "Missing: costs", 2, missing_topic="costs"),
        Gap("missing_topic", "Too few domains", 2, missing_topic=DIVERSE_SOURCES),
    ]
    assert limits_of(found) == (
        "Nothing was found on: costs",
        "It rests on fewer independent publishers than the 8 that were wanted.",
    )

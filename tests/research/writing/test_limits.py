from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from research.gaps.narrative_gaps import DIVERSE_SOURCES
from research.memo import Gap
from research.writing.limits import limits_of, missing_topics
from tests.support.research.report_material import material


def test_what_stayed_open_is_said_in_words() -> None:
    found = material({})
    found.memo.gaps = [
        Gap("missing_topic", "Missing: costs", 2, missing_topic="costs"),
        Gap("missing_topic", "Too few domains", 2, missing_topic=DIVERSE_SOURCES),
    ]
    few = "It rests on fewer independent publishers than the 8 that were wanted."
    assert limits_of(found, ["Its own."]) == ("Its own.", few)


def missing(text: str, not_found: Sequence[str] = (), covered: Sequence[str] = ()) -> list[str]:
    found = replace(material({}), aspects=("work schedules", "costs"))
    limits = missing_topics(found, covered, not_found, [text])
    return [limit.removeprefix("Nothing was found on: ") for limit in limits]


def test_what_no_section_is_about_is_missing() -> None:
    assert missing("Fathers came.", covered=["costs"]) == ["work schedules"]


def test_nothing_is_missing_that_the_text_says() -> None:
    assert missing("Work schedules keep fathers away.", ["schedules of work"]) == ["costs"]


def test_what_a_draft_did_not_find_is_said_once_and_without_claims() -> None:
    told = ["costs of a year", "effects on grandmothers", "the 4,711 cases", "see www.example.org"]
    assert missing("Work schedules.", told) == ["costs", "effects on grandmothers"]

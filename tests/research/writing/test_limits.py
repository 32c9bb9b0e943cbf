from __future__ import annotations

from collections.abc import Sequence

from research.memo import DIVERSE_SOURCES, Gap
from research.writing.checking import Desk
from research.writing.report import missing_topics, report_limits
from tests.support.research.readers import passages
from tests.support.research.report_material import material

QUERY = (
    "How many pupils walked to school each day in 2023, and what did the buses that they could have taken cost?"
)


def test_what_stayed_open_is_said_in_words() -> None:
    found = material({})
    found.memo.gaps = [
        Gap("missing_topic", "Missing: costs", 2, missing_topic="costs"),
        Gap("missing_topic", "Too few domains", 2, missing_topic=DIVERSE_SOURCES),
    ]
    few = "It rests on fewer independent publishers than the 8 that were wanted."
    assert report_limits(Desk(found, passages()), ["Its own."]) == ("Its own.", few)


def missing(told: Sequence[str], text: str) -> list[str]:
    return [one.removeprefix("Nothing was found on: ") for one in missing_topics(told, [text], QUERY, "en")]


def test_nothing_is_missing_that_the_text_says() -> None:
    assert missing(["schedules of work", "costs"], "Work schedules keep fathers away.") == ["costs"]


def test_what_is_missing_is_said_once_and_without_claims() -> None:
    told = ["costs of a year", "costs of a year.", "the 4,711 cases", "see www.example.org"]
    assert missing(told, "Work schedules.") == ["costs of a year"]


def test_what_the_officer_asked_is_told_whole() -> None:
    asked = [QUERY.partition(",")[0], QUERY, "pupils in 2024"]
    assert missing(asked, "Work schedules.") == asked[:2]

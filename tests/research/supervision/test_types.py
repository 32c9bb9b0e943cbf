from __future__ import annotations

import pytest

from research.supervision.types import explored_key, was_explored
from tests.support.research.supervised import issue

BEFORE = [explored_key(issue("Attachment theory", suggested_queries=["attachment theory fathers"]))]


@pytest.mark.parametrize(
    "topic",
    ["attachment theory", "ATTACHMENT  Theory", "Attachment-theory", "theory, attachment", "Attachment theories"],
)
def test_the_same_topic_in_other_words(topic: str) -> None:
    assert was_explored(issue(topic, suggested_queries=["something new"]), BEFORE)


def test_another_topic_with_the_same_query() -> None:
    assert was_explored(issue("Bonds with infants", suggested_queries=["Attachment theory: fathers"]), BEFORE)


def test_accents_do_not_make_it_another() -> None:
    assert was_explored(issue("Teoria del apego"), [explored_key(issue("Teoría del apego"))])


@pytest.mark.parametrize("topic", ["role identity theory", "attachment in adolescence and its measurement"])
def test_another_issue(topic: str) -> None:
    assert not was_explored(issue(topic, suggested_queries=[f"{topic} review"]), BEFORE)


def test_one_query_of_two_was_asked() -> None:
    found = issue("Bonds", suggested_queries=["attachment theory fathers", "bonding measures"])
    assert not was_explored(found, BEFORE)


def test_without_queries_the_topic_decides() -> None:
    assert not was_explored(issue("Bonds", suggested_queries=[]), BEFORE)


def test_a_long_title_in_the_queries_does_not_make_two_sections_one() -> None:
    title = "walking buses for primary schools in the north of England"
    explored = [explored_key(issue("Costs", suggested_queries=[f"Costs {title}", title]))]
    assert not was_explored(issue("Risks", suggested_queries=[f"Risks {title}", title]), explored)

"""Which findings can close a gap: statements on it that the document does not have."""

from __future__ import annotations

from typing import Any

from core.messages import Message
from research.memo.worker_result import Finding
from research.supervision.codes import RationaleCode
from research.supervision.integration.focused_research import usable
from research.supervision.types import Issue
from tests.support.research.source_texts import source_texts
from tests.support.research.supervised import document, issue

TRUE = "Attachment theory holds that children explore from a secure base."
OTHER = "Fathers read aloud to their children on many evenings of the week."
SOURCES = source_texts(a=f"{TRUE} {OTHER}", b=f"{OTHER} {TRUE}", c="Reading aloud helps.")


def finding(quote: str, key: str = "a", start: int = 0) -> Finding:
    return Finding(key, quote, start, start + len(quote))


def by_rule(topic: str, **values: Any) -> Issue:
    return issue(topic, rationale="", grounds=Message.of(RationaleCode.PLANNED_NOT_NAMED), **values)


def chosen(one: Issue, *findings: Finding) -> list[str]:
    return [found.quote for found in usable(document(), one, findings, SOURCES)]


def test_statements_in_the_order_of_the_reader() -> None:
    assert chosen(issue(), finding(OTHER), finding(TRUE)) == [OTHER, TRUE]


def test_headings_say_nothing() -> None:
    assert chosen(issue(), finding("Attachment theory and the making of good schools")) == []


def test_what_the_document_or_another_source_says_is_not_said_again() -> None:
    stands = document().model_copy(
        update={"sections": (document().sections[0].model_copy(update={"body": f"“{TRUE}” [@a]"}),)}
    )
    assert usable(stands, issue(), [finding(TRUE)], SOURCES) == []
    assert chosen(issue(), finding(TRUE), finding(TRUE, "b")) == [TRUE]


def test_for_an_issue_found_by_rule_its_concept_is_named() -> None:
    assert chosen(by_rule("attachment theory"), finding(OTHER), finding(TRUE)) == [TRUE]
    assert chosen(by_rule("dual coding"), finding(OTHER), finding(TRUE)) == []


def test_a_statement_is_borne_out_by_most_of_its_words() -> None:
    claim = by_rule("Children explore from a base that is secure and new.", issue_type="unsupported_claim")
    assert chosen(claim, finding(TRUE), finding(OTHER)) == [TRUE]


def test_no_source_has_all_of_them() -> None:
    words = ("morning", "evening", "winter", "summer", "garden", "harbour")
    many = [finding(f"Attachment explains how each {word} begins for {word} people.") for word in words]
    assert len(chosen(issue(), *many)) == 4

"""Which findings can close a gap: statements on it that the document does not have."""

from __future__ import annotations

from research.memo import Finding
from research.supervision.integration import usable
from tests.support.research.source_texts import source_texts
from tests.support.research.supervised import document

TRUE = "Attachment theory holds that children explore from a secure base."
OTHER = "Fathers read aloud to their children on many evenings of the week."
SOURCES = source_texts(a=f"{TRUE} {OTHER}", b=f"{OTHER} {TRUE}", c="Reading aloud helps.")


def finding(quote: str, key: str = "a", start: int = 0) -> Finding:
    return Finding(key, quote, start, start + len(quote))


def chosen(*findings: Finding) -> list[str]:
    return [found.quote for found in usable(document(), findings, SOURCES)]


def test_statements_in_the_order_of_the_reader() -> None:
    assert chosen(finding(OTHER), finding(TRUE)) == [OTHER, TRUE]


def test_headings_say_nothing() -> None:
    assert chosen(finding("Attachment theory and the making of good schools")) == []


def test_what_the_document_or_another_source_says_is_not_said_again() -> None:
    stands = document().model_copy(
        update={"sections": (document().sections[0].model_copy(update={"body": f"“{TRUE}” [@a]"}),)}
    )
    assert usable(stands, [finding(TRUE)], SOURCES) == []
    assert chosen(finding(TRUE), finding(TRUE, "b")) == [TRUE]


def test_no_source_has_all_of_them() -> None:
    words = ("morning", "evening", "winter", "summer", "garden", "harbour")
    many = [finding(f"Attachment explains how each {word} begins for {word} people.") for word in words]
    assert len(chosen(*many)) == 4

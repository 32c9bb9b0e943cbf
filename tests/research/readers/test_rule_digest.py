"""A section made of sentences of its sources."""

from __future__ import annotations

from research.memo.worker_result import Finding
from research.readers.protocol import Asked, Evidence, SectionRequest
from research.readers.rules.digest import digest
from research.report_type import ReportType

RULE = "Lantern evenings in Kellworth begin at seven and end before nine."
COUNT = "In the second winter 41 families came to at least three of them."


def evidence(number: int, quote: str, before: str = "") -> Evidence:
    found = Finding("marlow2021", quote, 10 * number, 10 * number + len(quote))
    return Evidence(f"e{number}", found, before, "Lantern evenings", "Marlow Trust", 2021, "en", "report")


def texts(*given: Evidence) -> list[str]:
    asked = Asked("What do lantern evenings do?", ReportType.NARRATIVE, "en", 2025)
    return [one.text for one in digest(SectionRequest(asked, "Summary", "", given, is_summary=True))]


def test_sentences_stand_in_the_order_of_the_section() -> None:
    assert texts(evidence(1, RULE), evidence(2, COUNT)) == [RULE, COUNT]


def test_what_a_sentence_says_already_is_not_said_again() -> None:
    assert texts(evidence(1, RULE), evidence(2, f"{RULE} {COUNT}")) == [RULE]
    assert texts(evidence(1, f"{RULE} {COUNT}"), evidence(2, RULE)) == [f"{RULE} {COUNT}"]

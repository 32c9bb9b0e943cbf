from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from flask import Flask

from core.messages import Message
from research.allocation import AllocationCode
from research.memo import Gap
from services.context import Context
from services.reports.progress import report_facts
from tests.support.research.reports import make_running_report
from web.research.labels import allocation_words, gap_words, without_markers


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (
            Gap("missing_field", "", 1, candidate_name="A", missing_fields=["cost", "entry_rules"]),
            "A: Costs, Entry rules",
        ),
        (Gap("weak_evidence", "", 2, candidate_name="A", missing_fields=["year"]), "A, limited evidence: Year"),
        (Gap("missing_topic", "", 1, missing_topic="costs"), "Nothing yet on: costs"),
        (Gap("missing_candidates", "", 1, have=2, wanted=10), "Candidates: 2 found, 10 needed"),
        (
            Gap("missing_topic", "", 1, missing_topic="diverse_sources", have=3, wanted=8),
            "Independent publishers: 3 found, 8 needed",
        ),
        (Gap("something_new", "As it was said", 1), "As it was said"),
    ],
)
def test_a_gap_in_words(app: Flask, gap: Gap, words: str) -> None:
    with app.test_request_context():
        assert gap_words(asdict(gap)) == words


def test_who_decided_on_the_researchers(app: Flask, context: Context) -> None:
    with context.database.session() as session:
        facts = report_facts(session, make_running_report(session).id)
    nobody = Message.of(AllocationCode.BY_DEFAULT)
    missing = Message.of(AllocationCode.HANDED_ON, kind="web", count=1, other_kind="academic")
    with app.test_request_context():
        assert allocation_words(facts) == "Sent as requested."
        told = allocation_words(replace(facts, allocation_notes=(nobody, missing)))
        assert told.startswith("No choice was made: one of each kind. Web: no source is available;")
        assert told.endswith("instead (Academic): 1.")
        assert "changed it" in allocation_words(replace(facts, allocation_approved="300"))


def test_a_sentence_without_its_markers() -> None:
    assert without_markers("It rose [@ortiz2019#c3] [@lee2021], twice [1].") == "It rose, twice [1]."

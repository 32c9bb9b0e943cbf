from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from research.memo import Gap
from services.context import Context
from services.reports.report_facts import report_facts
from tests.support.research.reports import make_running_report
from web.research.words import allocation_words, gap_words, without_markers


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (
            Gap("missing_field", "A: missing cost", 1, candidate_name="A", missing_fields=["cost", "entry_rules"]),
            "A: Costs, Entry rules",
        ),
        (
            Gap("weak_evidence", "A: weak", 2, candidate_name="A", missing_fields=["year"]),
            "A: Year",
        ),
        (Gap("missing_topic", "Missing coverage: costs", 1, missing_topic="costs"), "costs"),
        (Gap("missing_candidates", "Need more candidates: have 2, want 10", 1), "Candidates: 2 found, 10 wanted"),
        (
            Gap(
                "missing_topic", "Need more diverse sources: 3 domains, want 8", 1, missing_topic="diverse_sources"
            ),
            "Independent publishers: 3 found, 8 wanted",
        ),
        ({"gap_type": "missing_topic", "missing_topic": "costs"}, "costs"),
        (Gap("something_new", "As it was said", 1), "As it was said"),
    ],
)
def test_a_gap_in_words(app: Flask, gap: Any, words: str) -> None:
    with app.test_request_context():
        assert gap_words(gap) == words


def test_who_decided_on_the_researchers(app: Flask, context: Context) -> None:
    with context.database.session() as session:
        facts = report_facts(session, make_running_report(session).id)
    nobody = replace(facts, allocation_user=None)
    missing = "No source for web research is available; 1 web researcher will search as academic instead."
    with app.test_request_context():
        assert allocation_words(facts) == "Sent as asked for."
        assert "model chose" in allocation_words(replace(nobody, allocation_model="111"))
        assert allocation_words(nobody) == "Nobody chose: one of each kind."
        told = allocation_words(replace(nobody, allocation_explained=missing))
        assert told.endswith("No source for Web is at hand; others take over.")
        assert "changed it" in allocation_words(replace(facts, allocation_approved="300"))


def test_a_sentence_without_its_markers() -> None:
    assert without_markers("It rose [@ortiz2019#c3] [@lee2021], twice [1].") == "It rose, twice [1]."

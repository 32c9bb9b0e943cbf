"""Which findings cover the topics of a round, by a reader that judges them, and what is not found."""

from __future__ import annotations

import pytest

from research.document import Reference
from research.memo import DIVERSE_SOURCES, Gap, GapState, ResearchMemo
from research.readers.protocol import SourceText
from research.report_type import ReportType
from research.rounds.memo_building import answers_topic, cover, judge_coverage, not_found, open_topics
from research.sources.base import Passage
from research.text.meaning import NoMeaning, Text
from tests.research.round_results import result

NOTHING = NoMeaning()


def gap(topic: str, state: GapState = GapState.OPEN) -> Gap:
    return Gap("missing_topic", "", 1, missing_topic=topic, id=f"g_{topic}", state=state, evidence_ids=["a"])


def memo(*gaps: Gap) -> ResearchMemo:
    return ResearchMemo("q", ReportType.NARRATIVE, 1, 0, 0, 0, 0, 0, gaps=list(gaps))


def text(said: str, language: str) -> SourceText:
    return SourceText(Reference(key="a", title="A"), "a.example", (Passage(said, 0, len(said), None),), language)


def test_a_task_s_finding_covers_the_topic_of_its_gap_but_too_few_publishers_are_no_topic() -> None:
    known = memo(gap("night buses"), gap(DIVERSE_SOURCES))
    texts = {"a": text("Buses run all night.", "en")}
    for topic, topics in (("night buses", ["night buses"]), (DIVERSE_SOURCES, [])):
        given = result("r2_1", ("a", "Buses run all night."), gap_id=f"g_{topic}")
        judge_coverage([given], (), [], known, texts, NOTHING, "en")
        assert given.findings[0].topics == topics


def test_an_aspect_that_no_gap_names_is_covered_by_the_nearest_finding_in_the_language_of_its_source() -> None:
    quotes = {"a": "The market opened.", "b": "Los precios de los puestos subieron."}
    given = result("r1_1", *quotes.items())
    texts = {"a": text(quotes["a"], "en"), "b": text(quotes["b"], "es")}
    judge_coverage([given], ["precio de puesto", "fares"], [gap("fares")], None, texts, NOTHING, "en")
    assert [finding.topics for finding in given.findings] == [[], ["precio de puesto"]]


def test_topics_are_open_until_their_gap_is_closed() -> None:
    known = memo(
        gap("costs"), gap("Effects", GapState.UNFILLABLE), gap("hours", GapState.CLOSED), gap(DIVERSE_SOURCES)
    )
    assert open_topics(["effects", "staff"], known) == ["Effects", "staff", "costs"]


def test_what_was_not_found_is_told_once() -> None:
    told = memo(gap("Costs"), gap("hours", GapState.CLOSED))
    told.not_found = ["costs", "hours", "staff"]
    assert not_found(told) == ["costs", "staff"]


@pytest.mark.parametrize(
    ("said", "title", "topic", "is_answer"),
    [
        ("A place is £300 a year.", "Night buses", "costs of buses", True),
        ("A place is £300 a year.", "Heating a hall", "costs of buses", False),
        ("They run until two.", "Night buses", "costs of buses", False),
        ("A survey of 90 riders counted empty seats.", "Night buses", "surveys of night buses", True),
        ("To borrow one: call 555-0188.", "Wheelchairs", "contact while he is inside", False),
    ],
)
def test_a_topic_is_answered_by_what_it_asks_for_on_its_subject(
    said: str, title: str, topic: str, is_answer: bool
) -> None:
    assert (
        answers_topic(Text(said, "en"), title, topic, "Are night buses worth it, and who rides them?") == is_answer
    )


def test_an_answer_covers_its_topic_only_on_the_subject_of_the_request() -> None:
    given = result("r1_1", ("a", "A place is £300 a year."))
    texts = {"a": text("A place is £300 a year.", "en")}
    for query, topics in (("What does a place in a nursery cost?", ["price"]), ("Why do owls call?", [])):
        cover(given.findings, ["price"], texts, NOTHING, query)
        assert given.findings[0].topics == topics


@pytest.mark.parametrize(
    ("topic", "query", "text", "language"),
    [
        (
            "decline of canal trade",
            "Why did the canal trade decline?",
            "Barges lost freight because of trains.",
            "en",
        ),
        ("effect on summer heat", "How do street trees affect summer heat?", "Trees reduced the peak.", "en"),
        (
            "obstáculos para mineras",
            "¿Qué obstáculos tienen las mineras?",
            "El reto fue la falta de vestuarios.",
            "es",
        ),
    ],
)
def test_a_text_that_states_a_cause_effect_or_obstacle_answers_a_topic_that_asks_for_one(
    topic: str, query: str, text: str, language: str
) -> None:
    assert answers_topic(Text(text, language), query, topic, query)
    assert not answers_topic(Text("It is forty miles long.", language), query, topic, query)

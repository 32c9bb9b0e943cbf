"""Both readers keep the same promises: that without a model, and a model that reads honestly."""

from __future__ import annotations

import pytest

from research.citations.quotes import verify_quote
from research.memo import CatalogCandidate, Finding
from research.readers.model.reading import open_reader
from research.readers.protocol import LONGEST, ItemValue, Plan
from research.readers.reader import Reader
from research.text.meaning import NoMeaning
from tests.research.readers.reading_room import ASKED, COST, OFFERS, SOURCES, TASKS, TEXTS, TRUTH, stated
from tests.support.research.reader_models import ReadingModel

PLAN = Plan((COST, OFFERS), ("Costs", "Attendance"), "")


@pytest.fixture(params=["passages", "model"])
def reader(request: pytest.FixtureRequest) -> Reader:
    return open_reader(ReadingModel(TRUTH) if request.param == "model" else None, NoMeaning())


def assert_stand(findings: list[Finding]) -> None:
    for finding in findings:
        assert TEXTS[finding.source_key][finding.start_char : finding.end_char] == finding.quote
        assert 0 < finding.score <= 1


def assert_proven(items: list[CatalogCandidate]) -> None:
    for item in items:
        assert any(item.name.casefold() in text.casefold() for text in TEXTS.values())
        for field, values in item.values.items():
            assert field in ASKED.fields
            for value in values:
                assert value.verified
                assert verify_quote(value.quote, value.source_key, TEXTS).status == "verified"


def test_it_says_what_it_is(reader: Reader) -> None:
    assert reader.judges in (True, False)
    assert reader.log.unproven == 0 and not reader.log.unread_parts


@pytest.mark.parametrize("most", [1, 3])
def test_a_plan_has_questions_and_aspects(reader: Reader, most: int) -> None:
    plan = reader.plan(ASKED, most)
    assert 1 <= len(plan.questions) <= most
    assert plan.aspects and all(len(aspect.split()) <= 6 for aspect in plan.aspects)
    assert plan.reasoning
    assert plan.researchers is None or 1 <= sum(plan.researchers) <= 9


def test_every_task_gets_queries(reader: Reader) -> None:
    found = reader.queries(ASKED, TASKS, 3)
    assert set(found) == {task.task_id for task in TASKS}
    for task in TASKS:
        queries = found[task.task_id].queries
        assert 1 <= len(queries) <= 3
        assert all(query == " ".join(query.split()) and len(query) <= LONGEST[task.kind] for query in queries)


def test_no_task_needs_no_query(reader: Reader) -> None:
    assert reader.queries(ASKED, (), 3) == {}


def test_findings_stand_in_their_sources_and_come_best_first(reader: Reader) -> None:
    found = reader.findings(ASKED, (COST, OFFERS), SOURCES)
    assert list(found) == [COST, OFFERS]
    assert any("volunteers lead them" in finding.quote for finding in found[COST])
    for findings in found.values():
        assert_stand(findings)
        scores = [finding.score for finding in findings]
        assert scores == sorted(scores, reverse=True)


def test_nothing_to_read_is_nothing_found(reader: Reader) -> None:
    assert reader.findings(ASKED, (COST,), {}) == {COST: []}
    assert reader.items(ASKED, {}) == []


def test_without_a_model_nothing_is_listed_and_nothing_compared() -> None:
    reader = open_reader(None, NoMeaning())
    assert reader.items(ASKED, SOURCES) == []
    evening = stated("It costs $40 a year.", "marlow2021")
    other = stated("It costs $70 a year.", "denby2020")
    assert reader.agreement([(evening, other)]) == ["unrelated"]
    assert reader.outline(ASKED, PLAN, [evening]).sections == ()


def test_items_of_a_list_are_found_with_their_values() -> None:
    items = open_reader(ReadingModel(TRUTH), NoMeaning()).items(ASKED, SOURCES)
    assert_proven(items)
    by_name = {item.name: item for item in items}
    assert {"Lantern Nights", "Open Book Fridays"} <= set(by_name)
    assert "$40" in by_name["Lantern Nights"].values["cost"][0].value


def test_a_known_item_is_followed() -> None:
    items = open_reader(ReadingModel(TRUTH), NoMeaning()).items(
        ASKED, SOURCES, known=[CatalogCandidate("Lantern Nights")]
    )
    assert_proven(items)
    assert "Lantern Nights" in {item.name for item in items}


def test_a_value_that_its_words_do_not_say_is_not_proven(reader: Reader) -> None:
    quote = "Cost: $40 a year for each family"
    values = [
        ItemValue("Lantern Nights", "cost", value, quote, "marlow2021") for value in ("$40 a year", "$90 a year")
    ]
    assert reader.proven(ASKED, values, SOURCES) == ["$40 a year", None]
    assert reader.proven(ASKED, [], SOURCES) == []


def test_statements_on_different_things_are_unrelated(reader: Reader) -> None:
    one = stated("Attendance of fathers rose after the letters.", "denby2020")
    other = stated("The gymnasium was painted blue by a local firm.", "marlow2021")
    assert reader.agreement([(one, other)]) == ["unrelated"]
    assert reader.agreement([]) == []


def test_there_are_at_most_five_gaps(reader: Reader) -> None:
    assert len(reader.gaps(ASKED, PLAN, {COST: []})) <= 5


def test_the_same_reader_reads_the_same_twice(reader: Reader) -> None:
    assert reader.findings(ASKED, (COST,), SOURCES) == reader.findings(ASKED, (COST,), SOURCES)
    assert reader.items(ASKED, SOURCES) == reader.items(ASKED, SOURCES)

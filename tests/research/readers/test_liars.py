"""Models that lie, obey what a page says, or talk: nothing false comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from research.readers.model.reading import open_reader
from research.readers.protocol import ItemValue
from research.readers.reader import Reader
from research.text.meaning import NoMeaning
from tests.research.readers.reading_room import ASKED, COST, OFFERS, SOURCES, TASKS, TEXTS, TOLD, TRUTH, stated
from tests.research.readers.test_contract import PLAN, assert_proven, assert_stand
from tests.support.research.reader_models import (
    LIARS,
    ReadingModel,
    cut_off,
    invented_additions,
    invented_parts,
    invented_quotations,
    invented_values,
    not_json,
    obeying,
    too_long,
    wrong_ids,
)
from tests.support.research.readers import asking


def lying(bent: Callable[..., Any]) -> Reader:
    return open_reader(ReadingModel(TRUTH, bent), NoMeaning())


@pytest.fixture(params=LIARS, ids=lambda bent: bent.__name__)
def liar(request: pytest.FixtureRequest) -> Reader:
    return lying(request.param)


def test_what_a_liar_finds_stands_in_its_source(liar: Reader) -> None:
    for findings in liar.findings(TOLD, (COST, OFFERS), SOURCES).values():
        assert_stand(findings)
        assert len(findings) <= 40


def test_what_a_liar_lists_is_named_and_proven(liar: Reader) -> None:
    items = liar.items(ASKED, SOURCES)
    assert_proven(items)
    for item in items:
        for values in item.values.values():
            assert all(len(value.value) <= 300 and "$900" not in value.value for value in values)
            assert not any("free for ever" in value.value for value in values)


def test_a_liar_plans_and_searches_within_bounds(liar: Reader) -> None:
    plan = liar.plan(ASKED, 3)
    assert 1 <= len(plan.questions) <= 3 and all(len(question) <= 400 for question in plan.questions)
    assert len(plan.aspects) <= 8
    queries = liar.queries(ASKED, TASKS, 3)
    assert set(queries) == {task.task_id for task in TASKS}
    told = [query for one in queries.values() for query in one.queries]
    assert not any("site:" in query or "ignore" in query for query in told)
    assert all(len(query) <= 400 for query in told)


def test_a_liar_answers_every_check_and_pair_once(liar: Reader) -> None:
    statement = stated("Lantern Nights cost $40 a year.", "marlow2021")
    other = stated("Lantern Nights cost $70 a year.", "denby2020")
    assert liar.agreement([(statement, other)])[0] in ("unrelated", "contradicts")
    assert len(liar.gaps(ASKED, PLAN, {COST: []})) <= 5


@pytest.mark.parametrize("bent", [not_json, cut_off, wrong_ids, invented_quotations])
def test_passages_stand_in_place_of_what_cannot_be_used_which_is_said(bent: Callable[..., Any]) -> None:
    reader = lying(bent)
    found = reader.findings(TOLD, (COST,), SOURCES)
    items = reader.items(ASKED, SOURCES)
    assert found[COST] and not items
    assert reader.log.unread_parts == ["findings", "items"]


def test_invented_quotations_are_counted() -> None:
    reader = lying(invented_quotations)
    reader.findings(TOLD, (COST,), SOURCES)
    assert reader.log.unproven == 2
    assert reader.log.unread_parts == ["findings"]


def test_a_value_that_is_not_in_its_words_is_replaced_by_them() -> None:
    [lantern, _] = lying(invented_values).items(ASKED, SOURCES)
    assert lantern.values["cost"][0].value == "Cost: $40 a year for each family"


def test_what_adds_to_a_value_is_proven_by_its_own_words() -> None:
    [lantern, *_] = open_reader(ReadingModel(TRUTH), NoMeaning()).items(ASKED, SOURCES)
    assert [(one.value, one.adds) for one in lantern.values["cost"]] == [
        ("$40 a year", False),
        ("free for volunteers", True),
    ]
    reader = lying(invented_additions)
    [_, friday] = reader.items(ASKED, SOURCES)
    assert [one.value for one in friday.values["cost"]] == ["$25 a year", "Cost: $25 a year for each family"]
    assert reader.log.unproven == 4


def test_of_long_words_both_ends_are_enough() -> None:
    whole = "The reading evenings cost a school little when volunteers lead them."
    ends = {"question": "q1", "passage": "p1", "words": "The reading evenings cost … volunteers lead them."}
    reader, _ = asking(lambda *_: {"found": [ends, {**ends, "words": "The reading evenings cost … nothing."}]})
    assert [one.quote for one in reader.findings(TOLD, (COST,), SOURCES)[COST]] == [whole]
    assert reader.log.unproven == 1


def test_a_part_that_is_not_in_its_words_is_not_proven() -> None:
    reader = lying(invented_parts)
    value = ItemValue("Lantern Nights", "cost", "$40 a year", "Cost: $40 a year for each family", "marlow2021")
    assert reader.proven(ASKED, [value], SOURCES) == [None]


def test_a_value_that_a_reply_passes_over_stays_if_its_words_are_the_value() -> None:
    reader, _ = asking(lambda *_: {"checks": []})
    words = "Cost: $40 a year for each family"
    values = [ItemValue("Lantern Nights", "cost", value, words, "marlow2021") for value in ("$40 a year", "cheap")]
    assert reader.proven(ASKED, values, SOURCES) == ["$40 a year", None]


@pytest.mark.parametrize(
    ("part", "shown"), [("free of charge", None), ("open to all pupils", None), ("$40 yearly per family", "same")]
)
def test_a_part_has_the_words_of_its_value_or_quotation(part: str, shown: str | None) -> None:
    value = ItemValue("Lantern Nights", "cost", "$40 yearly", "Cost: $40 a year for each family", "marlow2021")
    reader, _ = asking(lambda *_: {"checks": [{"id": "v1", "says": "part", "part": part}]})
    assert reader.proven(ASKED, [value], SOURCES) == [part if shown else None]


def test_an_item_without_its_words_keeps_its_name_alone() -> None:
    names = [item.name for item in lying(obeying).items(ASKED, SOURCES)]
    assert names == ["Lantern Nights", "Open Book Fridays", "Golden Prize Club"]


def test_a_reply_without_an_end_is_bounded() -> None:
    reader = lying(too_long)
    assert len(reader.items(ASKED, SOURCES)) <= 900
    assert reader.queries(ASKED, TASKS, 3)["r1_1"].queries


def test_what_does_not_answer_the_request_is_left_out_with_the_reason() -> None:
    reader = open_reader(ReadingModel(TRUTH), NoMeaning())
    names = [item.name for item in reader.items(ASKED, SOURCES)]
    assert names == ["Lantern Nights", "Open Book Fridays"]
    assert reader.log.left_out == [("Barker's Barber Shop", "lends chairs, holds no reading evening")]


def test_the_model_sees_each_text_once_under_a_short_id() -> None:
    model = ReadingModel(TRUTH)
    open_reader(model, NoMeaning()).findings(TOLD, (COST, OFFERS), SOURCES)
    [(purpose, user)] = model.asked
    assert purpose == "research.findings"
    assert user.count("<source ") == len(TEXTS) and user.count("Attendance rose") == 1
    assert "marlow2021" not in user.replace("marlow2021.example", "")

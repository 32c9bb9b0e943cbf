from __future__ import annotations

import pytest
from sqlalchemy import select

from core.models import Report
from research.questions.catalog_fields import columns_of, named_fields
from services.context import Context

pytestmark = pytest.mark.usefixtures("with_model")
SENT = {"query": "Which schools have breakfasts for fathers?", "kind": ["web", "book"], "provider": "library"}


def seen(sent: dict[str, object]) -> dict[str, object]:
    """The form as sent by a person who saw how its question was understood."""
    return {**sent, "read": sent["query"]}


def asked(context: Context) -> Report:
    return context.database.one(select(Report))


def test_a_question_alone_is_enough(signed_in, context: Context) -> None:
    sent = {**SENT, "query": "Identify 5 school breakfasts for fathers, with costs.", "tier": "quick"}
    answer = signed_in("officer").post("/research/new", data=seen(sent), follow_redirects=True)
    report = asked(context)
    assert answer.request.path == f"/research/{report.id}"
    assert "This will be a catalog of 5 items" in answer.text
    assert (report.report_type, report.target_items, report.type_chosen) == ("catalog", 5, False)
    assert (report.kinds, report.tier, report.allocation["user"]) == (["web", "book"], "quick", None)


def test_the_language_is_that_of_the_question(signed_in, context: Context) -> None:
    sent = {**SENT, "query": "¿Qué escuelas invitan a los padres a desayunar?", "language": "automatic"}
    signed_in("officer").post("/research/new", data=seen(sent))
    assert asked(context).language == "es"


def test_all_that_can_be_chosen(signed_in, context: Context) -> None:
    signed_in("officer").post(
        "/research/new",
        data={
            **seen(SENT),
            "report_type": "narrative",
            "language": "es",
            "allocation": "chosen",
            "allocation_web": "2",
            "allocation_academic": "0",
            "allocation_book": "1",
            "domains_allowed": "https://www.schools.example.org/page\nexample.net, *.example.com",
            "domains_denied": "spam.example.org",
            "budget_minutes": "30",
            "budget_usd": "1,50",
            "approve_plan": "yes",
        },
    )
    report = asked(context)
    assert (report.report_type, report.type_chosen, report.language) == ("narrative", True, "es")
    assert report.allocation["user"] == "201" and report.approve_plan
    assert report.domains_allowed == ["www.schools.example.org", "example.net", "example.com"]
    assert report.budget == {"minutes": 30, "usd": 1.5}


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"query": "  "}, "query", "Write the question"),
        ({"query": "?! 12"}, "query", "Write the question"),
        ({"query": "why " * 600}, "query", "shorten it to 2000"),
        ({"target_items": "0"}, "target_items", "from 1 to 100"),
        ({"target_items": "a few"}, "target_items", "from 1 to 100"),
        ({"fields": "x" * 81}, "fields", "at most 80 characters"),
        ({"fields": "\n".join(f"Field {at}" for at in range(11))}, "fields", "at most 10 fields"),
        ({"kind": []}, "kinds", "at least one kind"),
        ({"provider": []}, "providers", "at least one provider"),
        ({"allocation": "chosen", "allocation_web": "9"}, "allocation", "from 0 to 3"),
        ({"allocation": "chosen", "allocation_web": "\u0662"}, "allocation", "from 0 to 3"),
        ({"allocation": "chosen", "allocation_web": "3", "allocation_book": "1"}, "allocation", "you chose 4"),
        ({"allocation": "chosen", "allocation_web": "0"}, "allocation", "at least one researcher"),
        ({"allocation": "chosen", "allocation_academic": "1"}, "allocation", "not chosen above"),
        ({"domains_allowed": "not a domain!"}, "domains_allowed", "is not a domain"),
        ({"domains_denied": "localhost"}, "domains_denied", "localhost is not a domain"),
        ({"domains_allowed": "a.org", "domains_denied": "a.org"}, "domains_denied", "allowed and excluded"),
        ({"budget_calls": "-1"}, "budget_calls", "whole number"),
        ({"budget_tokens": "1.5"}, "budget_tokens", "whole number"),
        ({"budget_usd": "0"}, "budget_usd", "above 0"),
        ({"budget_minutes": "1e3"}, "budget_minutes", "whole number"),
    ],
)
def test_what_does_not_fit_is_said_beside_its_field(
    signed_in, context: Context, typed: dict[str, object], field: str, sentence: str
) -> None:
    sent = {**SENT, "domains_denied": "kept.example.org", **typed}
    answer = signed_in("officer").post("/research/new", data=sent)
    assert answer.status_code == 400
    problem = answer.text.split(f'id="{field}-error">')[1].split("</p>")[0]
    assert sentence in problem
    kept = str(sent["domains_denied"])
    assert f">{kept}</textarea>" in answer.text, "what was typed elsewhere is still there"
    assert context.database.scalars(select(Report)) == []


def test_what_was_typed_comes_back_escaped(signed_in) -> None:
    page = signed_in("officer").post("/research/new", data={**SENT, "query": "<b>who</b>", "kind": []}).text
    assert "&lt;b&gt;who&lt;/b&gt;" in page and "<b>who" not in page
    assert 'value="book" checked' not in page


def test_a_long_question_is_told_and_not_cut_by_the_browser(signed_in) -> None:
    page = signed_in("officer").get("/research/new").text
    assert "maxlength" not in page.split('id="query"')[1].split(">")[0]


def test_the_address_fills_the_form(signed_in) -> None:
    page = signed_in("officer").get("/research/new?query=List+7+reading+programmes").text
    assert ">List 7 reading programmes</textarea>" in page
    assert "This will be a catalog of 7 items, with evidence for each." in page
    assert page.count('name="kind"') == page.count('name="kind" value="web" checked') + 2


def test_providers_that_are_off_say_what_turns_them_on(signed_in) -> None:
    page = signed_in("officer").get("/research/new").text
    assert "OPENALEX_API_KEY" in page and 'name="provider" value="library" checked' in page
    assert 'value="openalex"' not in page


@pytest.mark.parametrize(
    ("query", "chosen", "kind", "count"),
    [
        ("Identify 5 programmes with costs", "automatic", "catalog", 5),
        ("Enumera diez programas de lectura", "automatic", "catalog", 10),
        ("Why do fathers stay away?", "automatic", "narrative", None),
        ("Why do fathers stay away?", "catalog", "catalog", None),
        ("Identify 5 programmes with costs", "narrative", "narrative", 5),
        ("Why do fathers stay away?", "none such", "narrative", None),
    ],
)
def test_what_a_question_asks_for(signed_in, query: str, chosen: str, kind: str, count: int | None) -> None:
    found = signed_in("officer").get("/research/detected", query_string={"query": query, "report_type": chosen})
    assert (found.json["report_type"], found.json["target_items"]) == (kind, count)
    assert kind in found.json["sentence"]


QUESTION = "Identify 5 school breakfasts for fathers: cost per child, who cooks, phone"


def test_nothing_is_planned_before_the_person_saw_what_was_understood(signed_in, context: Context) -> None:
    desk = signed_in("officer")
    page = desk.post("/research/new", data={**SENT, "query": QUESTION}).text
    assert "Nothing is planned yet." in page
    assert '<option value="catalog" selected>' in page and 'data-understood value="5"' in page
    assert "Cost per child\nWho cooks\nPhone" in page
    assert f'name="read" value="{QUESTION}"' in page
    assert context.database.scalars(select(Report)) == []


def test_what_the_person_changed_is_kept_and_stored(signed_in, context: Context) -> None:
    typed = {"query": QUESTION, "target_items": "3", "fields": "Cost per child (US$)\r\n\r\nOpening hours"}
    desk = signed_in("officer")
    page = desk.post("/research/new", data={**SENT, **typed}).text
    assert 'data-understood data-mine value="3"' in page and "Cost per child (US$)" in page
    desk.post("/research/new", data={**seen({**SENT, **typed}), "report_type": "catalog"})
    report = asked(context)
    assert (report.report_type, report.type_chosen, report.target_items) == ("catalog", False, 3)
    assert report.fields == ["Cost per child (US$)", "opening_hours"]


def test_fields_as_filled_in_are_nobodys_choice(signed_in, context: Context) -> None:
    desk = signed_in("officer")
    filled = "Cost per child\r\nWho cooks\r\nPhone"
    desk.post(
        "/research/new", data={**seen({**SENT, "query": QUESTION, "fields": filled}), "report_type": "catalog"}
    )
    assert asked(context).fields == columns_of(named_fields(QUESTION)) == ["Cost per child", "Who cooks", "Phone"]


def test_another_question_is_understood_anew(signed_in) -> None:
    before = {**SENT, "query": "Name 6 choirs in York", "report_type": "catalog", "target_items": "4"}
    page = signed_in("officer").post("/research/new", data={**before, "read": "List 9 orchards"}).text
    assert 'data-understood data-mine value="4"' in page, "a number of the person's own"
    page = signed_in("officer").post("/research/new", data={**before, "read": "Name 4 mills in York"}).text
    assert 'data-understood value="6"' in page


def test_a_narrative_has_no_fields(signed_in, context: Context) -> None:
    sent = {**SENT, "query": "Why do fathers stay away?", "report_type": "narrative", "fields": "Cost"}
    signed_in("officer").post("/research/new", data=seen(sent))
    assert (asked(context).fields, asked(context).target_items) == ([], None)


def test_nothing_asked_is_nothing_detected(signed_in) -> None:
    assert signed_in("officer").get("/research/detected?query=").json["sentence"] == ""


def test_only_those_who_may_ask_are_shown_the_way(signed_in) -> None:
    assert "/research/new" in signed_in("officer").get("/research").text
    assert "/research/new" not in signed_in("auditor").get("/research").text


def test_a_session_that_ended_gives_the_question_back(client) -> None:
    answer = client.post("/research/new", data={"query": "What I had written"})
    assert answer.status_code == 401 and "<dt>Question</dt>" in answer.text
    assert "<dd>What I had written</dd>" in answer.text


def test_and_so_does_a_plan(client) -> None:
    path = "/research/00000000-0000-0000-0000-000000000001"
    answer = client.post(f"{path}/plan", data={"question": ["One?", "Two?"]})
    assert answer.status_code == 401 and "<dd>One?\nTwo?</dd>" in answer.text
    assert "next=%2Fresearch%2F00000000" in answer.text.replace("=/research/", "=%2Fresearch%2F")


@pytest.mark.parametrize(
    ("tier", "typed", "wanted"),
    [
        ("comprehensive", {"supervise": "yes"}, True),
        ("comprehensive", {}, False),
        ("quick", {"supervise": "yes"}, False),
    ],
)
def test_deepening_can_be_switched_off(signed_in, context: Context, tier: str, typed: dict, wanted: bool) -> None:
    desk = signed_in("officer")
    form = desk.get("/research/new").text
    assert 'name="supervise" value="yes" checked' in form and "Deepened afterwards: up to 5 attempts." in form
    desk.post("/research/new", data={**seen(SENT), "tier": tier, **typed})
    assert asked(context).supervise is wanted

"""What may be asked for, and what is told to who asks otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import InvalidInputError
from core.models import Report
from services.context import Context
from services.reports.request import ReportRequest, request_report
from tests.support.office import make_person
from tests.support.queued import queue_depth


def asked(context: Context, **values: Any) -> Report:
    request = ReportRequest(**{"query": "What brings fathers into schools?", **values})
    report_id = request_report(context, make_person(context, "officer"), request)
    return context.database.get_one(Report, report_id)


def test_what_is_left_out_is_found_out(context: Context) -> None:
    report = asked(context, query="Identify 7 programmes for fathers with prices")
    assert (report.report_type, report.target_items, report.language) == ("catalog", 7, "en")
    assert (report.status, report.type_chosen, report.tier) == ("queued", False, "standard")
    assert report.enqueued_at is not None
    assert queue_depth(context.redis) == 1


def test_fields_are_those_of_the_question_or_as_given(context: Context) -> None:
    query = "Identify 7 programmes for fathers with prices"
    fields = asked(context, query=query).fields
    assert "Prices" in fields and "pricing_model" not in fields and "name" not in fields


def test_a_label_of_a_common_field_is_stored_as_its_key(context: Context) -> None:
    given = asked(context, query="Identify 7 programmes", fields=["Sitio web", "Who leads it", " "])
    assert given.fields == ["provider_url", "Who leads it"]


def test_a_field_named_twice_is_one(context: Context) -> None:
    pasted = ["- Phone,", "---", "Name", "phone", "Sitio web", "* Who leads it;", "website", "…"]
    given = asked(context, query="Identify 7 programmes", fields=pasted)
    assert given.fields == ["Phone", "provider_url", "Who leads it"]


def test_a_narrative_has_no_fields(context: Context) -> None:
    assert asked(context, report_type="narrative", fields=["Cost"]).fields == []


@pytest.mark.parametrize("fields", [["x" * 81], [f"field {at}" for at in range(11)]])
def test_fields_are_few_and_short(context: Context, fields: list[str]) -> None:
    with pytest.raises(InvalidInputError):
        asked(context, query="Identify 7 programmes", fields=fields)


def test_what_is_chosen_stays(context: Context) -> None:
    report = asked(
        context,
        report_type="narrative",
        language="es",
        tier="quick",
        kinds=["book", "web"],
        providers=["library"],
        allocation="201",
        domains_denied=["Example.ORG ", ""],
        budget={"calls": 5, "minutes": 2.5},
    )
    assert (report.report_type, report.type_chosen, report.language) == ("narrative", True, "es")
    assert (report.kinds, report.providers, report.domains_denied) == (
        ["web", "book"],
        ["library"],
        ["example.org"],
    )
    assert report.allocation == {"user": "201"}
    assert report.budget == {"calls": 5, "minutes": 2.5}


def test_a_question_in_spanish_has_a_report_in_spanish(context: Context) -> None:
    assert asked(context, query="¿Qué hacen las escuelas para atraer a los padres?").language == "es"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"query": "  \n "}, "Enter a question"),
        ({"query": "?!"}, "no words"),
        ({"query": "why " * 600}, "2,000"),
        ({"report_type": "poem"}, "poem"),
        ({"report_type": "catalog", "target_items": 0}, "between 1 and"),
        ({"language": "fr"}, "fr"),
        ({"tier": "best"}, "best"),
        ({"kinds": ["tv"]}, "tv"),
        ({"providers": ["oracle"]}, "oracle"),
        ({"allocation": "999"}, "3"),
        ({"allocation": "000"}, "Between 1 and 3"),
        ({"budget": {"hours": 1}}, "hours"),
        ({"budget": {"usd": -1}}, "usd"),
        ({"budget": {"usd": float("nan")}}, "usd"),
    ],
)
def test_what_does_not_fit_is_told(context: Context, values: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        asked(context, **values)
    assert queue_depth(context.redis) == 0

"""Fields that questions name, in two languages."""

from __future__ import annotations

import pytest

from lab.bench.research.brief import Labelled, fields_right
from lab.bench.research.catalogs.tasks import requests_with_fields
from lab.cassettes.played import played_fields
from research.questions.catalog_fields import (
    DEFAULT_FIELDS,
    columns_of,
    field_key,
    group_of,
    required_fields_of,
    without_fields,
)


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("Identify 5 AI business models with pricing and case studies", {"pricing_model", "proof_links"}),
        ("Identify 5 with costs and evaluations", {"cost", "evaluation"}),
        ("Identifica 5 programas con sus costes y evaluaciones", {"cost", "evaluation"}),
        ("List 10 museums with opening hours and entry fees", {"opening_hours", "entry_fees"}),
        (
            "Find 3 grants. For each, include deadline, eligibility and the number of awards.",
            {"deadline", "number_of_awards"},
        ),
        ("Para cada uno, incluye precio, sitio web y tiempo de espera", {"pricing_model", "tiempo_de_espera"}),
        ("Required details: name, url, free trial", {"name", "provider_url", "free_trial"}),
        ("Find 8 subsidies and their costs per hectare", {"costs_per_hectare"}),
    ],
)
def test_named_fields_are_required(query: str, fields: set[str]) -> None:
    required = required_fields_of(query)
    assert fields <= set(required)
    assert len({group_of(field) for field in required}) == len(required)


@pytest.mark.parametrize("query", ["", "List 4 tools with a mobile app", "Name 5 clinics with more than ten beds"])
def test_what_describes_the_items_is_no_field(query: str) -> None:
    assert required_fields_of(query) == list(DEFAULT_FIELDS)


def test_a_report_keeps_the_words_of_other_fields_than_common_ones() -> None:
    named = ["número de integrantes", "costo", "phones", "quién la  maneja"]
    assert columns_of(named) == ["Número de integrantes", "cost", "Phones", "Quién la maneja"]
    assert columns_of(["–", "costs", " ", "Who pays", "who pays?", "nombre", "phones"]) == [
        "cost",
        "Who pays",
        "Phones",
    ]
    assert columns_of(["pros and cons"]) == [
        *(field for field in DEFAULT_FIELDS if field != "name"),
        "Pros and cons",
    ]


def test_a_model_makes_every_field_that_is_named_a_column() -> None:
    requests = requests_with_fields()
    told, missed = played_fields(requests)
    assert not missed
    asked = dict(zip((one.request for one in requests), told, strict=True))
    labelled = [Labelled("catalog", None, one.request, one.fields) for one in requests]
    assert fields_right(labelled, asked.__getitem__) >= 0.95
    [five] = [fields for request, fields in asked.items() if "replicable stack" in request]
    assert columns_of(five)[-5:] == [
        "Pricing evidence",
        "Target customer",
        "AI usage",
        "Replicable stack",
        "Evergreen reason",
    ]


def test_names_of_one_wish_are_one() -> None:
    assert group_of("costs per hectare") == group_of("entry fees") == group_of("Precio por niño") == "pricing"
    assert group_of("pricing") == group_of("costs") == group_of("pricing_model") != group_of("proof_links")
    assert field_key("Sitio web") == "provider_url"


def test_the_fields_can_be_left_out_of_a_question() -> None:
    assert without_fields("List 5 clinics in York, with costs and hours. For each, give the website.") == (
        "List 5 clinics in York."
    )

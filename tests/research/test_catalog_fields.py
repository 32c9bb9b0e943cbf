"""Fields that questions name, in two languages."""

from __future__ import annotations

import pytest

from research.questions.catalog_fields import (
    DEFAULT_FIELDS,
    columns_of,
    field_key,
    group_of,
    named_fields,
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
    assert columns_of(["pros and cons"]) == [
        *(field for field in DEFAULT_FIELDS if field != "name"),
        "Pros and cons",
    ]


def test_all_fields_are_columns_be_they_five_or_before_their_subject() -> None:
    five = "with pricing evidence, target customer, AI usage, replicable stack and evergreen reason"
    assert named_fields(f"Identify 5 newsletter businesses {five}") == [
        "pricing evidence",
        "target customer",
        "AI usage",
        "replicable stack",
        "evergreen reason",
    ]
    before = "Cost, ages and evidence of results for reading programmes that use therapy dogs, please."
    assert named_fields(before) == ["Cost", "ages", "evidence of results"]
    assert without_fields(before) == "reading programmes that use therapy dogs, please."
    pairs = "Suppliers of school meals in the north: price per meal, pros and cons, terms and conditions"
    assert named_fields(pairs) == ["price per meal", "pros and cons", "terms and conditions"]


def test_names_of_one_wish_are_one() -> None:
    assert group_of("costs per hectare") == group_of("entry fees") == group_of("Precio por niño") == "pricing"
    assert group_of("pricing") == group_of("costs") == group_of("pricing_model") != group_of("proof_links")
    assert field_key("Sitio web") == "provider_url"


def test_the_fields_can_be_left_out_of_a_question() -> None:
    assert without_fields("List 5 clinics in York, with costs and hours. For each, give the website.") == (
        "List 5 clinics in York."
    )

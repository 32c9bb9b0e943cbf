"""Catalogs of many fields: the items that sources name, what is said of each, and where it stands."""

from __future__ import annotations

import pytest

from research.material import SourceText
from research.memo import CatalogCandidate, FieldStatus
from research.questions.catalog_fields import required_fields_of
from research.readers.rules.candidates import extract_candidates
from tests.research.catalog_texts import (
    CLINICS,
    MUSEUMS,
    SCHOLARSHIPS,
    SUBSIDIES,
    TOOLS,
    by_key,
    findings_in,
    source,
)


def read(query: str, sources: dict[str, SourceText], language: str = "en") -> dict[str, CatalogCandidate]:
    found = extract_candidates(findings_in(sources), sources, required_fields_of(query), query, language)
    return {candidate.name: candidate for candidate in found}


def told(candidate: CatalogCandidate, field: str) -> str:
    return candidate.values[field][0].value


def test_tools_are_told_from_publishers_people_and_places() -> None:
    found = read("Identify 3 invoicing tools for bakeries with pricing and reviews", TOOLS)
    assert set(found) == {"Ledgerly", "Crumb Books", "Tally Oven"}
    assert told(found["Ledgerly"], "pricing_model") == "$9 per month; $24 per month"
    assert told(found["Tally Oven"], "pricing_model") == "€12 a month"
    assert told(found["Crumb Books"], "pricing_model") == "free for one user"
    assert found["Ledgerly"].provider_url == "https://ledgerly.example/"
    assert found["Ledgerly"].values["proof_links"][0].source_key == "roundup2025"


def test_museums_with_prices_and_hours() -> None:
    found = read("List 4 museums for children with opening hours and entry fees", MUSEUMS)
    assert set(found) == {"Tinsmith Museum", "Museum of Knots and Ropes"}
    assert told(found["Tinsmith Museum"], "cost") == "$6; $2"
    assert "10 a.m. to 4 p.m." in told(found["Tinsmith Museum"], "opening_hours")
    assert found["Museum of Knots and Ropes"].fields["opening_hours"] == FieldStatus.MISSING


def test_spanish_scholarships() -> None:
    found = read("Enumera 2 becas de música con plazos y requisitos", SCHOLARSHIPS, "es")
    assert set(found) == {"Beca Horizonte Sonoro", "Fondo Clave de Sol"}
    assert told(found["Beca Horizonte Sonoro"], "pricing_model") == "300 euros al mes"
    assert told(found["Beca Horizonte Sonoro"], "deadline") == "El plazo termina el 30 de abril."
    assert told(found["Fondo Clave de Sol"], "pricing_model") == "1.500 € al año"


def test_rows_of_a_table() -> None:
    found = read("Find 2 farm subsidies for hedges and upland farms with payments", SUBSIDIES)
    assert set(found) == {"Hedgerow Renewal", "Upland Pollinator Scheme"}
    assert told(found["Hedgerow Renewal"], "cost") == "£12 per metre"


def test_near_names_are_two_items_and_prices_go_to_their_own() -> None:
    found = read("Identify 3 mobile dental clinics for children with costs and evaluations", CLINICS)
    assert set(found) == {"BrightVan", "BrightVan Plus", "Smiles on Wheels"}
    assert told(found["BrightVan"], "cost") == "$18"
    assert told(found["BrightVan Plus"], "cost") == "$45"
    assert found["BrightVan"].values["evaluation"][0].source_key == "trial"
    assert "evaluation" not in found["BrightVan Plus"].values


@pytest.mark.parametrize(
    ("kind", "sources"),
    [
        ("tools", TOOLS),
        ("museums", MUSEUMS),
        ("becas", SCHOLARSHIPS),
        ("subsidies", SUBSIDIES),
        ("clinics", CLINICS),
    ],
)
def test_every_value_stands_in_its_source(kind: str, sources: dict[str, SourceText]) -> None:
    found = read(f"Identify 5 {kind} with costs and evaluations", sources)
    values = [value for candidate in found.values() for told in candidate.values.values() for value in told]
    assert values
    assert all(value.verified and value.quote in sources[value.source_key].text for value in values)


def test_only_sources_with_a_finding_are_read() -> None:
    found = extract_candidates(
        findings_in({"ledgerly": TOOLS["ledgerly"]}), TOOLS, ["name"], "Identify 3 tools", "en"
    )
    assert [candidate.name for candidate in found] == ["Ledgerly"]


def test_of_a_known_name_all_is_taken_that_is_said() -> None:
    later = by_key(source("later", "Price list", "Quillmate costs $7 a month.", domain="p.example"))
    query = "Identify 3 writing tools with pricing"
    assert extract_candidates([], later, ["pricing_model"], query, "en") == []
    (one,) = extract_candidates([], later, ["pricing_model"], query, "en", known=["Quillmate"])
    assert told(one, "pricing_model") == "$7 a month"


def test_a_text_without_items_has_none() -> None:
    text = (
        "# Introduction\n\nMany programmes help families. Dr. Ana Quispe of Tallow University said that "
        "costs fell. "
        "In Port Ellery, schools meet on Monday.\n\n## Methods\n\nWe asked 40 schools in 2021. It cost $300.\n"
    )
    plain = by_key(source("plain", "Programmes and families", text, domain="x.example", publisher="Tallow Press"))
    assert read("Identify 4 family programmes with costs", plain) == {}

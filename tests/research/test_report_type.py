"""What a question asks for."""

from __future__ import annotations

import pytest

from research.report_type import ReportType, detect_report_type, target_items


@pytest.mark.parametrize(
    ("query", "items"),
    [
        ("What do school programmes do that bring fathers in? Identify 5 with costs and evaluations", 5),
        ("List the top 10 tools", 10),
        ("Identify five lending libraries", 5),
        ("identify 5 business models", 5),
        ("find 3 providers", 3),
        ("list 10 tools", 10),
        ("Explain what peat is and list 4 bogs", 4),
        ("Find 4 five-star hotels in Cusco", 4),
        ("list the 10 hottest years on record", 10),
        ("I'd like 3 recipes", 3),
        ("11 podcasts about law", 11),
        ("five (5) vendors of freezers, please", 5),
        ("In 2025, which 10 airlines were late?", 10),
        ("¿Me recomiendas siete series?", 7),
        ("Give me a dozen recipes", 12),
        ("compare three tractors", 3),
        ("Find between 5 and 10 orchards", 10),
        ("Name 6 battles fought in 1942", 6),
        ("Make a 10-item list of rivers", 10),
        ("las 7 mejores playas", 7),
        ("Dame una docena de recetas", 12),
        ("Muéstrame treinta y cinco refranes", 35),
        ("¿Cuáles son los cuatro volcanes más altos?", 4),
    ],
)
def test_a_number_of_things_is_a_catalog_of_so_many(query: str, items: int) -> None:
    assert detect_report_type(query) is ReportType.CATALOG
    assert target_items(query) == items


@pytest.mark.parametrize(
    "query",
    [
        "provide a table of ports with their depth",
        "Weavers in Cusco. For each, include prices and a photograph",
        "Required details: name, url",
        "Battery recyclers in Canada, with pricing and website",
        "Presenta en una tabla los salarios mínimos",
        "List open-source compilers",
    ],
)
def test_a_table_or_details_of_each_are_a_catalog_without_a_count(query: str) -> None:
    assert detect_report_type(query) is ReportType.CATALOG
    assert target_items(query) is None


@pytest.mark.parametrize(
    "query",
    [
        "What do this season's essays say fathers do for their children?",
        "find 2024 statistics",
        "Provide suitable background",
        "How did 3 policies change grazing?",
        "Explain how the 12 factors interact",
        "Do children of two-parent families read more?",
        "What is read in grade 5?",
        "What changed in the last 3 years?",
        "Why do the first 1000 days matter?",
        "How is K-12 education funded?",
        "How was the periodic table found?",
        "Explain how indexes work in a table",
        "Explain the 2 main theories of gravity",
        "Can I give 2 medicines to my dog at once?",
        "How can I find 3 investors?",
        "Origins of the Ten Commandments",
        "Find 10 years of rainfall data",
        "Los tres mosqueteros y la Francia del siglo XVII",
        "Why do the top 10% save more?",
        "Write 3 paragraphs on peat",
        "¿Por qué 4 de cada 10 jóvenes no votan?",
        "Busca estadísticas de 2024",
        "",
        "   ?!",
    ],
)
def test_other_questions_are_narrative_and_count_nothing(query: str) -> None:
    assert detect_report_type(query) is ReportType.NARRATIVE
    assert target_items(query) is None


def test_what_a_person_chose_goes_first() -> None:
    assert detect_report_type("list 10 tools", "narrative") is ReportType.NARRATIVE
    assert detect_report_type("why?", ReportType.CATALOG) is ReportType.CATALOG


@pytest.mark.parametrize("unknown", ["", "table", "Catalog"])
def test_an_unknown_choice_names_the_choices(unknown: str) -> None:
    with pytest.raises(ValueError, match="narrative, catalog"):
        detect_report_type("why?", unknown)

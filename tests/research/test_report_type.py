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
        ("Suppliers wanted: 3 x crates, 5 m of rope", 3),
        ("need x5 letters by Friday", 5),
        ("HL7 v2 is old - find 3 clinics that left it", 3),
        ("find 6 - 8 choirs", 8),
        ("not more than 15 slogans", 15),
        ("from 5 to 7 examples of reuse", 7),
        ("No más de 4 coros", 4),
        ("Identifica por lo menos cinco coros", 5),
        ("cuatro o menos revistas", 4),
        ("Sugiere dos hipótesis", 2),
        ("Se necesitan 50 frases motivadoras", 50),
        ("half a dozen maps would do", 6),
        ("a half-dozen bakeries", 6),
        ("Of the 40 counties, which five are drained?", 5),
        ("Quick one: five laureates born in Hungary?", 5),
        ("As a reporter on a small paper I am looking for three experts", 3),
        ("Someone on the desk should find me 4 memoirs", 4),
        ("I was asked to bring 5 dilemmas to class", 5),
        ("Hay que encontrar tres cartas", 3),
        ("Necesito que busques 5 talleres", 5),
        ("Give me three, cheapest first", 3),
        ("Find, for the chapter on salt, four paintings", 4),
        ("For our retreat suggest three speakers", 3),
        ("For a class of 25, three experiments with ice", 3),
        ("I'd be grateful for two sources", 2),
        ("me urgen 5 citas", 5),
        ("Point us toward 4 trusts", 4),
        ("Search PubMed for 10 trials", 10),
        ("Explain to a beginner four reasons to prune", 4),
        ("Las siete partidas de ajedrez más bellas", 7),
        ("Twenty slang terms of sailors", 20),
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
        "List every court that has ruled on drones",
        "Offshore wind farms: name, year, owner",
        "Every ferry line in Greece (operator, route, fare)",
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


@pytest.mark.parametrize(
    "query",
    [
        "¿Se necesitan 8 vasos de agua al día?",
        "the catalogue of ships: a history or a fiction?",
        "Give a brief history of Windows 95",
        "Under Regulation 2016/679 art. 17, when may erasure be refused?",
        "What's new in HL7 v2 and R4?",
        "4 cups of coffee too many?",
        "For 3 years teachers recommend 2 books",
        "1" * 10_000,
    ],
)
def test_numbers_that_ask_for_nothing(query: str) -> None:
    assert target_items(query) is None
    assert detect_report_type(query) is ReportType.NARRATIVE


def test_what_a_person_chose_goes_first() -> None:
    assert detect_report_type("list 10 tools", "narrative") is ReportType.NARRATIVE
    assert detect_report_type("why?", ReportType.CATALOG) is ReportType.CATALOG


@pytest.mark.parametrize("unknown", ["", "table", "Catalog"])
def test_an_unknown_choice_names_the_choices(unknown: str) -> None:
    with pytest.raises(ValueError, match="narrative, catalog"):
        detect_report_type("why?", unknown)

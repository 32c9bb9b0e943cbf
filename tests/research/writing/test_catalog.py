from __future__ import annotations

import re
from dataclasses import replace

import pytest

from lab.bench.research.keyed.marks import problems
from research.memo import CatalogCandidate
from research.writing.report import write_report
from tests.support.research.markers import marker_problems
from tests.support.research.readers import asking, piece, silent
from tests.support.research.report_material import material, told

TEXTS = {
    "s1": ("one.example", "Papás al Aula runs breakfast mornings for fathers. It costs $300 per school per year."),
    "s2": (
        "two.example",
        "Dads Read is designed to bring fathers into reading. See https://dadsread.example.org now.",
    ),
    "s3": ("three.example", "The Lunch|Club invites grandfathers to lunch every month."),
}
PAPAS = CatalogCandidate(
    "Papás al Aula",
    values={
        "problem_solved": [told("", "Papás al Aula runs breakfast mornings for fathers.", "s1")],
        "cost": [told("$300 per school per year", "It costs $300 per school per year.", "s2")],
    },
)
DADS = CatalogCandidate(
    "Dads Read",
    "https://dadsread.example.org",
    values={
        "problem_solved": [told("", "Dads Read is designed to bring fathers into reading.", "s2")],
        "cost": [told("$99", "Dads Read costs $99 for each family.", "s2")],
    },
)
LUNCH = CatalogCandidate(
    "The Lunch|Club", values={"problem_solved": [told("lunch", "invites grandfathers to lunch every month", "s3")]}
)
INVENTED = CatalogCandidate("Made Up Things", "https://madeup.example.org", values={})


def report(*candidates: CatalogCandidate, language: str = "en"):
    asked = ("What programmes bring fathers into schools? List 3 with costs",)
    return write_report(material(TEXTS, asked, candidates=candidates, language=language), silent())


def table_of(document) -> list[str]:
    body = next(section.body for section in document.sections if "| --- |" in section.body)
    return [line for line in body.splitlines() if line.startswith("|")]


def test_the_best_known_items_come_first() -> None:
    rows = table_of(report(LUNCH, PAPAS, DADS).document)
    assert rows[0].startswith("| Name | Website | Problem solved | Costs |")
    assert [row.split()[1] for row in rows[2:]] == ["Papás", "Dads", "The"]


def test_quotations_are_re_attributed_and_fabricated_ones_left_out() -> None:
    found = report(PAPAS, DADS)
    assert "$300 per school per year [@s1#" in "\n".join(table_of(found.document))
    assert "$99" not in "".join(section.body for section in found.document.sections)
    assert {claim.status for claim in found.claims} == {"verified", "misattributed", "fabricated"}
    assert marker_problems(found.document) == []


def test_what_is_missing_is_said() -> None:
    found = report(PAPAS, DADS)
    assert "not found" in table_of(found.document)[3]
    assert any("3 were asked for; 2" in limit for limit in found.document.limits)
    assert any("Dads Read" in limit and "costs" in limit for limit in found.document.limits)


def test_what_no_source_names_is_no_item() -> None:
    assert "Made Up" not in "".join(
        section.heading + section.body for section in report(INVENTED, PAPAS).document.sections
    )


def test_a_pipe_in_a_name_stays_in_its_cell() -> None:
    row = table_of(report(LUNCH).document)[2]
    assert row.replace("\\|", "").count("|") == 5


def test_spanish() -> None:
    rows = table_of(report(PAPAS, language="es").document)
    assert problems(report(PAPAS, DADS, LUNCH, language="es").document) == []
    assert "Costos" in rows[0] and "no encontrado" in rows[2]


def test_no_items_leave_a_narrative_that_says_so() -> None:
    found = report(INVENTED)
    assert found.document.sections[0].body
    assert any("3 were asked for; 0" in limit for limit in found.document.limits)


def test_a_name_is_found_however_it_is_set() -> None:
    texts = {
        "s1": (
            "one.example",
            "The Dad’s  Club-House\ninvites fathers to read aloud with their children at school.",
        )
    }
    item = CatalogCandidate(
        "The Dad's Club–House", values={"problem_solved": [told("", "invites fathers to read aloud", "s1")]}
    )
    found = write_report(
        material(texts, ("List 2 programmes for fathers at school",), candidates=[item]), silent()
    )
    named = next(claim for claim in found.claims if claim.sentence == "The Dad's Club–House")
    assert named.quote == "The Dad’s  Club-House" and f"[@s1#{named.claim_id}]" in table_of(found.document)[2]


def test_a_model_writes_the_opening_alone() -> None:
    def answer(purpose: str, user: str) -> dict[str, object] | None:
        if purpose == "research.summary":
            words = {"id": piece(user, "Dads Read"), "words": "Dads Read is designed to bring fathers"}
            return {"sentences": [{"text": "Dads Read brings fathers into reading.", "evidence": [words]}]}
        return None

    reader, model = asking(answer)
    asked = ("What programmes bring fathers into schools? List 3 with costs",)
    found = write_report(material(TEXTS, asked, candidates=[PAPAS, DADS]), reader)
    assert found.document.sections[0].body == "Dads Read brings fathers into reading. [@s2#c2]"
    assert not found.document.extractive and len(model.asked) == 1


def test_values_that_contradict_each_other_are_both_shown() -> None:
    texts = {f"s{n}": (f"n{n}.example", f"Dads Read costs ${n}0 a year.") for n in (4, 5)}
    costs = [told(f"${n}0 a year", texts[f"s{n}"][1], f"s{n}") for n in (4, 5)]
    item = CatalogCandidate("Dads Read", values={"cost": costs})
    found = write_report(material(texts, ("Programmes for fathers with costs",), candidates=[item]), silent())
    cell = table_of(found.document)[2]
    assert "$40 a year" in cell and "$50 a year" in cell and "(two sources: compare)" in cell


@pytest.mark.parametrize(
    "other", ["below fifty dollars a year", "48 dollars, more or less", "forty-five dollars a year", "yearly dues"]
)
def test_a_source_that_says_the_same_in_other_words_is_not_to_be_compared(other: str) -> None:
    first = "Dads Read costs about $45 a year."
    texts = {"s4": ("n4.example", first), "s5": ("n5.example", f"Dads Read: {other}.")}
    costs = [told("about $45 a year", first, "s4"), told(other, f"Dads Read: {other}.", "s5")]
    item = CatalogCandidate("Dads Read", values={"cost": costs})
    found = write_report(material(texts, ("Programmes for fathers with costs",), candidates=[item]), silent())
    assert "compare" not in table_of(found.document)[2]


@pytest.mark.parametrize(
    ("other", "is_compared"),
    [
        ("four out of five children", False),
        ("80 percent", False),
        ("half: 32 of 64", True),
        ("0 of 0", True),
        ("51 in 2019", False),
    ],
)
def test_shares_are_the_same_in_other_forms(other: str, is_compared: bool) -> None:
    first = "Dads Read: 51 of 64 children listened weekly."
    texts = {"s4": ("n4.example", first), "s5": ("n5.example", f"Dads Read: {other} listened every week.")}
    found = [told("51 of 64 listened weekly", first, "s4"), told(f"{other} listened", texts["s5"][1], "s5")]
    item = CatalogCandidate("Dads Read", values={"evaluation": found})
    asked = ("Programmes for fathers with evaluation",)
    table = table_of(
        write_report(material(texts, asked, candidates=[item], fields=("name", "evaluation")), silent()).document
    )
    assert ("compare" in table[2]) is is_compared


@pytest.mark.parametrize(
    ("first", "other", "is_compared"),
    [
        ("$300 a school for about 12 schools in 2019", "$900 a school for 40 schools in 2021", True),
        ("about 20 minutes a day for 12 weeks", "60 minutes a day for 11 weeks", True),
        ("about 100 schools", "90 fathers", True),
        ("$300 a year for 12 schools", "$900 a year for 12 schools", True),
        ("4 of 5 fathers, $300 a year", "80 percent of fathers, $9,000 a year", True),
        ("80 percent of fathers, 10 percent of mothers", "80 percent of fathers, 50 percent of mothers", True),
        ("founded in 2019", "founded in 2021", True),
        ("$300 in 2019", "$300 in 2021", False),
        ("3.7 school events, waiting schools 1.3 (difference 2.4)", "2.4 school events more", False),
        ("$300 a year for 12 schools", "by a study of 2020, it works", False),
        ("about $300 a year for 12 schools", "$290 yearly, 12 schools, 4 volunteers", False),
    ],
)
def test_a_figure_that_agrees_hides_no_other(first: str, other: str, is_compared: bool) -> None:
    texts = {"s4": ("n4.example", f"Dads Read: {first}."), "s5": ("n5.example", f"Dads Read: {other}.")}
    costs = [told(first, texts["s4"][1], "s4"), told(other, texts["s5"][1], "s5")]
    item = CatalogCandidate("Dads Read", values={"cost": costs})
    found = write_report(material(texts, ("Programmes for fathers with costs",), candidates=[item]), silent())
    assert ("compare" in table_of(found.document)[2]) is is_compared


def test_what_another_source_adds_to_its_own_value_stands_behind_that() -> None:
    texts = {
        "s4": ("n4.example", "Dads Read costs $40."),
        "s5": ("n5.example", "Dads Read costs $50. A badge is $3."),
    }
    costs = [told("$40", "Dads Read costs $40.", "s4"), told("$50", "Dads Read costs $50.", "s5")]
    costs.append(replace(told("$3 for a badge", "A badge is $3.", "s5"), adds=True))
    item = CatalogCandidate("Dads Read", values={"cost": costs})
    found = write_report(material(texts, ("Programmes for fathers with costs",), candidates=[item]), silent())
    cell = re.sub(r" \[@.*?\]", "", table_of(found.document)[2])
    assert cell.endswith("| $40; $50; $3 for a badge (two sources: compare) |")


def test_a_second_source_that_says_the_same_is_cited_and_one_that_says_more_is_shown() -> None:
    texts = {
        "s4": ("n4.example", "Dads Read is free for families."),
        "s5": ("n5.example", "To families Dads Read is free."),
        "s6": ("n6.example", "Dads Read asks for a cake."),
    }
    values = [("free for families", "s4"), ("free", "s5"), ("a cake", "s6")]
    costs = [told(value, texts[key][1], key) for value, key in values]
    item = CatalogCandidate("Dads Read", values={"cost": costs})
    found = write_report(material(texts, ("Programmes for fathers with costs",), candidates=[item]), silent())
    cell = re.sub(r"#\w+", "", table_of(found.document)[2])
    assert cell.endswith("| free for families [@s4] [@s5]; a cake [@s6] |")
    body = "\n".join(section.body for section in found.document.sections)
    assert "“To families Dads Read is free.”" in body and "“Dads Read asks for a cake.”" in body


def test_what_adds_to_a_value_stands_in_its_cell_with_its_own_quotation() -> None:
    text = "Dads Read costs $40 a year. Sundays are for talking. Foster fathers come to Dads Read for $15."
    costs = [
        told("$40 a year", "Dads Read costs $40 a year.", "s1"),
        *(
            replace(told(value, "Foster fathers come to Dads Read for $15.", "s1"), adds=True)
            for value in ("$15 for foster fathers", "$15")
        ),
    ]
    item = CatalogCandidate("Dads Read", values={"cost": costs})
    asked = ("Programmes for fathers with costs",)
    found = write_report(material({"s1": ("one.example", text)}, asked, candidates=[item]), silent())
    cell = re.sub(r" \[@.*?\]", "", table_of(found.document)[2])
    assert cell.endswith("| $40 a year; $15 for foster fathers |")
    body = "\n".join(section.body for section in found.document.sections)
    assert "“Dads Read costs $40 a year.”" in body and "“Foster fathers come to Dads Read for $15.”" in body


def test_a_quotation_stands_once_with_an_item_and_without_the_marks_of_its_list() -> None:
    texts = {"s1": ("one.example", "- **Papás al Aula** brings fathers to breakfast and costs $300 a year.")}
    quote = texts["s1"][1]
    item = CatalogCandidate(
        "Papás al Aula",
        values={"problem_solved": [told("", quote, "s1")], "cost": [told("$300 a year", quote, "s1")]},
    )
    found = write_report(material(texts, ("Programmes for fathers with costs",), candidates=[item]), silent())
    lines = "\n".join(section.body for section in found.document.sections).splitlines()
    details = [line.split(" [@")[0] for line in lines if line.startswith("- **")]
    assert "- **Problem solved:** “Papás al Aula brings fathers to breakfast and costs $300 a year.”" in details
    assert "- **Costs:** $300 a year" in details


LONG = (
    "Dads Read costs a school $4,800 a year, most of it for training, or $12 for each pupil who takes part in it."
)
LONG_TEXTS = {"s4": ("n4.example", LONG)}
YEARLY = "$4,800 a year for a school, most of it for the training of those who read aloud there"
PER_PUPIL = "$12 for each pupil who takes part in it, be it for a day or for the whole year"


def long_report(*cells: str, language: str = "en"):
    """A table with one long cell, for which the model says `cells`, one a call, or nothing."""
    said = iter(cells)

    def answer(purpose: str, user: str) -> dict[str, object] | None:
        told = next(said, None) if purpose == "research.cells" else None
        return None if told is None else {"cells": [{"id": "c1", "cell": told}]}

    reader, model = asking(answer)
    costs = [told(YEARLY, LONG, "s4"), replace(told(PER_PUPIL, LONG, "s4"), adds=True)]
    item = CatalogCandidate("Dads Read", values={"cost_per_pupil": costs})
    given = material(
        LONG_TEXTS,
        ("Programmes for fathers with cost per pupil",),
        candidates=[item],
        fields=("name", "cost_per_pupil"),
        language=language,
    )
    found = write_report(given, reader)
    cell = table_of(found.document)[2].split(" | ")[1].removesuffix(" |")
    return re.sub(r" ?\[@.*?\]", "", cell), found, model


def test_a_model_says_in_a_long_cell_what_was_asked_in_the_unit_that_was_named() -> None:
    cell, found, model = long_report("$12 for each pupil; $4,800 a year for a school")
    assert cell == "$12 for each pupil; $4,800 a year for a school"
    [(_, user)] = [one for one in model.asked if one[0] == "research.cells"]
    assert "Dads Read | cost per pupil | $4,800" in user and "Programmes for fathers with cost per pupil" in user
    details = found.document.sections[-1].body
    assert YEARLY in details and PER_PUPIL in details and LONG in details


@pytest.mark.parametrize(
    "told",
    [
        "$13 for each pupil",
        "$12 for each pupil, says Harvard in Boston",
        "doce dólares por cada niño que toma parte",
        "",
    ],
)
def test_a_cell_that_says_more_than_its_values_is_cut_from_the_one_in_the_unit_of_its_field(told: str) -> None:
    cell, *_ = long_report(*filter(None, [told]))
    assert cell == "$12 for each pupil who takes part in it …"


def test_a_cell_that_is_too_long_ends_with_a_phrase() -> None:
    cell, *_ = long_report("$12 for each pupil, and for a school it is $4,800 a year with all its training")
    assert cell == "$12 for each pupil …"
    cell, *_ = long_report("$12 each pupil who takes part it is for a day or the whole year in it")
    assert cell == "$12 each pupil who takes part it is for a day …"


def test_what_the_summary_tells_of_an_item_is_not_missing_in_its_table() -> None:
    text = "Dads Read brings fathers into reading and costs $40 a year."
    item = CatalogCandidate(
        "Dads Read", values={"problem_solved": [told("brings fathers into reading", text, "s1")]}
    )

    def answer(purpose: str, user: str) -> dict[str, object] | None:
        if purpose == "research.summary":
            words = {"id": piece(user, "costs $40"), "words": text}
            return {"sentences": [{"text": "Dads Read costs $40 a year.", "evidence": [words]}]}
        if purpose == "research.proven" and 'value: "Dads Read costs $40 a year."' in user:
            return {"checks": [{"id": "v1", "says": "part", "part": "$40 a year"}]}
        return None

    reader, model = asking(answer)
    asked = ("What programmes bring fathers into schools? List 3 with costs",)
    found = write_report(material({"s1": ("one.example", text)}, asked, candidates=[item]), reader)
    cells = re.sub(r" \[@.*?\]", "", table_of(found.document)[2]).strip("| ").split(" | ")
    assert "$40 a year" in cells and not any("costs" in limit for limit in found.document.limits)
    assert [purpose for purpose, _ in model.asked].count("research.proven") == 1


def test_words_of_a_source_in_another_language_stand_in_quotation_marks() -> None:
    texts = {"s6": ("n6.example", "Dads Read cobra a cada escuela 2,100 dólares al año.")}
    costs = [told(texts["s6"][1], texts["s6"][1], "s6")]
    item = CatalogCandidate("Dads Read", values={"cost": costs})
    found = write_report(material(texts, ("Programmes for fathers with costs",), candidates=[item]), silent())
    assert "| “Dads Read cobra a cada escuela 2,100 dólares al año.” [@" in table_of(found.document)[2]

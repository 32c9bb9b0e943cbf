"""Reading lists: passages by aspect, source and language, each once, and nothing said of the world."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.document import MARKER
from research.memo import WorkerResult
from research.readers.listing import passages_on
from research.readers.protocol import Plan, WrittenReport
from research.text.meaning import NoMeaning
from research.writing.report import write_report
from tests.support.research.markers import marker_problems
from tests.support.research.readers import passages
from tests.support.research.report_material import material, source

QUERY = "What do breakfast mornings cost a school? Who cooks at breakfast mornings?"
ASPECTS = ("breakfast mornings cost a school", "cooks at breakfast mornings")
COST = "Breakfast mornings cost a school about $300 a year, more in winter."
COOK = "Volunteers cook at breakfast mornings and wash up afterwards."


def listed(
    texts: Mapping[str, tuple[str, str]],
    languages: Mapping[str, str] | None = None,
    aspects: Sequence[str] = ASPECTS,
) -> WrittenReport:
    given = material({}, (QUERY,))
    spoken = languages or {}
    sources = {
        key: source(key, domain, text, language=spoken.get(key, "en")) for key, (domain, text) in texts.items()
    }
    found = passages_on(aspects, given.asked, sources, NoMeaning())
    result = WorkerResult("t1", "web", QUERY, findings=found)
    told = replace(given, plan=Plan((QUERY,), tuple(aspects), ""), results=(result,), sources=sources)
    report = write_report(told, passages())
    assert marker_problems(report.document) == []
    return report


def cited(report: WrittenReport, heading: str) -> list[str]:
    [body] = [one.body for one in report.document.sections if one.heading.startswith(heading)]
    return [found["key"] for found in re.finditer(MARKER, body)]


def test_each_aspect_has_its_passages_in_the_words_of_the_request() -> None:
    report = listed({"one2020": ("one.example", COST), "two2020": ("two.example", COOK)})
    assert [one.heading for one in report.document.sections] == [
        "What do breakfast mornings cost a school?",
        "Who cooks at breakfast mornings?",
    ]
    assert report.document.extractive
    body = report.document.sections[0].body
    assert "*Title of one2020*" in body and "> “Breakfast mornings cost a school about **$300** a year" in body
    assert {claim.status for claim in report.claims} == {"verified"}


def test_what_no_aspect_found_is_said_of_these_sources_alone() -> None:
    report = listed({"one2020": ("one.example", COST)})
    assert "No passage in these sources on: cooks at breakfast mornings" in report.document.limits
    told = "\n".join([*report.document.limits, *(one.body for one in report.document.sections)])
    assert "not found" not in told.casefold()


def test_nothing_at_all_is_said_of_the_sources_that_were_read() -> None:
    report = listed({"one2020": ("one.example", "The river rose in March and the hall was cleaned twice.")})
    assert report.claims == ()
    assert report.document.sections[0].body == (
        "None of the 1 sources that were read has a passage on this request."
    )


def test_at_most_five_passages_from_three_publishers_where_there_are() -> None:
    many = {f"many{n}": ("one.example", f"{COST} In town {n} it was {n}00 dollars for a term.") for n in range(7)}
    others = {
        "alpha1": ("two.example", "A school pays for breakfast mornings what they cost: little."),
        "beta1": ("three.example", "What breakfast mornings cost depends on the school and its size."),
    }
    keys = cited(listed({**many, **others}), "What do")
    assert len(keys) == 5 and {"alpha1", "beta1"} <= set(keys)


def test_nearly_the_same_passage_stands_once_with_the_markers_of_all() -> None:
    again = COST.replace("about", "some")
    report = listed({"one2020": ("one.example", COST), "two2021": ("two.example", again)})
    body = report.document.sections[0].body
    assert body.count("> “") == 1 and "Nearly the same in" in body
    assert set(cited(report, "What do")) == {"one2020", "two2021"}


def test_the_same_words_with_another_figure_stand_by_themselves() -> None:
    report = listed({"one2020": ("one.example", COST), "two2021": ("two.example", COST.replace("$300", "$900"))})
    assert report.document.sections[0].body.count("> “") == 2


def test_what_states_the_kind_of_fact_asked_comes_first_and_each_language_stands_apart() -> None:
    texts = {
        "plain1": (
            "one.example",
            "Breakfast mornings cost a school little, and breakfast mornings cost nobody sleep.",
        ),
        "figure1": ("two.example", COST),
        "spanish1": (
            "tres.example",
            "Los desayunos de la escuela, breakfast mornings, cost school unos 300 pesos.",
        ),
    }
    body = listed(texts, {"spanish1": "es"}).document.sections[0].body
    places = [body.index(f"[@{key}#") for key in ("figure1", "plain1", "spanish1")]
    assert places == sorted(places)
    assert places[1] < body.index("**In Spanish**") < places[2]


def test_a_passage_on_two_aspects_stands_once() -> None:
    report = listed({"one2020": ("one.example", f"{COST} {COOK}"), "two2020": ("two.example", COOK)})
    keys = [found["key"] for one in report.document.sections for found in re.finditer(MARKER, one.body)]
    assert len(keys) == len(set(keys))


def test_an_aspect_keeps_passages_that_others_answer_better() -> None:
    mornings = [f"Breakfast mornings cost a school {n}00 dollars, and volunteers cook." for n in range(1, 7)]
    texts = {f"page{n}": (f"site{n}.example", text) for n, text in enumerate(mornings)}
    report = listed(texts)
    assert [one.body.count("> “") > 0 for one in report.document.sections] == [True, True]


def test_the_title_is_what_is_asked_and_ends_with_a_phrase() -> None:
    def title(*sentences: str) -> str:
        return write_report(material(questions=(" ".join(sentences),)), passages()).document.title

    asked = "Which reading programmes for fathers or grandfathers are run by libraries or outside of any schools?"
    short = "Which reading programmes for fathers or grandfathers are run by libraries …"
    assert title("We are a small rural library.", asked) == title(asked) == short
    assert title(f"{'x' * 150} for fathers") == f"X{'x' * 87} …" and title(f"El {'z' * 150}").startswith("El zz")

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from research.citations import verify_quote
from research.meaning import NoMeaning
from research.memo import Claim
from research.readers.protocol import Asked, Plan
from research.readers.rules.outline import outline_of
from research.report_type import ReportType
from research.writing import write_report
from tests.support.research.markers import marker_problems
from tests.support.research.readers import rules
from tests.support.research.report_material import COSTS, QUESTION, material


def bodies(report) -> str:
    return "\n".join(section.body for section in report.document.sections)


def test_every_published_sentence_stands_in_its_source() -> None:
    given = material()
    report = write_report(given, rules())
    texts = {key: source.text for key, source in given.sources.items()}
    assert report.claims
    for claim in report.claims:
        assert claim.status == "verified"
        assert texts[claim.source_key][claim.start_char : claim.end_char] == claim.quote
        assert verify_quote(claim.sentence, claim.source_key, texts).status == "verified"
        assert f"#{claim.claim_id}]" in bodies(report)
    assert report.document.extractive
    assert marker_problems(report.document) == []


def test_what_is_off_the_question_stays_out() -> None:
    text = bodies(write_report(material(), rules()))
    for stray in ("painted", "fish", "newsletter", "Fathers\n"):
        assert stray not in text


def test_a_leaning_sentence_comes_with_the_one_before_it_or_not_at_all() -> None:
    text = bodies(write_report(material(), rules()))
    if "They cost about" in text:
        assert text.index("Breakfast mornings bring") < text.index("They cost about")


def test_a_sources_own_numbers_are_not_quoted() -> None:
    assert "[3]" not in bodies(write_report(material(), rules()))


def test_a_question_that_nothing_answers_is_a_limit() -> None:
    asked = "Which planets of the solar system have rings?"
    document = write_report(material(questions=(QUESTION, asked)), rules()).document
    assert any(asked in limit for limit in document.limits)
    assert not any("planets" in section.heading for section in document.sections)


def test_a_fragment_of_the_question_is_neither_a_heading_nor_missing() -> None:
    query = "Why do fathers come to school less often, what part do work schedules play, and which planets?"
    asked = Asked(query, ReportType.NARRATIVE, "en", 2026)
    plan = Plan((query,), ("school less", "schedules play", "fathers of twins"), "")
    drawn = outline_of(asked, plan, (), NoMeaning())
    assert drawn.sections == () and drawn.missing == ("fathers of twins",)


def test_no_evidence_claims_nothing() -> None:
    given = replace(material(), results=())
    report = write_report(given, rules())
    assert report.claims == () and report.document.references == ()
    assert report.document.limits


def test_a_finding_that_stands_nowhere_is_no_evidence() -> None:
    given = material()
    for result in given.results:
        for finding in result.findings:
            finding.quote, finding.start_char, finding.end_char = "Nobody ever wrote such a thing here.", 0, 9
    assert write_report(given, rules()).claims == ()


def test_contradictions_stand_side_by_side() -> None:
    texts = {
        "one": ("one.example", "After a letter home, 62% of fathers came into schools for a reading evening."),
        "two": (
            "two.example",
            "After a letter home, only 31% of fathers came into schools for a reading evening.",
        ),
        "three": ("three.example", "Reading evenings bring fathers into schools, head teachers say."),
    }
    text = bodies(write_report(material(texts, (QUESTION,)), rules()))
    told = text.index("do not say the same")
    assert text.index("62%", told) and text.index("31%", told)


def test_what_round_three_found_is_said() -> None:
    said = "Breakfast mornings bring fathers into schools before work."
    claim = Claim(said, "https://beta.example/page", "medium", "breakfast", source_domain="beta.example")
    report = write_report(material(claims=[claim]), rules())
    section = report.document.sections[-1]
    assert section.key == "how-far-this-holds" and said in section.body
    verified = {claim.verification for claim in report.claims if claim.sentence == said}
    assert verified == {"not_found"}


def test_spanish_in_its_own_words() -> None:
    texts = {
        "rios2020": (
            "uno.example",
            "Los desayunos acercan a los padres a la escuela. El gimnasio es azul y grande.",
        ),
        "vega2021": ("dos.example", "Las tardes de lectura acercan a muchos padres a la escuela."),
    }
    document = write_report(
        material(texts, ("¿Qué acerca a los padres a la escuela?",), language="es"), rules()
    ).document
    assert document.sections[0].heading == "En resumen"
    assert "«Los desayunos acercan" in document.sections[0].body + document.sections[1].body
    assert "gimnasio" not in "".join(section.body for section in document.sections)


def test_troubles_and_costs() -> None:
    document = write_report(
        material(questions=(QUESTION, COSTS), troubles=["One source could not be read."]), rules()
    )
    assert "One source could not be read." in document.document.limits


@pytest.mark.parametrize(
    ("language", "query", "title"),
    [
        ("en", "Please list five breakfasts for fathers.", "Five breakfasts for fathers"),
        ("en", "Write a report on reading with fathers", "Reading with fathers"),
        ("en", "What do breakfasts cost?", "What do breakfasts cost?"),
        (
            "en",
            "Why do fathers read less aloud (at home, at school) than mothers do, and what brings them in?",
            "Why do fathers read less aloud (at home, at school) than mothers do?",
        ),
        (
            "en",
            "I need a report on breakfasts (for men who work nights, come by bus and leave before eight)",
            "I need a report on breakfasts",
        ),
        ("es", "Por favor, identifique cinco desayunos", "Cinco desayunos"),
        ("es", "¿qué se sabe sobre los desayunos?", "Los desayunos"),
        ("es", "¿cuánto cuestan los desayunos?", "¿Cuánto cuestan los desayunos?"),
    ],
)
def test_a_title_is_the_request_without_its_order(language: Any, query: str, title: str) -> None:
    assert write_report(material({}, (query,), language=language), rules()).document.title == title

from __future__ import annotations

import json

import pytest

from core.errors import ModelUnavailableError
from research.writing import write_report
from tests.support.research.markers import marker_problems
from tests.support.research.report_material import QUESTION, SCHOOLS, ScriptedModel, material

GOOD = "Schools that write to fathers by name bring more of them into classrooms"
COST = "They cost about $300 a year for each school."


def sentence(text: str, *quotes: tuple[str, str]) -> dict[str, object]:
    return {"text": text, "quotes": [{"source_key": key, "quote": quote} for key, quote in quotes]}


def report_of(*sentences: dict[str, object]):
    model = ScriptedModel(lambda purpose, user: {"sentences": list(sentences)})
    return write_report(material(questions=(QUESTION,)), model), model


def published(report) -> str:
    return "\n".join(section.body for section in report.document.sections)


def test_carried_sentences_are_published_with_markers() -> None:
    report, _ = report_of(sentence("A letter by name brings fathers into classrooms.", ("ortiz2019", GOOD)))
    assert "A letter by name brings fathers into classrooms. [@ortiz2019#c1]" in published(report)
    assert not report.document.extractive
    assert report.claims[0].status == "verified"


def test_a_fabricated_quotation_takes_its_sentence_with_it() -> None:
    report, model = report_of(
        sentence("Letters bring fathers into classrooms.", ("ortiz2019", GOOD)),
        sentence(
            "Nine out of ten fathers came.", ("ortiz2019", "Nine out of ten fathers came to the classrooms.")
        ),
    )
    assert "Nine out of ten" not in published(report)
    assert "fabricated" in {claim.status for claim in report.claims}
    assert [purpose for purpose, _ in model.asked].count("report.section.repair") == 2
    assert any("1" in limit or "2" in limit for limit in report.document.limits)


def test_another_quotation_can_carry_the_sentence() -> None:
    report, _ = report_of(
        sentence(
            "Letters bring fathers into classrooms.",
            ("lee2021", "Fathers love to get letters."),
            ("ortiz2019", GOOD),
        )
    )
    assert "Letters bring fathers into classrooms. [@ortiz2019" in published(report)


def test_a_misattributed_quotation_goes_to_its_source() -> None:
    report, _ = report_of(sentence("Letters bring fathers into classrooms.", ("lee2021", GOOD)))
    claim = next(claim for claim in report.claims if claim.sentence.startswith("Letters"))
    assert (claim.status, claim.claimed_source_key, claim.source_key) == ("misattributed", "lee2021", "ortiz2019")
    assert "[@lee2021#c1]" not in published(report)


@pytest.mark.parametrize(
    "text",
    [
        "They cost about $400 a year for each school.",
        "According to Maria Delgado they cost about $300 a year for each school.",
        "Elephants sleep standing in deep forests.",
    ],
)
def test_what_the_quotation_does_not_say_is_dropped(text: str) -> None:
    report, _ = report_of(
        sentence("Letters bring fathers into classrooms.", ("ortiz2019", GOOD)), sentence(text, ("lee2021", COST))
    )
    assert text[:20] not in published(report)


def test_markers_that_a_model_writes_are_never_published() -> None:
    report, _ = report_of(
        sentence("Letters bring fathers into classrooms [@nobody2020#c9] [7].", ("ortiz2019", GOOD))
    )
    assert "nobody2020" not in published(report) and "[7]" not in published(report)
    assert marker_problems(report.document) == []


def test_a_repair_is_taken() -> None:
    bad = sentence("Nine in ten fathers came.", ("ortiz2019", "Nine in ten fathers came."))
    good = sentence("Letters bring fathers into classrooms.", ("ortiz2019", GOOD))

    def answer(purpose: str, user: str) -> dict[str, object]:
        repairing = purpose.endswith("repair")
        assert not repairing or "no quotation carries it" in json.loads(user)["faults"][0]["fault"]
        return {"sentences": [good if repairing else bad]}

    report = write_report(material(questions=(QUESTION,)), ScriptedModel(answer))
    assert "Letters bring fathers" in published(report) and "Nine in ten" not in published(report)


def test_a_model_that_is_away_leaves_a_digest_and_says_so() -> None:
    report = write_report(material(), ScriptedModel(lambda purpose, user: ModelUnavailableError()))
    assert report.document.extractive and report.claims
    assert any("language model" in limit for limit in report.document.limits)


def test_requests_hold_only_excerpts_of_sources() -> None:
    _, model = report_of()
    request = json.loads(model.asked[0][1])
    assert {excerpt["source_key"] for excerpt in request["excerpts"]} <= set(SCHOOLS)
    assert all(excerpt["text"] for excerpt in request["excerpts"])

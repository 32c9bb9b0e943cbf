from __future__ import annotations

from typing import Any

import pytest

from core.errors import ModelUnavailableError
from research.writing.report import write_report
from tests.support.research.markers import marker_problems
from tests.support.research.readers import asking, one_section, piece
from tests.support.research.report_material import COSTS, QUESTION, material

GOOD = "Schools that write to fathers by name bring more of them into classrooms"
BREAKFAST = "Breakfast mornings bring fathers into schools before work"
NEAR_GOOD, NEAR_BREAKFAST = "Schools that write", "Breakfast mornings bring"

#: A sentence, and for each of its quotations the beginning of the evidence that it is said to be of.
Told = tuple[str, tuple[tuple[str, str], ...]]


def sentences(user: str, *told: Told) -> list[dict[str, Any]]:
    return [
        {"text": text, "evidence": [{"id": piece(user, near), "words": words} for near, words in quotes]}
        for text, quotes in told
    ]


def report_of(*told: Told, mended: dict[str, Told] | None = None):
    """The report whose sections and summary are these sentences; `mended` by the id of a faulty one."""

    def answer(purpose: str, user: str) -> Any:
        if purpose == "research.outline":
            return one_section(user)
        if purpose in ("research.section", "research.summary"):
            return {"sentences": sentences(user, *told)}
        if purpose == "research.mended":
            again = mended or {}
            return {"sentences": [{"id": key, **sentences(user, one)[0]} for key, one in again.items()]}
        return None

    reader, model = asking(answer)
    return write_report(material(questions=(QUESTION,)), reader), model


def published(report) -> str:
    return "\n".join(section.body for section in report.document.sections)


LETTERS: Told = ("Letters by name bring fathers into classrooms.", ((NEAR_GOOD, GOOD),))


def test_carried_sentences_are_published_with_markers() -> None:
    report, _ = report_of(LETTERS)
    assert "Letters by name bring fathers into classrooms. [@ortiz2019#c" in published(report)
    assert not report.document.extractive
    assert report.claims[0].status == "verified"


def test_a_fabricated_quotation_takes_its_sentence_with_it() -> None:
    report, model = report_of(
        LETTERS,
        ("Nine out of ten fathers came.", ((NEAR_GOOD, "Nine out of ten fathers came to the classrooms."),)),
    )
    assert "Nine out of ten" not in published(report)
    assert "fabricated" in {claim.status for claim in report.claims}
    assert [purpose for purpose, _ in model.asked].count("research.mended") == 1
    assert any("Left out" in limit and "2" in limit for limit in report.document.limits)


def test_another_quotation_can_carry_the_sentence() -> None:
    report, _ = report_of(
        (
            "Letters bring fathers into classrooms.",
            ((NEAR_BREAKFAST, "Fathers love to get letters."), (NEAR_GOOD, GOOD)),
        )
    )
    assert "Letters bring fathers into classrooms. [@ortiz2019" in published(report)


def test_a_misattributed_quotation_goes_to_its_source() -> None:
    report, _ = report_of(LETTERS, ("Letters bring fathers into classrooms.", ((NEAR_BREAKFAST, GOOD),)))
    claim = next(claim for claim in report.claims if claim.sentence.startswith("Letters bring"))
    assert (claim.status, claim.claimed_source_key, claim.source_key) == ("misattributed", "lee2021", "ortiz2019")


@pytest.mark.parametrize(
    "text",
    [
        "Four hundred breakfast mornings bring fathers into schools before work.",
        "According to Maria Delgado breakfast mornings bring fathers into schools.",
        "Elephants sleep standing in deep forests.",
    ],
)
def test_what_the_quotation_does_not_say_is_dropped(text: str) -> None:
    report, _ = report_of(LETTERS, (text, ((NEAR_BREAKFAST, BREAKFAST),)))
    assert text[:20] not in published(report)


def test_the_references_own_words_need_no_quotation() -> None:
    told: Told = (
        "A text of one source says that breakfast mornings bring fathers in.",
        ((NEAR_BREAKFAST, BREAKFAST),),
    )
    report, _ = report_of(told)
    assert "breakfast mornings bring fathers in" in published(report)


def test_markers_that_a_model_writes_are_never_published() -> None:
    report, _ = report_of(("Letters bring fathers into classrooms [@nobody2020#c9] [7].", ((NEAR_GOOD, GOOD),)))
    assert "nobody2020" not in published(report) and "[7]" not in published(report)
    assert marker_problems(report.document) == []


def test_faulty_sentences_are_mended_in_one_call() -> None:
    bad: Told = ("Nine in ten letters bring fathers into classrooms.", ((NEAR_GOOD, GOOD),))
    report, model = report_of(
        bad, mended={"s1": LETTERS, "s2": ("Ten in ten fathers came.", ((NEAR_GOOD, GOOD),))}
    )
    assert "Letters by name" in published(report) and "in ten" not in published(report)
    request = next(user for purpose, user in model.asked if purpose == "research.mended")
    assert "these numbers stand in none of its quotes" in request and "s2: Nine in ten" in request


def test_a_model_that_is_away_leaves_a_reading_list_and_says_so() -> None:
    reader, _ = asking(lambda purpose, user: ModelUnavailableError())
    report = write_report(material(questions=(QUESTION, COSTS)), reader)
    assert report.document.extractive and report.claims
    assert any("the outline" in limit and "passages" in limit for limit in report.document.limits)


def test_passages_stand_in_place_of_a_section_that_could_not_be_written() -> None:
    reader, _ = asking(lambda purpose, user: one_section(user) if purpose == "research.outline" else None)
    report = write_report(material(questions=(QUESTION,)), reader)
    assert "“Breakfast mornings bring fathers into schools before work.” [@lee2021#c" in published(report)
    assert any("What was found" in limit and "passages" in limit for limit in report.document.limits)


def test_requests_tell_source_and_context_of_evidence() -> None:
    _, model = report_of(LETTERS)
    request = next(user for purpose, user in model.asked if purpose == "research.section")
    assert '<source kind="report" title="Title of lee2021" by="beta.example">' in request
    assert request.count("Breakfast mornings bring fathers") == 1

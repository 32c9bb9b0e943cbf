"""What counts as an answer where the topic itself goes without saying."""

from __future__ import annotations

import pytest

from research.writing import relevance, write_report
from research.writing.narrative import gather
from research.writing.relevance import scored
from tests.support.research.report_material import material

QUERY = "Does eelgrass restoration work in temperate estuaries?"
COSTS = "How much does eelgrass restoration cost?"
TEXTS = {
    "one2021": (
        "one.example",
        "Eelgrass restoration means replanting shoots where meadows have been lost. "
        "Seeding costs about $14,000 per hectare, while transplanting costs $61,000 per hectare.",
    ),
    "two2020": ("two.example", "Eelgrass restoration in temperate estuaries worked at **11 of 18 sites** [4]."),
}


def bodies() -> dict[str, str]:
    document = write_report(material(TEXTS, (QUERY, COSTS)), None).document
    return {section.heading: section.body for section in document.sections}


def test_a_sentence_answers_where_its_paragraph_names_the_topic() -> None:
    assert "Seeding costs about $14,000" in bodies()[COSTS]


def test_a_sentence_about_the_topic_alone_answers_less_what_a_question_adds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evidence = gather(material(TEXTS, (QUERY, COSTS)))
    sentences = [sentence for group in evidence.whole.values() for sentence in group]
    assert [sentence.text.split()[2] for sentence in sentences[:2]] == ["means", "about"]
    damped = scored(COSTS, QUERY, sentences, evidence.scale, "en")
    monkeypatch.setattr(relevance, "_GENERAL", 1.0)
    plain = scored(COSTS, QUERY, sentences, evidence.scale, "en")
    lost = [was.score - now.score for now, was in zip(damped, plain, strict=True)]
    assert lost[0] > 0.02 > lost[1]


def test_a_sentence_is_shown_without_its_sources_marks_and_numbers() -> None:
    assert "“Eelgrass restoration in temperate estuaries worked at 11 of 18 sites.”" in "".join(bodies().values())

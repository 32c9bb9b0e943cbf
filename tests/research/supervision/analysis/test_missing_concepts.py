"""Concepts that a document's sources rest on: missed where it does not name them, and only there."""

from __future__ import annotations

from core.messages import Message
from research.document import Reference, ReportDocument, Section
from research.supervision.analysis.by_rule import missing_concepts
from research.supervision.codes import RationaleCode
from tests.support.research.source_texts import source_texts

SOURCES = source_texts(
    a="Attachment theory holds that a child returns. Visits were short.",
    b="We read sleep through attachment theory. Rooms were small.",
    c="In attachment theory, trust comes late. Meals were warm.",
    d="Seven of ten pairs shared a room. Carers were tired.",
)
SOBRE_APEGO = source_texts(
    "es",
    a="La teoría del apego dice que el niño vuelve.",
    b="Leemos el sueño con la teoría del apego.",
    c="En la teoría del apego la confianza tarda.",
)


def document(
    body: str = "Sleep returned after five weeks.", language: str = "en", cited: str = "abcd"
) -> ReportDocument:
    return ReportDocument.model_validate(
        {
            "title": "Foster children",
            "language": language,
            "sections": [
                Section(key="sleep", heading="Sleep", body=f"{body} [@a] [@b]"),
                Section(key="rooms", heading="Rooms", body="Rooms were shared by choice [@d]."),
            ],
            "references": [Reference(key=key, title=f"Work of {key}") for key in cited],
        }
    )


def topics(body: str, **given: str) -> list[str]:
    return [issue.topic for issue in missing_concepts(document(body, **given), SOURCES)]


def test_a_theory_that_three_of_four_sources_rest_on() -> None:
    (issue,) = missing_concepts(document(), SOURCES)
    assert (issue.topic, issue.section, issue.severity) == ("attachment theory", "sleep", "significant")
    assert issue.grounds == Message.of(RationaleCode.CONCEPT_NOT_NAMED, naming=3, sources=4)


def test_in_spanish() -> None:
    (issue,) = missing_concepts(document("El sueño volvió.", language="es"), SOBRE_APEGO)
    assert "apego" in issue.topic


def test_what_the_document_names_is_not_missing() -> None:
    assert topics("Attachment explains the broken sleep.") == []
    assert topics("Theories of attachment explain it.") == []


def test_sources_in_another_language_name_nothing_here() -> None:
    assert missing_concepts(document("El sueño volvió.", language="es"), SOURCES) == []


def test_a_concept_that_no_cited_source_holds_is_of_another_subject() -> None:
    other = source_texts(x="Known as moral hazard.", y="Moral hazard costs.", z="The concept of moral hazard.")
    assert [issue.topic for issue in missing_concepts(document("Attachment."), {**SOURCES, **other})] == []
    assert [issue.topic for issue in missing_concepts(document(cited=""), other)] == ["moral hazard"]


def test_concepts_of_the_plan_are_wanted_whatever_the_sources_say() -> None:
    (first, *_) = missing_concepts(document(), SOURCES, ["reflective functioning", "shared rooms"])
    assert (first.topic, first.severity) == ("reflective functioning", "significant")
    assert [issue.topic for issue in missing_concepts(document("Attachment."), SOURCES, ["room"])] == []

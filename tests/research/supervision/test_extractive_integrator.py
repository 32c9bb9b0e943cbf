"""Integration without a model: quotations that stand in their source, and nothing else touched."""

from __future__ import annotations

from research.citations import verify_quote
from research.memo.worker_result import Finding
from research.supervision.guard import cited_keys, problems_of
from research.supervision.integration.by_rule import ExtractiveIntegrator
from research.supervision.loop.context import Expansion, Integration
from tests.support.research.source_texts import source_texts
from tests.support.research.supervised import document, issue

SOURCES = source_texts(
    bowers2001="Rain fell. Attachment theory holds that a child returns to the one who stays. It was cold.",
    ortiz2019="Attachment theory has been tested with fathers who read aloud. Reading helps.",
)


def finding(key: str, quote: str, score: float = 0.8) -> Finding:
    start = SOURCES[key].text.find(quote)
    return Finding(key, quote, start, start + len(quote), score=score)


TRUE = finding("bowers2001", "Attachment theory holds that a child returns to the one who stays.")
CITED = finding("ortiz2019", "Attachment theory has been tested with fathers who read aloud.", 0.5)
UNTRUE = finding("bowers2001", "Attachment theory holds that no child ever returns to anybody.", 1.0)


def integrated(*findings: Finding) -> Integration:
    return ExtractiveIntegrator().integrate(document(), issue(), Expansion(findings, SOURCES), [])


def test_quotations_stand_in_a_marked_passage_of_the_issues_section() -> None:
    result = integrated(TRUE, CITED)
    body = result.document.sections[0].body
    assert body.startswith(document().sections[0].body.rstrip()) and "> **On attachment theory.**" in body
    texts = {key: source.text for key, source in SOURCES.items()}
    for claim in result.claims:
        assert claim.quote in body
        assert verify_quote(claim.quote, claim.source_key, texts).status == "verified"


def test_nothing_is_lost_and_the_new_source_is_listed_once() -> None:
    after = integrated(TRUE, CITED).document
    assert problems_of(document(), after, SOURCES.keys()) == []
    assert after.sections[1] == document().sections[1]
    assert [reference.key for reference in after.references] == ["ortiz2019", "lee2021", "bowers2001"]


def test_what_does_not_stand_in_its_source_is_not_published() -> None:
    result = integrated(UNTRUE)
    assert (result.document, result.claims) == (document(), ())


def test_what_the_document_says_already_is_not_said_again() -> None:
    first = integrated(TRUE)
    again = ExtractiveIntegrator().integrate(first.document, issue(), Expansion((TRUE,), SOURCES), [])
    assert again.claims == () and cited_keys(again.document) == cited_keys(first.document)


def test_in_the_documents_language() -> None:
    spanish = document().model_copy(update={"language": "es"})
    result = ExtractiveIntegrator().integrate(spanish, issue("apego"), Expansion((TRUE,), SOURCES), [])
    assert "> **Sobre apego.**" in result.document.sections[0].body


def test_without_its_section_it_stands_in_the_last_one() -> None:
    result = ExtractiveIntegrator().integrate(document(), issue(section="gone"), Expansion((TRUE,), SOURCES), [])
    assert "bowers2001" in result.document.sections[-1].body

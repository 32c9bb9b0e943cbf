"""Integration without a model: quotations that stand in their source, and nothing else touched."""

from __future__ import annotations

import re
from typing import Any

from research.citations import verify_quote
from research.document import MARKER
from research.memo.worker_result import Finding
from research.supervision.guard import problems_of
from research.supervision.integration.by_rule import integrate
from research.supervision.types import Expansion, Integration
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


def integrated(*findings: Finding, **given: Any) -> Integration:
    before, gap = given.get("before", document()), given.get("gap", issue())
    result = integrate(before, gap, Expansion(findings, SOURCES), [])
    assert result is not None
    return result


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
    assert integrate(document(), issue(), Expansion((UNTRUE,), SOURCES), []) is None


def test_each_source_once_before_one_again() -> None:
    second = finding("bowers2001", "Rain fell.")
    keys = [claim.source_key for claim in integrated(TRUE, second, CITED).claims]
    assert keys == ["bowers2001", "ortiz2019", "bowers2001"]


def test_in_the_documents_language() -> None:
    spanish = document().model_copy(update={"language": "es"})
    result = integrated(TRUE, before=spanish, gap=issue("apego"))
    assert "> **Sobre apego.**" in result.document.sections[0].body


def test_without_its_section_it_stands_in_the_last_one() -> None:
    assert "bowers2001" in integrated(TRUE, gap=issue(section="gone")).document.sections[-1].body


def test_what_a_source_writes_is_no_markup_and_no_marker() -> None:
    quote = "A child *returns* [@lee2021#c9] [3] to the one who stays."
    sources = source_texts(bowers2001=f"Rain fell. {quote} It was cold.")
    found = Finding("bowers2001", quote, 11, 11 + len(quote))
    result = integrate(document(), issue("theory [@lee2021#c8]"), Expansion((found,), sources), [])
    assert result is not None
    new = result.document.sections[0].body.removeprefix(document().sections[0].body.rstrip())
    assert [one["key"] for one in re.finditer(MARKER, new)] == ["bowers2001"]
    assert "“A child returns \\[@lee2021#c9\\] to the one who stays.”" in new

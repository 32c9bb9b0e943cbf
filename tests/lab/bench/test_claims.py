"""Shares of cited sentences and of numbers that stand in what they cite."""

from __future__ import annotations

import pytest

from lab.bench.research.keyed.claims import Share, cited_sentences, claim_coverage, numeric_support
from research.document import CheckedClaim, Reference, ReportDocument, Section


def document(body: str) -> ReportDocument:
    references = (Reference(key="ortiz", title="Herons", year=2019), Reference(key="lee", title="Maize"))
    return ReportDocument(
        title="Visits", sections=(Section(key="a", heading="In 2020", body=body),), references=references
    )


def claim(claim_id: str, quote: str, source_key: str = "ortiz") -> CheckedClaim:
    return CheckedClaim(claim_id, "", quote, source_key, source_key, 0, len(quote), None, "verified")


def uncited(body: str) -> list[str]:
    return [one.text for one in cited_sentences(document(body)) if not one.markers]


def test_sentences_with_a_marker_are_counted() -> None:
    assert claim_coverage(document("It cost 40 [@ortiz#c1] dollars. It shrank by 7 %.")) == Share(1, 2)
    assert claim_coverage(document("“We came in 2018. We left in 2019.” [@ortiz]")) == Share(1, 1)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It cost 1,200 dollars", "cost 1200 dollars"),
        ("Costó 1.200 pesos", "costó 1 200 pesos"),
        ("It reached 1.5 million people", "1,500,000 people"),
        ("Alcanzó 2,5 millones", "2.500.000 personas"),
        ("It grew by 12%", "grew by twelve per cent"),
        ("Participaron 35 padres", "treinta y cinco padres"),
        ("It took 5–10 weeks", "from five to ten weeks"),
        ("Ortiz (2019) saw it", "herons"),
    ],
)
def test_numbers_that_stand_in_the_quotation(sentence: str, quote: str) -> None:
    share = numeric_support(document(f"{sentence} [@ortiz#c1]."), [claim("c1", quote)])
    assert share.covered == share.wanted >= 1


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It grew by 12%", "grew by 12 schools"),
        ("It cost 41", "cost 40"),
        ("1.5 million", "1.5 billion"),
        ("5", "15, 50"),
    ],
)
def test_numbers_that_do_not(sentence: str, quote: str) -> None:
    assert numeric_support(document(f"{sentence} [@ortiz#c1]."), [claim("c1", quote)]) == Share(0, 1)


def test_a_marker_without_a_claim_stands_for_its_source() -> None:
    report = document("It cost 40 [@lee]. It cost 50 [@lee].")
    claims = [claim("c1", "cost 40", "lee")]
    assert numeric_support(report, claims) == Share(1, 2)
    assert numeric_support(report, claims, {"lee": "It cost 40, then 50."}) == Share(2, 2)


def test_a_claim_of_another_source_supports_nothing() -> None:
    assert numeric_support(document("It cost 40 [@lee#c1]."), [claim("c1", "cost 40", "ortiz")]) == Share(0, 1)


def test_markers_in_or_right_behind_a_sentence_cover_it() -> None:
    body = "It cost 40 [@ortiz#c1] dollars. It grew by 5 %. [@lee] It fell by 6 %.[@lee]\nIt shrank by 7 %."
    assert uncited(body) == ["It shrank by 7 %."]


def test_a_mark_behind_a_marker_begins_no_sentence() -> None:
    body = "“It cost 40 dollars a week.” [@ortiz]; Lee & Sons, by its sheet: it cost 50 dollars. [@lee]"
    assert uncited(body) == []


def test_headings_rows_and_items() -> None:
    body = (
        "## In 2019\n\n- Costs: $40 [@ortiz]\n- Costs: $50\n\n"
        "| Name | Cost 2019 |\n| --- | --- |\n| Night Bus | $60 [@lee] |\n| Day Bus | $70 |\n\n```\n12\n```\n"
    )
    assert uncited(body) == ["Costs: $50", "Day Bus", "$70"]


def test_a_quotation_of_several_sentences_has_one_marker() -> None:
    assert uncited("“We came in 2018. We left in 2019.” [@ortiz]") == []
    assert uncited("> We came in 2018. We left in 2019.\n> [@ortiz]") == []

"""Sections that are thin, claims without a source, and which gap is named first."""

from __future__ import annotations

import pytest

from research.document import Reference, ReportDocument, Section
from research.storage.progress import LibraryState
from research.supervision.analysis.by_rule import RuleAnalyst, thin_sections, unsupported_claims
from research.supervision.types import TIERS, Issue, explored_key
from tests.support.research.source_texts import source_texts

LONG = "Carers who say what comes next are trusted more than carers who ask [@a]. " * 5
CITED = LONG.replace("[@a]", "[@a] [@b]")


def document(*bodies: str, language: str = "en", title: str = "Foster care") -> ReportDocument:
    return ReportDocument.model_validate(
        {
            "title": title,
            "language": language,
            "sections": [
                Section(key=f"s{number}", heading=f"Part {number}", body=body)
                for number, body in enumerate(bodies)
            ],
            "references": [Reference(key=key, title=key) for key in "ab"],
        }
    )


def test_a_section_of_a_few_words_is_thin() -> None:
    (issue,) = thin_sections(document(LONG, LONG, "It helps [@a]."))
    assert (issue.section, issue.severity) == ("s2", "minor")


def test_a_section_without_a_source_among_cited_ones() -> None:
    (issue,) = thin_sections(document(CITED, CITED, CITED.replace("[@a] [@b]", "")))
    assert (issue.section, issue.severity) == ("s2", "moderate")


def test_sections_alike_are_not_thin() -> None:
    assert thin_sections(document(LONG, LONG, LONG)) == [] == thin_sections(document("Short.", LONG))


def test_counts_that_only_say_how_the_text_goes_on_claim_nothing() -> None:
    assert unsupported_claims(document(f"Three kinds of help stand out. Two matter most. {CITED}")) == []
    assert unsupported_claims(document(f"Nineteen homes closed. Forty percent reopened. {CITED}")) != []


@pytest.mark.parametrize(
    ("language", "claims"),
    [
        ("en", "In 2019 Norway paid 40 euros. By 2021 half of 312 homes had closed."),
        ("es", "En 2019 Noruega pagó 40 euros. En 2021 cerró la mitad de 312 casas."),
    ],
)
def test_figures_without_a_source(language: str, claims: str) -> None:
    (issue,) = unsupported_claims(document(LONG, claims, language=language))
    assert (issue.section, issue.severity, issue.issue_type) == ("s1", "moderate", "unsupported_claim")
    assert unsupported_claims(document(f"{claims.split('. ')[0]} [@a].", language=language)) == []


SOURCES = source_texts(
    a="Attachment theory holds much. Known as moral hazard.",
    b="We use attachment theory. Moral hazard was seen.",
    c="In attachment theory trust is late. Moral hazard grew. Attachment theory again.",
    d="Attachment theory once more.",
)


def named(document: ReportDocument, tier: str = "standard", most: int = 9) -> list[Issue]:
    """The issues in the order in which a loop is given them."""
    analyst, explored, issues = (
        RuleAnalyst(lambda _: SOURCES, lambda: LibraryState(4, 0)),
        list[str](),
        list[Issue](),
    )
    for iteration in range(1, most):
        decision = analyst.analyse(document, explored, iteration, TIERS[tier])  # type: ignore[index]
        if decision.issue is None:
            break
        explored.append(explored_key(decision.issue))
        issues.append(decision.issue)
    return issues


def test_the_weightiest_is_named_first_and_each_once() -> None:
    claims = "In 2019 Norway paid 40 euros. By 2021 half of 312 homes had closed."
    topics = [issue.topic for issue in named(document(CITED, CITED, claims))]
    assert topics[0] == "attachment theory" and topics[-1].startswith("In 2019")
    assert len(set(topics)) == len(topics) == 3


def test_what_is_below_the_tiers_threshold_is_left_alone() -> None:
    thin = document("Attachment and moral hazard. " + LONG, LONG, "It helps [@a].")
    assert named(thin) == []
    assert [issue.issue_type for issue in named(thin, "comprehensive")] == ["thin_section"]

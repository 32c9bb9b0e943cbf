"""From what the rounds brought to a document with its claims."""

from __future__ import annotations

from collections.abc import Sequence

from core.llm.chat import Model
from research.citations import numbers_of
from research.document import ReportDocument, Section
from research.material import ReportMaterial, WrittenReport
from research.synthesis.claims import ClaimBook
from research.synthesis.headings import heading_of
from research.synthesis.limits import limits_of
from research.synthesis.narrative import Evidence, Theme, gather, narrative_sections, themes_of
from research.synthesis.quoting import quoted, side_by_side
from research.synthesis.verification import verdicts
from research.synthesis.wording import WORDING


def write_report(material: ReportMaterial, model: Model | None) -> WrittenReport:
    """The report: every published sentence carried by a quotation that stands in its source.

    Without a model, and where the model fails, it is a digest of the sources' own sentences.
    """
    evidence, book = gather(material), ClaimBook()
    themes = themes_of(material, evidence)
    sections = narrative_sections(material, evidence, themes, book)
    if not sections:
        return _empty(material)
    sections += _how_far(material, evidence, book)
    limits = limits_of(material, _unanswered(material, themes))
    return WrittenReport(document_of(material, sections, limits, extractive=True), book.all)


def document_of(
    material: ReportMaterial, sections: Sequence[Section], limits: Sequence[str], *, extractive: bool
) -> ReportDocument:
    """The document with the references that it cites, in the order of their numbers."""
    draft = ReportDocument(
        title=heading_of(material.query) or WORDING[material.config.language].untitled,
        query=material.query,
        report_type=material.report_type.value,
        language=material.config.language,
        extractive=extractive,
        sections=tuple(sections),
        references=tuple(source.reference for source in material.sources.values()),
        limits=tuple(limits),
    )
    cited = numbers_of(draft)
    references = tuple(material.sources[key].reference for key in cited if key in material.sources)
    return draft.model_copy(update={"references": references})


def _empty(material: ReportMaterial) -> WrittenReport:
    """No evidence: the document says so and claims nothing."""
    words = WORDING[material.config.language]
    section = Section(key="in-short", heading=words.in_short, body=words.nothing)
    limits = limits_of(material, [words.nothing])
    return WrittenReport(document_of(material, [section], limits, extractive=True))


def _unanswered(material: ReportMaterial, themes: Sequence[Theme]) -> list[str]:
    words = WORDING[material.config.language]
    return [words.nothing_for.format(question=theme.question) for theme in themes if not theme.chosen]


def _how_far(material: ReportMaterial, evidence: Evidence, book: ClaimBook) -> list[Section]:
    """What Round 3 found on the claims that it verified."""
    words, language = WORDING[material.config.language], material.config.language
    leads = {"confirmed": words.confirmed, "contradicted": words.contradicted, "not_found": words.not_confirmed}
    parts = []
    for verdict in verdicts(material, evidence.whole, evidence.scale):
        lead = leads[verdict.verification]
        said = [verdict.sentence, *([verdict.other] if verdict.other else [])]
        parts.append(side_by_side(lead, said, book, language))
        book.verified_as(verdict.sentence, verdict.verification)
    if not parts:
        return []
    return [Section(key="how-far-this-holds", heading=words.how_far, body="\n\n".join(parts))]


__all__ = ["quoted", "write_report"]

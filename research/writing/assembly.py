"""Assemble sections into a document."""

from __future__ import annotations

from collections.abc import Sequence

from research.citations import numbers_of
from research.document import ReportDocument, Section
from research.material import ReportMaterial, WrittenReport
from research.writing.headings import heading_of
from research.writing.limits import limits_of
from research.writing.wording import WORDING


def document_of(
    material: ReportMaterial, sections: Sequence[Section], limits: Sequence[str], *, extractive: bool
) -> ReportDocument:
    """Build the document, with only the references that it cites, in order of their numbers."""
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


def empty_report(material: ReportMaterial, own: Sequence[str] = ()) -> WrittenReport:
    """Build a report without evidence: the document says so and makes no claims."""
    words = WORDING[material.config.language]
    section = Section(key="in-short", heading=words.in_short, body=words.nothing)
    limits = limits_of(material, [words.nothing, *own])
    return WrittenReport(document_of(material, [section], limits, extractive=True))

"""Write the document and its claims from the material of the rounds."""

from __future__ import annotations

from collections.abc import Sequence

from core.llm import Model
from research.material import ReportMaterial, WrittenReport
from research.report_type import ReportType
from research.writing.assembly import document_of, empty_report
from research.writing.catalog import catalog_limits, catalog_sections, note_fabricated
from research.writing.claims import ClaimBook
from research.writing.how_far import how_far_section
from research.writing.items import items_of, wanted_items
from research.writing.limits import limits_of
from research.writing.narrative import Evidence, Theme, gather, themes_of
from research.writing.sections import write_opening, write_sections
from research.writing.wording import WORDING


def write_report(material: ReportMaterial, model: Model | None) -> WrittenReport:
    """Write the report; every published sentence is supported by a quotation verified in its source.

    Without a model, or if the model fails, it is a digest of sentences from the sources.
    """
    evidence = gather(material)
    if material.report_type is ReportType.CATALOG and (report := _catalog(material, evidence, model)):
        return report
    return _narrative(material, evidence, model)


def _narrative(material: ReportMaterial, evidence: Evidence, model: Model | None) -> WrittenReport:
    book, themes = ClaimBook(), themes_of(material, evidence)
    if not any(theme.chosen for theme in themes):
        return empty_report(material, _none_of_the_items(material))
    written = write_sections(material, evidence, themes, book, model)
    sections = written.sections + how_far_section(material, evidence, book)
    own = [*_unanswered(material, themes), *written.limits, *_none_of_the_items(material)]
    document = document_of(material, sections, limits_of(material, own), extractive=not written.by_model)
    return WrittenReport(document, book.all)


def _catalog(material: ReportMaterial, evidence: Evidence, model: Model | None) -> WrittenReport | None:
    """Write a catalog, or return None if no source names an item; its table is made without the model."""
    every = items_of(material)
    items = every[: wanted_items(material)]
    if not items:
        return None
    book, keys = ClaimBook(), set[str]()
    written = write_opening(material, evidence, themes_of(material, evidence), book, keys, model)
    sections = written.sections + catalog_sections(items, material, book, keys)
    note_fabricated(every, book)
    sections += how_far_section(material, evidence, book)
    limits = limits_of(material, [*catalog_limits(items, material), *written.limits])
    return WrittenReport(document_of(material, sections, limits, extractive=not written.by_model), book.all)


def _unanswered(material: ReportMaterial, themes: Sequence[Theme]) -> list[str]:
    words = WORDING[material.config.language]
    return [words.nothing_for.format(question=theme.question) for theme in themes if not theme.chosen]


def _none_of_the_items(material: ReportMaterial) -> list[str]:
    if material.report_type is not ReportType.CATALOG:
        return []
    words = WORDING[material.config.language]
    return [words.fewer.format(wanted=wanted_items(material), found=0)]

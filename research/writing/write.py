"""Write the document and its claims from the material of the rounds: one way for every reader."""

from __future__ import annotations

from collections.abc import Sequence

from research.citations import numbers_of
from research.document import ReportDocument, Section
from research.markdown_text import as_markdown
from research.material import ReportMaterial, WrittenReport
from research.memo import CatalogMemo
from research.questions.catalog_fields import required_fields_of
from research.questions.field_names import field_label
from research.readers.protocol import Asked, Evidence, Reader
from research.report_type import ReportType
from research.writing.catalog import catalog_limits, catalog_sections
from research.writing.claims import ClaimBook
from research.writing.desk import Desk
from research.writing.evidence import evidence_of
from research.writing.headings import title_of
from research.writing.items import items_of
from research.writing.limits import limits_of, missing_topics, reader_limits
from research.writing.narrative import write_narrative
from research.writing.places import Sources
from research.writing.wording import wording

_DEFAULT_ITEMS = 5


def write_report(material: ReportMaterial, reader: Reader) -> WrittenReport:
    """Write the report; every published sentence is supported by a quotation verified in its source.

    `reader`: opened for this, so that its log holds nothing of the rounds.
    """
    sources = Sources.of(material.sources)
    desk = Desk(material, asked_of(material), reader, sources, ClaimBook(), set())
    evidence = evidence_of(material, sources, reader.meaning)
    if material.report_type is ReportType.CATALOG:
        return _catalog(desk, evidence)
    written = write_narrative(desk, evidence)
    if not written.sections:
        return _without_findings(desk, wording(desk.language).nothing, [])
    text = [sentence.text for sentence in written.sentences]
    # A digest's outline has told the topics of the memo already, without those that are fragments.
    topics = [*written.missing, *([] if written.extractive else material.memo.not_found)]
    limits = missing_topics(topics, text, desk.asked.query, desk.language)
    limits += reader_limits(reader.log, written.left_out, material)
    return _report(desk, written.sections, limits, extractive=written.extractive)


def _catalog(desk: Desk, evidence: Sequence[Evidence]) -> WrittenReport:
    """Write the table and its summary; a catalog without items says what was looked for."""
    items, log = items_of(desk), desk.reader.log
    limits = catalog_limits(items, desk)
    if not items:
        words = wording(desk.language)
        fields = [field_label(field, desk.language) for field in desk.asked.fields]
        looked_for = "; ".join([*desk.material.questions, ", ".join(fields)])
        told = f"{words.no_items.format(read=len(desk.sources.by_key))} {words.looked_for.format(what=looked_for)}"
        return _without_findings(desk, told, [*limits, *reader_limits(log, 0, desk.material)])
    opening = write_narrative(desk, evidence, items=[item.name for item in items])
    sections = [*opening.sections, *catalog_sections(items, desk)]
    limits += reader_limits(log, opening.left_out, desk.material)
    return _report(desk, sections, limits, extractive=opening.extractive)


def _without_findings(desk: Desk, told: str, limits: Sequence[str]) -> WrittenReport:
    words = wording(desk.language)
    section = Section(key="in-short", heading=words.in_short, body=as_markdown(told))
    return _report(desk, [section], [words.nothing, *limits], extractive=True)


def asked_of(material: ReportMaterial) -> Asked:
    """Return the request in the form in which readers take it."""
    memo, config = material.memo, material.config
    if material.report_type is not ReportType.CATALOG:
        return Asked(material.query, material.report_type, config.language, material.year)
    told = memo.required_fields if isinstance(memo, CatalogMemo) else []
    fields = [name for name in told or required_fields_of(material.query) if name != "name"]
    wanted = memo.target_items if isinstance(memo, CatalogMemo) else None
    count = config.catalog_target_items or wanted or _DEFAULT_ITEMS
    return Asked(material.query, material.report_type, config.language, material.year, tuple(fields), count)


def _report(desk: Desk, sections: Sequence[Section], limits: Sequence[str], *, extractive: bool) -> WrittenReport:
    """Build the document, with only the references that it cites, in order of their numbers."""
    material = desk.material
    draft = ReportDocument(
        title=title_of(material.query) or wording(material.config.language).untitled,
        query=material.query,
        report_type=material.report_type.value,
        language=material.config.language,
        extractive=extractive,
        sections=tuple(sections),
        references=tuple(source.reference for source in material.sources.values()),
        limits=limits_of(material, limits),
    )
    cited = numbers_of(draft)
    references = tuple(material.sources[key].reference for key in cited if key in material.sources)
    return WrittenReport(draft.model_copy(update={"references": references}), desk.book.all)

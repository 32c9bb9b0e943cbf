"""Write the document and its claims from the material of the rounds; without a model, a reading list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.citations.markers import listed
from research.document import ReportDocument, Section
from research.gaps.catalog_gaps import settled
from research.markdown_text import as_markdown
from research.material import WrittenReport
from research.memo import CatalogMemo, GapState, ResearchMemo
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.worker_result import WorkerResult
from research.questions.field_names import field_label
from research.readers.reader import Reader
from research.writing.catalog import catalog_limits, catalog_sections
from research.writing.desk import Desk, ReportMaterial
from research.writing.evidence import evidence_of
from research.writing.items import Item, as_candidate, evidence_for, items_of
from research.writing.limits import limits_of, missing_topics
from research.writing.narrative import write_narrative
from research.writing.reading_list import reading_list

#: Most characters of a title, and what ends the sentence that it is made from.
_TITLE = 90
#: Fewest characters of a title that ends with a clause, and what ends one.
_LEAST_OF_TITLE = 20
_CLAUSE_END = re.compile(r"[,;:](?= )|(?= [-–—(])")
_FIRST = re.compile(r"(?<=[?.!])\s+(?=[A-ZÁÉÍÓÚÑ¿¡])")


def write_report(material: ReportMaterial, reader: Reader) -> WrittenReport:
    """Write the report; every published sentence is supported by a quotation verified in its source.

    `reader`: opened for this, so that its log holds nothing of the rounds.
    """
    desk, memo = Desk(material, reader), material.memo
    if not reader.judges:
        return _passages(desk)
    if isinstance(memo, CatalogMemo):
        return _catalog(desk, memo)
    evidence = evidence_of(material, desk.sources, reader.meaning)
    written = write_narrative(desk, evidence)
    if not written.sections:
        return _passages(desk) if evidence else _without_findings(desk, desk.words["nothing"], [])
    text = [sentence.text for sentence in written.sentences]
    topics = [*written.missing, *memo.not_found, *_open_topics(memo)]
    limits = limits_of(desk, missing_topics(topics, text, desk.asked.query, desk.language), written.left_out)
    return _report(desk, written.sections, limits, extractive=written.extractive)


def _open_topics(memo: ResearchMemo) -> list[str]:
    """Return the topics of gaps that no evidence closed."""
    told = [gap.missing_topic for gap in memo.gaps if gap.state is not GapState.CLOSED]
    return [topic for topic in told if topic and topic != DIVERSE_SOURCES]


def _passages(desk: Desk) -> WrittenReport:
    """Write the reading list; what no aspect found is no fact about the world."""
    sections, without = reading_list(desk)
    limits = [desk.words["no_passage"].format(topic=aspect) for aspect in without]
    if not sections:
        told = desk.words["no_passages"].format(read=len(desk.sources.by_key))
        sections = [desk.section(desk.words["in_short"], as_markdown(told))]
    return _report(desk, sections, limits_of(desk, limits), extractive=True)


def _catalog(desk: Desk, memo: CatalogMemo) -> WrittenReport:
    """Write the table and its summary, also from what proves the table; without items say what was looked for.

    What is missing is what the table lacks, in the limits and in the gaps of the memo.
    """
    items = items_of(memo.candidates, desk)
    if not items and "items" in memo.unread:
        return _passages(desk)
    asked = desk.asked
    config = replace(
        desk.material.config,
        catalog_fields=tuple(asked.fields),
        catalog_target_items=asked.count or memo.target_items,
    )
    return replace(_items_written(desk, items), memo=settled(memo, [as_candidate(item) for item in items], config))


def _items_written(desk: Desk, items: Sequence[Item]) -> WrittenReport:
    own = catalog_limits(items, desk)
    if not items:
        fields = ", ".join(field_label(field, desk.language) for field in desk.asked.fields)
        looked_for = desk.words["looked_for"].format(what="; ".join([*desk.material.plan.questions, fields]))
        told = f"{desk.words['no_items'].format(read=len(desk.sources.by_key))} {looked_for}"
        return _without_findings(desk, told, own)
    material = desk.material
    table = WorkerResult("", "web", material.asked.query, findings=evidence_for(items, material.sources))
    material = replace(material, results=(table, *material.results))
    evidence = evidence_of(material, desk.sources, desk.reader.meaning)
    opening = write_narrative(desk, evidence, items=[item.name for item in items])
    sections = [*opening.sections, *catalog_sections(items, desk)]
    return _report(desk, sections, limits_of(desk, own, opening.left_out), extractive=opening.extractive)


def _without_findings(desk: Desk, told: str, own: Sequence[str]) -> WrittenReport:
    section = desk.section(desk.words["in_short"], as_markdown(told))
    return _report(desk, [section], limits_of(desk, [desk.words["nothing"], *own]), extractive=True)


def _report(
    desk: Desk, sections: Sequence[Section], limits: tuple[str, ...], *, extractive: bool
) -> WrittenReport:
    """Build the document, with only the references that it cites, in order of their numbers."""
    draft = ReportDocument(
        title=_title(desk.asked.query, desk.words) or desk.words["untitled"],
        query=desk.asked.query,
        report_type=desk.asked.report_type.value,
        language=desk.language,
        extractive=extractive,
        sections=tuple(sections),
        references=tuple(source.reference for source in desk.material.sources.values()),
        limits=limits,
    )
    cited = tuple(reference for _, reference in listed(draft))
    return WrittenReport(draft.model_copy(update={"references": cited}), desk.book.all)


def _title(query: str, words: Mapping[str, str]) -> str:
    """Return a request's first sentence, without what orders a report; of a long one the clauses that fit."""
    first = _FIRST.split(" ".join(query.split()), maxsplit=1)[0].rstrip(".:; ")
    ordered = rf"^(?:{words['please']},? )?(?:{words['orders']}) "
    title = re.sub(ordered, "", first, count=1, flags=re.IGNORECASE)
    title = title if title == first else title.strip("¿? ")
    begins = 2 if title.startswith("¿") else 1
    title = title[:begins].upper() + title[begins:]
    if len(title) <= _TITLE:
        return title
    clauses = [title[: end.start()] for end in _CLAUSE_END.finditer(title, _LEAST_OF_TITLE, _TITLE)]
    whole = [one for one in clauses if one.count("(") == one.count(")")]
    if whole:
        return whole[-1] + ("?" if title.endswith("?") else "")
    return f"{title[: _TITLE - 1].rsplit(' ', 1)[0].rstrip(' ,;:')}…"

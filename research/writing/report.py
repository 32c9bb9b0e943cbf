"""Write the document and its claims from the material of the rounds, with its limits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.citations.claims import cited_references
from research.config import Language
from research.document import ReportDocument, Section
from research.gap_detection import settled
from research.memo import DIVERSE_SOURCES, CatalogMemo, GapState, ResearchMemo, WorkerResult
from research.questions.asking import request_sentences
from research.questions.wording import common_field_label
from research.readers.protocol import WrittenReport
from research.readers.reader import Reader
from research.text.language import phrases_for
from research.text.markdown import as_markdown
from research.text.meaning import NoMeaning, Text, covering
from research.writing.catalog import (
    CatalogItem,
    as_candidate,
    catalog_limits,
    catalog_sections,
    evidence_for,
    items_of,
    with_told,
)
from research.writing.checking import Desk, ReportMaterial
from research.writing.evidence import ranked_evidence
from research.writing.narrative import Narrative, write_narrative
from research.writing.reading_list import reading_list

#: Most characters of a title, and the end of the sentence that it is made from.
_TITLE = 90
#: Fewest characters of a title that is cut after a clause, and the end of a clause.
_LEAST_OF_TITLE = 20
_CLAUSE_END = re.compile(r"[,;:](?= )|(?= [-–—(])")
_FIRST = re.compile(r"(?<=[?.!])\s+(?=[A-ZÁÉÍÓÚÑ¿¡])")


def write_report(material: ReportMaterial, reader: Reader) -> WrittenReport:
    """Write the report; every published sentence is supported by a quotation verified in its source.

    `reader`: a new one, so that its log has nothing from the rounds.
    """
    desk, memo = Desk(material, reader), material.memo
    if not reader.judges:
        return _passages(desk)
    if isinstance(memo, CatalogMemo):
        return _catalog(desk, memo)
    evidence = ranked_evidence(material, desk.sources, reader.meaning)
    written = write_narrative(desk, evidence)
    if not written.sections:
        return _passages(desk) if evidence else _without_findings(desk, desk.words["nothing"], [])
    text = [sentence.text for sentence in written.sentences]
    topics = [*written.missing, *memo.not_found, *_open_topics(memo)]
    limits = report_limits(desk, missing_topics(topics, text, desk.asked.query, desk.language), written.left_out)
    return _report(desk, written.sections, limits, extractive=written.extractive)


def _open_topics(memo: ResearchMemo) -> list[str]:
    """Return the topics of gaps that are not closed."""
    topics = [gap.missing_topic for gap in memo.gaps if gap.state is not GapState.CLOSED]
    return [topic for topic in topics if topic and topic != DIVERSE_SOURCES]


def _passages(desk: Desk) -> WrittenReport:
    """Write the reading list, with the aspects without passages among its limits."""
    sections, without = reading_list(desk)
    limits = [desk.words["no_passage"].format(topic=aspect) for aspect in without]
    if not sections:
        text = desk.words["no_passages"].format(read=len(desk.sources.by_key))
        sections = [desk.section(desk.words["in_short"], as_markdown(text))]
    return _report(desk, sections, report_limits(desk, limits), extractive=True)


def _catalog(desk: Desk, memo: CatalogMemo) -> WrittenReport:
    """Write the table and a summary that can quote its evidence; without items, state what was searched for.

    Values missing from the table are in the limits and in the gaps of the memo.
    """
    items = items_of(memo.candidates, desk)
    if not items and "items" in memo.unread:
        return _passages(desk)
    opening = _summary(desk, items)
    items = with_told(items, opening.sentences, desk)
    asked = desk.asked
    config = replace(
        desk.material.config,
        catalog_fields=tuple(asked.fields),
        catalog_target_items=asked.count or memo.target_items,
    )
    written = _items_written(desk, items, opening) if items else _no_items(desk)
    return replace(written, memo=settled(memo, [as_candidate(item) for item in items], config))


def _summary(desk: Desk, items: Sequence[CatalogItem]) -> Narrative:
    """Write the summary of a table from the sentences that prove it, so that it says nothing that is not in it."""
    if not items:
        return Narrative()
    table = WorkerResult("", "web", desk.asked.query, findings=evidence_for(items, desk.material.sources))
    evidence = ranked_evidence(replace(desk.material, results=(table,)), desk.sources, desk.reader.meaning)
    return write_narrative(desk, evidence, items=[item.name for item in items])


def _items_written(desk: Desk, items: Sequence[CatalogItem], opening: Narrative) -> WrittenReport:
    sections = [*opening.sections, *catalog_sections(items, desk)]
    limits = report_limits(desk, catalog_limits(items, desk), opening.left_out)
    return _report(desk, sections, limits, extractive=opening.extractive)


def _no_items(desk: Desk) -> WrittenReport:
    fields = ", ".join(common_field_label(field, desk.language) for field in desk.asked.fields)
    looked_for = desk.words["looked_for"].format(what="; ".join([*desk.material.plan.questions, fields]))
    text = f"{desk.words['no_items'].format(read=len(desk.sources.by_key))} {looked_for}"
    return _without_findings(desk, text, catalog_limits((), desk))


def _without_findings(desk: Desk, text: str, own: Sequence[str]) -> WrittenReport:
    section = desk.section(desk.words["in_short"], as_markdown(text))
    return _report(desk, [section], report_limits(desk, [desk.words["nothing"], *own]), extractive=True)


def _report(
    desk: Desk, sections: Sequence[Section], limits: tuple[str, ...], *, extractive: bool
) -> WrittenReport:
    """Build the document with its cited references, in order of their numbers."""
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
    cited = tuple(reference for _, reference in cited_references(draft))
    return WrittenReport(draft.model_copy(update={"references": cited}), desk.book.all)


def _title(query: str, words: Mapping[str, str]) -> str:
    """Return a request's first sentence, without "a report on …"; of a long one the phrases that fit."""
    asked = query[query.find(request_sentences(query)[0]) :] if query.strip() else ""
    first = _FIRST.split(" ".join(asked.split()), maxsplit=1)[0].rstrip(".:; ")
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
    fits = title[: _TITLE - 1].split()[:-1]
    borders = words["phrase_borders"].split()
    ends = [at for at in range(len(fits) // 2, len(fits)) if fits[at] in borders and fits[at - 1] not in borders]
    phrase = " ".join(fits[: ends[-1] if ends else None]).rstrip(" ,;:")
    # The word that does not fit may be nearly all of it.
    return f"{phrase if len(phrase) >= _LEAST_OF_TITLE else title[: _TITLE - 2]} …"


# State the limits of a report: what could not be found, read or verified.


#: Most words of a phrase for what was not found.
_WORDS = 12
#: Most names of left-out items in the limits.
_NAMED = 3
#: Not allowed in such a phrase, because nothing proves it: numbers, addresses, markup.
_CLAIMS = re.compile(r"[\d<>\[\]{}|@:]|www\.", re.IGNORECASE)


def report_limits(desk: Desk, own: Sequence[str], left_out: int = 0) -> tuple[str, ...]:
    """Return `own`, failures and omissions of the reader (also in the rounds), and problems of the rounds.

    `left_out`: number of drafted sentences that were not published. Each limit is returned once.
    """
    words, material, memo = desk.words, desk.material, desk.material.memo
    found = [*own]
    if unread := dict.fromkeys([*memo.unread, *desk.reader.log.unread_parts]):
        parts = [words.get(f"part_{part}", part.removeprefix("section: ")) for part in unread]
        found.append(words["by_rule"].format(parts=", ".join(parts)))
    if names := list(dict.fromkeys(name for name, _ in memo.left_out)):
        found.append(words["items_left_out"].format(count=len(names), names=", ".join(names[:_NAMED])))
    if memo.unproven:
        found.append(words["unproven"].format(count=memo.unproven))
    if left_out:
        found.append(words["dropped"].format(count=left_out))
    if any(gap.missing_topic == DIVERSE_SOURCES and gap.state is not GapState.CLOSED for gap in memo.gaps):
        found.append(words["few_domains"].format(wanted=material.config.min_total_domains))
    if failed := sum(result.status == "failed" for result in material.results):
        found.append(words["tasks_failed"].format(all=len(material.results), failed=failed))
    return tuple(dict.fromkeys([*found, *material.troubles]))


def missing_topics(missing: Sequence[str], text: Sequence[str], query: str, language: Language) -> list[str]:
    """Return sentences on the topics that the report does not cover, without those whose words its text has.

    `missing`: parts of the request that contain no claims or are in the `query`. `text`: published sentences.
    """
    asked = " ".join(query.casefold().split())
    phrases = [" ".join(one.split()).rstrip(".;") for one in missing]
    topics = [one for one in phrases if _is_phrase(one) or (one and one.casefold() in asked)]
    # Compare only words: a vector of another subject may be near.
    covered = covering(topics, [Text(one, language) for one in text], NoMeaning())
    left = [topic for topic, is_said in zip(topics, covered, strict=True) if not is_said]
    return [phrases_for("wording", language)["topic_open"].format(topic=topic) for topic in dict.fromkeys(left)]


def _is_phrase(topic: str) -> bool:
    return 0 < len(topic.split()) <= _WORDS and not _CLAIMS.search(topic)

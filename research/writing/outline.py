"""Say what a reader drafts from which evidence: the sections of its outline, and the summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from research.config import Language
from research.meaning import Text, order_by_nearness
from research.questions.asking import without_ends
from research.readers.protocol import Asked, DraftSentence, Evidence, Outline, SectionOutline, SectionRequest
from research.text.stems import stop_words
from research.words import phrases_of
from research.writing.desk import Desk

#: Most evidence of a section, most sentences of all sections together, and of one section and of the summary.
_EVIDENCE, _SENTENCES, _SECTION, _SUMMARY = 12, 60, 10, 6
#: Most evidence of a section, and of all, that the summary is drafted from.
_EACH, _FOR_SUMMARY = 3, 14
#: Most words of a heading, and of one that is a question.
_WORDS, _OF_A_QUESTION = 6, 14
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def section_requests(
    asked: Asked,
    outline: Outline,
    evidence: Sequence[Evidence],
    contradictions: Sequence[tuple[Evidence, Evidence]],
) -> list[SectionRequest]:
    """Return the sections that have evidence, with short headings; a piece of evidence stays where it comes first.

    Both pieces of a contradiction go where the first one is.
    """
    by_id = {one.evidence_id: one for one in evidence}
    together = [(one.evidence_id, other.evidence_id) for one, other in contradictions]
    partners = {one: other for pair in together for one, other in (pair, pair[::-1])}
    sections: list[SectionOutline] = []
    taken: set[str] = set()
    for section in outline.sections:
        joined = (each for one in section.evidence_ids for each in (one, partners.get(one, one)))
        ids = tuple(one for one in dict.fromkeys(joined) if one in by_id and one not in taken)[:_EVIDENCE]
        taken.update(ids)
        if ids:
            heading = short_heading(section.heading, section.question, asked.language)
            sections.append(replace(section, heading=heading, evidence_ids=ids))
    most = max(_SECTION // 2, min(_SECTION, _SENTENCES // max(1, len(sections))))
    return [
        SectionRequest(
            asked,
            section.heading,
            section.question,
            tuple(by_id[one] for one in section.evidence_ids),
            tuple(other.heading for other in sections if other.heading != section.heading),
            most_sentences=most,
            disagreements=tuple(pair for pair in together if {*pair} <= {*section.evidence_ids}),
        )
        for section in sections
    ]


def summary_request(
    desk: Desk,
    drafts: Sequence[tuple[SectionRequest, Sequence[DraftSentence]]],
    best: Sequence[Evidence],
    holds: Sequence[str],
) -> SectionRequest:
    """Ask for the summary from what the sections quote: the best of each, then the second of each, and so on.

    `holds`: what stands in the report beside the sections.
    """
    quoted = in_turns(_used(request, draft)[:_EACH] for request, draft in drafts)
    chosen = (quoted or best)[:_FOR_SUMMARY]
    texts = [Text(f"{one.before} {one.finding.quote}", one.language) for one in chosen]
    order = order_by_nearness(desk.asked.query, texts, desk.reader.meaning)
    evidence = tuple(chosen[place] for place in order)
    firsts = (": ".join([request.heading, *(one.text for one in draft[:1])]) for request, draft in drafts)
    return SectionRequest(
        desk.asked,
        desk.words["in_short"],
        desk.asked.query,
        evidence,
        (*firsts, *holds),
        is_summary=True,
        most_sentences=_SUMMARY,
    )


def in_turns(lists: Iterable[Sequence[Evidence]]) -> list[Evidence]:
    """Return the first piece of each list, then the second of each, and so on."""
    return [one for turn in zip_longest(*lists) for one in turn if one is not None]


def _used(request: SectionRequest, draft: Sequence[DraftSentence]) -> list[Evidence]:
    """Return the evidence that the draft quotes, in its order, else all of the section."""
    quoted = [(quote.source_key, " ".join(quote.quote.split())) for one in draft for quote in one.quotes]
    own = [(one, " ".join(one.finding.quote.split())) for one in request.evidence]
    found = {
        one.evidence_id: one
        for key, quote in quoted
        for one, text in own
        if key == one.finding.source_key and (quote in text or text in quote)
    }
    return list(found.values()) or list(request.evidence)


def short_heading(heading: str, question: str, language: Language) -> str:
    """Return the heading if it is short or a whole question, else the first telling words of the question."""
    told = " ".join(heading.split()).rstrip(" .:;,")
    if not 0 < len(told.split()) <= (_OF_A_QUESTION if told.endswith("?") else _WORDS):
        words = phrases_of("wording", language)
        small = stop_words(language) | {*words["asking"].split()}
        left = without_ends(_WORD.findall(told or question), small)
        left = without_ends(left[: _WORDS - 1], small)
        told = " ".join(left) or words["found"]
    return told[:1].upper() + told[1:]

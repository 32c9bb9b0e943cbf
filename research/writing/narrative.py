"""Write a narrative: outline, drafts, checks, and the summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from research.config import Language
from research.document import Section
from research.questions.asking import without_ends
from research.readers.findings import clean_quote
from research.readers.protocol import (
    Asked,
    DraftSentence,
    Evidence,
    NarrativeOutline,
    SectionOutline,
    SectionRequest,
)
from research.text.language import phrases_for, stop_words
from research.text.markdown import as_markdown
from research.text.meaning import Text, order_by_nearness
from research.writing.checking import Checker, Desk, QuotedPlace, SupportedSentence
from research.writing.evidence import EvidenceComparison, best_evidence, compare_evidence

#: Most evidence of a narrative.
_EVIDENCE = 48


@dataclass
class Narrative:
    """The written sections, and facts about them for the limits."""

    sections: list[Section] = field(default_factory=list)
    #: Published sentences.
    sentences: list[SupportedSentence] = field(default_factory=list)
    #: Parts of the request without evidence.
    missing: tuple[str, ...] = ()
    #: Number of drafted sentences that were not published.
    left_out: int = 0

    @property
    def extractive(self) -> bool:
        """Whether every sentence is verbatim from a source."""
        return all(one.verbatim for one in self.sentences)


@dataclass(frozen=True)
class _Body:
    heading: str
    text: str
    #: Whether it is a single sentence.
    single: bool = False


def write_narrative(desk: Desk, evidence: Sequence[Evidence], *, items: Sequence[str] = ()) -> Narrative:
    """Write summary and sections; empty without an outline or publishable evidence.

    `items`: those of a catalog, which gets only a summary, from the best evidence on each item.
    """
    best = best_evidence(evidence, desk.sources, _EVIDENCE, desk.material.config.max_domain_share)
    if not best:
        return Narrative()
    compared, drawn, holds = EvidenceComparison(), NarrativeOutline(), []
    if items:
        best = _item_by_item(best, items)
        holds = [f"{desk.words['comparison']}: {', '.join(items)}"]
    else:
        compared = compare_evidence(desk, best, evidence)
        drawn = desk.reader.outline(desk.asked, desk.material.plan, best)
        if not drawn.sections:
            return Narrative()
    requests = section_requests(desk.asked, drawn, best, compared.contradictions)
    drafts = [(request, desk.reader.draft(request)) for request in requests]
    summary = summary_request(desk, drafts, best, holds)
    drafts.append((summary, desk.reader.draft(summary)))
    (*checked, opening), left_out = Checker(desk.asked, desk.sources, desk.book).checked(drafts, desk.reader)
    found = Narrative([], [*opening], drawn.missing, left_out)
    bodies = [_Body(desk.words["in_short"], paragraphs(opening, desk))] if opening else []
    bodies += _sections(desk, requests, checked, opening, found)
    if compared.verdicts:
        bodies.append(_Body(desk.words["how_far"], _how_far(desk, compared)))
    found.sections += [desk.section(body.heading, body.text) for body in bodies]
    return found


def _item_by_item(evidence: Sequence[Evidence], items: Sequence[str]) -> list[Evidence]:
    """Return the best piece on each item, then the second on each, and so on; pieces on no item come last."""
    of_item: dict[str, list[Evidence]] = {item: [] for item in (*items, "")}
    for one in evidence:
        text = f"{one.title} {one.before} {one.finding.quote}".casefold()
        of_item[next((item for item in items if item.casefold() in text), "")].append(one)
    others = of_item.pop("")
    return in_turns(of_item.values()) + others


def _sections(
    desk: Desk,
    requests: Sequence[SectionRequest],
    checked: Sequence[list[SupportedSentence]],
    opening: Sequence[SupportedSentence],
    found: Narrative,
) -> list[_Body]:
    """Return the sections that have sentences, and add these sentences to the narrative.

    A section with a single sentence is appended to the section before it, with its heading in bold; if it is the
    first, the next section takes it in.
    """
    opened = {place for one in opening if one.verbatim for place in one.places}
    bodies: list[_Body] = []
    for request, drafted in zip(requests, checked, strict=True):
        if not drafted:
            continue
        # Do not repeat a quotation of the summary if two other sentences remain.
        rest = [one for one in drafted if not (one.verbatim and opened.intersection(one.places))]
        sentences = rest if len(rest) > 1 else drafted
        found.sentences += sentences
        parts = [paragraphs(sentences, desk), *_contradictions(desk, request, sentences)]
        body = _Body(request.heading, "\n\n".join(parts), single=len(sentences) + len(parts) < 3)
        if bodies and (body.single or bodies[-1].single):
            last = bodies.pop()
            kept, other = (last, body) if body.single else (body, last)
            body = _Body(kept.heading, f"{kept.text}\n\n**{other.heading}:** {other.text}")
        bodies.append(body)
    return bodies


def _contradictions(desk: Desk, request: SectionRequest, sentences: Sequence[SupportedSentence]) -> list[str]:
    """Return the contradictions in the section's evidence of which its sentences do not quote both sides."""
    quoted = [place for one in sentences for place in one.places]
    places = {one.evidence_id: desk.sources.of(one) for one in request.evidence}
    return [
        _side_by_side(desk.words["differ"], [places[one] for one in pair], desk)
        for pair in request.disagreements
        if not all(any(map(places[one].overlaps, quoted)) for one in pair)
    ]


def _how_far(desk: Desk, compared: EvidenceComparison) -> str:
    """Return a paragraph for each claim that Round 3 verified, with the result."""
    parts = []
    for verdict in compared.verdicts:
        places = [desk.sources.of(one) for one in (verdict.own, verdict.other) if one]
        parts.append(_side_by_side(desk.words[f"verdict_{verdict.verification}"], places, desk))
        desk.book.verified_as(places[0], verdict.verification)
    return "\n\n".join(parts)


def paragraphs(sentences: Sequence[SupportedSentence], desk: Desk) -> str:
    """Return the sentences as paragraphs of Markdown, each followed by its markers."""
    found: list[list[str]] = []
    for one in sentences:
        if one.new_paragraph or not found:
            found.append([])
        found[-1].append(_marked(one, desk))
    return "\n\n".join(" ".join(of_one) for of_one in found)


def _side_by_side(lead: str, places: Sequence[QuotedPlace], desk: Desk) -> str:
    """Return a lead sentence followed by the quotations as list items."""
    quotes = (SupportedSentence(clean_quote(place.quote), (place,), verbatim=True) for place in places)
    return "\n".join([lead, "", *(f"- {_marked(one, desk)}" for one in quotes)])


def _marked(one: SupportedSentence, desk: Desk) -> str:
    text = as_markdown(one.text)
    text = f"{desk.words['left']}{text}{desk.words['right']}" if one.verbatim else text
    return " ".join([text, *dict.fromkeys(desk.book.marker(one.text, place) for place in one.places)])


# Prepare what a reader drafts: the sections of its outline, and the summary, each with its evidence.


#: Most evidence of a section; most sentences of all sections together, of one section, and of the summary.
_OUTLINED_EVIDENCE, _SENTENCES, _SECTION, _SUMMARY = 12, 60, 10, 6
#: Most evidence for the summary from one section, and in total.
_EACH, _FOR_SUMMARY = 3, 14
#: Most words of a heading, and of one that is a question.
_WORDS, _OF_A_QUESTION = 6, 14
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def section_requests(
    asked: Asked,
    outline: NarrativeOutline,
    evidence: Sequence[Evidence],
    contradictions: Sequence[tuple[Evidence, Evidence]],
) -> list[SectionRequest]:
    """Return the sections that have evidence, with short headings; a piece is used only in its first section.

    Both pieces of a contradiction go to the section of the first one.
    """
    by_id = {one.evidence_id: one for one in evidence}
    together = [(one.evidence_id, other.evidence_id) for one, other in contradictions]
    partners = {one: other for pair in together for one, other in (pair, pair[::-1])}
    sections: list[SectionOutline] = []
    taken: set[str] = set()
    for section in outline.sections:
        joined = (each for one in section.evidence_ids for each in (one, partners.get(one, one)))
        ids = tuple(one for one in dict.fromkeys(joined) if one in by_id and one not in taken)[:_OUTLINED_EVIDENCE]
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
    """Return a request for the summary from quoted evidence: the best piece of each section, then the second, …

    `holds`: the other parts of the report.
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
    """Return the heading if it is short or a complete question, else the first content words of the question."""
    short = " ".join(heading.split()).rstrip(" .:;,")
    if not 0 < len(short.split()) <= (_OF_A_QUESTION if short.endswith("?") else _WORDS):
        words = phrases_for("wording", language)
        small = stop_words(language) | {*words["asking"].split()}
        left = without_ends(_WORD.findall(short or question), small)
        left = without_ends(left[: _WORDS - 1], small)
        short = " ".join(left) or words["found"]
    return short[:1].upper() + short[1:]

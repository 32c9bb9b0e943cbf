"""Write a narrative: outline, drafts, checks, and the summary, which is drafted last and stands first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from research.document import Section, section_key
from research.meaning import Text, order_by_nearness
from research.readers.protocol import Asked, Draft, Evidence, Outline, Plan, SectionOutline, SectionRequest
from research.writing.checking import Checker, Sentence
from research.writing.comparison import Comparison, compare
from research.writing.desk import Desk
from research.writing.evidence import best_evidence
from research.writing.outline import settled
from research.writing.places import Place, Sources
from research.writing.prose import paragraphs, side_by_side
from research.writing.wording import wording

#: Most evidence of a narrative, most sentences of its sections together, and of one section and of the summary.
_EVIDENCE, _SENTENCES, _SECTION, _SUMMARY = 48, 60, 10, 6
#: Most evidence of a section, and of all, that the summary is drafted from.
_EACH, _FOR_SUMMARY = 3, 14
HOW_FAR = "how-far-this-holds"


@dataclass
class Narrative:
    """The written sections, and what the limits must know about them."""

    sections: list[Section] = field(default_factory=list)
    #: Published sentences.
    sentences: list[Sentence] = field(default_factory=list)
    #: What the request asks and no evidence says.
    missing: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def extractive(self) -> bool:
        """Whether every sentence is verbatim from a source."""
        return all(one.verbatim for one in self.sentences)


@dataclass(frozen=True)
class _Written:
    outline: SectionOutline
    sentences: list[Sentence]


@dataclass(frozen=True)
class _Body:
    heading: str
    text: str
    #: Whether it is a single sentence.
    single: bool


def write_narrative(desk: Desk, evidence: Sequence[Evidence], *, items: Sequence[str] = ()) -> Narrative:
    """Write summary and sections; empty if nothing of the evidence can be published.

    `items`: of a catalog, which has the summary alone, since they stand in a table; those that evidence names come
    first.
    """
    config, reader = desk.material.config, desk.reader
    plan = Plan(desk.material.questions, desk.material.aspects, "")
    best = best_evidence(evidence, desk.sources, _EVIDENCE, config.max_domain_share)
    if not best:
        return Narrative()
    compared, drawn, holds = Comparison(), Outline(), []
    if items:
        best = sorted(best, key=lambda one: not _names(one, items))
        holds = [f"{wording(desk.language).comparison}: {', '.join(items)}"]
    else:
        compared = compare(desk.material, best, evidence, desk.sources, reader)
        drawn = reader.outline(desk.asked, plan, best)
    together = [(one.evidence_id, other.evidence_id) for one, other in compared.contradictions]
    outline = settled(drawn.sections, best, together, config.language)
    requests = _requests(desk.asked, outline, best, compared)
    drafts = [(request, reader.draft(request)) for request in requests]
    summary = _summary_request(desk, drafts, best, holds)
    drafts.append((summary, reader.draft(summary)))
    checker = Checker(desk.asked, desk.sources, desk.book)
    *checked, opening = checker.checked(drafts, reader)
    opened = {place for one in opening if one.verbatim for place in one.places}
    written = [
        _Written(request.section, _not_said_before(sentences, opened))
        for request, sentences in zip(requests, checked, strict=True)
        if sentences
    ]
    found = _narrative(desk, opening, written, compared, best)
    found.missing = drawn.missing
    found.left_out = checker.left_out
    return found


def _names(one: Evidence, items: Sequence[str]) -> bool:
    said = f"{one.title} {one.before} {one.finding.quote}".casefold()
    return any(item.casefold() in said for item in items)


def _requests(
    asked: Asked, outline: Sequence[SectionOutline], best: Sequence[Evidence], compared: Comparison
) -> list[SectionRequest]:
    by_id = {one.evidence_id: one for one in best}
    most = max(_SECTION // 2, min(_SECTION, _SENTENCES // max(1, len(outline))))
    headings = [section.heading for section in outline]
    return [
        SectionRequest(
            asked,
            section,
            tuple(by_id[one] for one in section.evidence_ids),
            tuple(heading for heading in headings if heading != section.heading),
            most_sentences=most,
            disagreements=tuple(_within(section, compared)),
        )
        for section in outline
    ]


def _within(section: SectionOutline, compared: Comparison) -> list[tuple[str, str]]:
    pairs = [(one.evidence_id, other.evidence_id) for one, other in compared.contradictions]
    return [pair for pair in pairs if {*pair} <= {*section.evidence_ids}]


def _summary_request(
    desk: Desk, drafts: Sequence[tuple[SectionRequest, Draft]], best: Sequence[Evidence], holds: Sequence[str]
) -> SectionRequest:
    """Ask for the summary from what the sections quote: the best of each, then the second of each, and so on.

    `holds`: what stands in the report beside the sections.
    """
    in_turns = zip_longest(*(_used(request, draft)[:_EACH] for request, draft in drafts))
    chosen = [one for turn in in_turns for one in turn if one is not None][:_FOR_SUMMARY] or list(
        best[:_FOR_SUMMARY]
    )
    texts = [Text(f"{one.before} {one.finding.quote}", one.language) for one in chosen]
    order = order_by_nearness(desk.asked.query, texts, desk.reader.meaning)
    evidence = tuple(chosen[place] for place in order)
    section = SectionOutline(
        wording(desk.language).in_short, desk.asked.query, tuple(one.evidence_id for one in evidence)
    )
    firsts = (": ".join([request.section.heading, *_first(draft)]) for request, draft in drafts)
    return SectionRequest(
        desk.asked, section, evidence, (*firsts, *holds), is_summary=True, most_sentences=_SUMMARY
    )


def _first(draft: Draft) -> list[str]:
    return [one.text for one in draft.sentences[:1]]


def _used(request: SectionRequest, draft: Draft) -> list[Evidence]:
    """Return the evidence that the draft quotes, in its order, else all of the section."""
    quoted = [(quote.source_key, " ".join(quote.quote.split())) for one in draft.sentences for quote in one.quotes]
    own = [(one, " ".join(one.finding.quote.split())) for one in request.evidence]
    found = {
        one.evidence_id: one
        for key, quote in quoted
        for one, text in own
        if key == one.finding.source_key and (quote in text or text in quote)
    }
    return list(found.values()) or list(request.evidence)


def _not_said_before(sentences: list[Sentence], opened: set[Place]) -> list[Sentence]:
    """Return the sentences without quotations that the summary shows, if two others are left."""
    rest = [one for one in sentences if not (one.verbatim and opened.intersection(one.places))]
    return rest if len(rest) > 1 else sentences


def _narrative(
    desk: Desk, opening: list[Sentence], written: list[_Written], compared: Comparison, best: Sequence[Evidence]
) -> Narrative:
    found, language = Narrative(), desk.material.config.language
    strengths = {one.finding.source_key: one.strength for one in best}
    words = wording(language)
    if opening:
        _add(desk, found, words.in_short, paragraphs(opening, desk.book, language))
        found.sentences += opening
    bodies: list[_Body] = []
    for one in written:
        said = paragraphs(one.sentences, desk.book, language, strengths)
        apart = _contradictions(desk, one, compared)
        found.sentences += one.sentences
        bodies.append(_Body(one.outline.heading, "\n\n".join([said, *apart]), len(one.sentences) + len(apart) < 2))
    for body in _without_orphans(bodies):
        _add(desk, found, body.heading, body.text)
    if how_far := _how_far(desk, compared):
        _add(desk, found, words.how_far, how_far)
    return found


def _without_orphans(bodies: Sequence[_Body]) -> list[_Body]:
    """Let a section of a single sentence end the one before, or begin the next, under its own words."""
    found: list[_Body] = []
    for body in bodies:
        if found and (body.single or found[-1].single):
            last = found.pop()
            kept, other = (last, body) if body.single else (body, last)
            parts = [kept.text, f"**{other.heading}:** {other.text}"]
            found.append(_Body(kept.heading, "\n\n".join(parts), single=False))
        else:
            found.append(body)
    return found


def _add(desk: Desk, found: Narrative, heading: str, body: str) -> None:
    key = HOW_FAR if heading == wording(desk.material.config.language).how_far else section_key(heading, desk.keys)
    found.sections.append(Section(key=key, heading=heading, body=body))


def _contradictions(desk: Desk, written: _Written, compared: Comparison) -> list[str]:
    """Return the contradictions of the section's evidence that its sentences do not quote on both sides."""
    told = [place for one in written.sentences for place in one.places]
    language = desk.material.config.language
    by_ids = {(one.evidence_id, other.evidence_id): (one, other) for one, other in compared.contradictions}
    return [
        side_by_side(
            wording(language).differ, [_place(one, desk.sources) for one in by_ids[pair]], desk.book, language
        )
        for pair in _within(written.outline, compared)
        if not all(any(map(_place(one, desk.sources).overlaps, told)) for one in by_ids[pair])
    ]


def _how_far(desk: Desk, compared: Comparison) -> str:
    """Return a paragraph for each claim that Round 3 verified, with the result."""
    language = desk.material.config.language
    words = wording(language)
    leads = {"confirmed": words.confirmed, "contradicted": words.contradicted, "not_found": words.not_confirmed}
    parts = []
    for verdict in compared.verdicts:
        said = [_place(one, desk.sources) for one in (verdict.own, verdict.other) if one]
        parts.append(side_by_side(leads[verdict.verification], said, desk.book, language))
        desk.book.verified_as(said[0], verdict.verification)
    return "\n\n".join(parts)


def _place(one: Evidence, sources: Sources) -> Place:
    return sources.at(one.finding.source_key, one.finding.start_char, one.finding.end_char)

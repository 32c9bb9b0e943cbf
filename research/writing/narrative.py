"""Write a narrative: outline, drafts, checks, and the summary, which is drafted last and stands first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.document import Section
from research.markdown_text import as_markdown
from research.readers.protocol import Evidence, Outline, SectionRequest
from research.readers.shown import shown
from research.writing.checking import Checker, Sentence
from research.writing.comparison import Comparison, compare
from research.writing.desk import Desk, Place
from research.writing.evidence import best_evidence
from research.writing.outline import in_turns, section_requests, summary_request

#: Most evidence of a narrative.
_EVIDENCE = 48


@dataclass
class Narrative:
    """The written sections, and what the limits must know about them."""

    sections: list[Section] = field(default_factory=list)
    #: Published sentences.
    sentences: list[Sentence] = field(default_factory=list)
    #: What the request asks and no evidence says.
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
    """Write summary and sections; empty without an outline, or if nothing of the evidence can be published.

    `items`: of a catalog, which has the summary alone, since they stand in a table; the best evidence on each is
    first.
    """
    best = best_evidence(evidence, desk.sources, _EVIDENCE, desk.material.config.max_domain_share)
    if not best:
        return Narrative()
    compared, drawn, holds = Comparison(), Outline(), []
    if items:
        best = _item_by_item(best, items)
        holds = [f"{desk.words['comparison']}: {', '.join(items)}"]
    else:
        compared = compare(desk, best, evidence)
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
    """Return the best piece on each item, then the second on each, and so on; what names none comes last."""
    of_item: dict[str, list[Evidence]] = {item: [] for item in (*items, "")}
    for one in evidence:
        said = f"{one.title} {one.before} {one.finding.quote}".casefold()
        of_item[next((item for item in items if item.casefold() in said), "")].append(one)
    others = of_item.pop("")
    return in_turns(of_item.values()) + others


def _sections(
    desk: Desk,
    requests: Sequence[SectionRequest],
    checked: Sequence[list[Sentence]],
    opening: Sequence[Sentence],
    found: Narrative,
) -> list[_Body]:
    """Return the sections that have sentences; those sentences are added to the narrative's.

    A section of a single sentence ends the one before, or begins the next, under its own words.
    """
    opened = {place for one in opening if one.verbatim for place in one.places}
    bodies: list[_Body] = []
    for request, drafted in zip(requests, checked, strict=True):
        if not drafted:
            continue
        # A quotation that the summary shows is not repeated if two others are left.
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


def _contradictions(desk: Desk, request: SectionRequest, sentences: Sequence[Sentence]) -> list[str]:
    """Return the contradictions of the section's evidence that its sentences do not quote on both sides."""
    told = [place for one in sentences for place in one.places]
    places = {one.evidence_id: desk.sources.of(one) for one in request.evidence}
    return [
        _side_by_side(desk.words["differ"], [places[one] for one in pair], desk)
        for pair in request.disagreements
        if not all(any(map(places[one].overlaps, told)) for one in pair)
    ]


def _how_far(desk: Desk, compared: Comparison) -> str:
    """Return a paragraph for each claim that Round 3 verified, with the result."""
    parts = []
    for verdict in compared.verdicts:
        said = [desk.sources.of(one) for one in (verdict.own, verdict.other) if one]
        parts.append(_side_by_side(desk.words[f"verdict_{verdict.verification}"], said, desk))
        desk.book.verified_as(said[0], verdict.verification)
    return "\n\n".join(parts)


def paragraphs(sentences: Sequence[Sentence], desk: Desk) -> str:
    """Return the sentences as paragraphs of Markdown, each followed by its markers."""
    found: list[list[str]] = []
    for one in sentences:
        if one.new_paragraph or not found:
            found.append([])
        found[-1].append(_marked(one, desk))
    return "\n\n".join(" ".join(of_one) for of_one in found)


def _side_by_side(lead: str, places: Sequence[Place], desk: Desk) -> str:
    """Return a lead sentence followed by the quotations as list items."""
    quotes = (Sentence(shown(place.quote), (place,), verbatim=True) for place in places)
    return "\n".join([lead, "", *(f"- {_marked(one, desk)}" for one in quotes)])


def _marked(one: Sentence, desk: Desk) -> str:
    text = as_markdown(one.text)
    text = f"{desk.words['left']}{text}{desk.words['right']}" if one.verbatim else text
    return " ".join([text, *dict.fromkeys(desk.book.marker(one.text, place) for place in one.places)])

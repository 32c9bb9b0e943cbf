"""Write a reading list: passages that answer the request, by aspect, in the words of their sources.

It makes no statements: if an aspect has no passage, that is a fact about these sources only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from research.document import Section
from research.memo import Finding
from research.questions.asking import aspects_of, question_on
from research.readers.findings import clean_quote, repeats, states
from research.readers.listing import passages_on
from research.text.language import detect_language
from research.text.markdown import as_markdown, in_cell
from research.text.meaning import Text
from research.writing.checking import Desk, QuotedPlace

#: Most passages on an aspect, number of publishers wanted for them, and most of one while others have some.
MOST, PUBLISHERS, OF_A_PUBLISHER = 5, 3, 2
#: Most candidates on an aspect that are compared for duplicates.
_COMPARED = 20
#: Most characters of a question used as a heading.
_HEADING = 90
#: Repeated marks: "??".
_REPEATED = re.compile(r"([?!])\1+")
#: Figures and dates, which are set in bold.
_MARKED = re.compile(
    r"(?:[$€£]\s?)?\d+(?:[.,:/]\d+)*(?:\s?(?:%|[$€£]))?"
    r"(?:\s(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|\s(?:de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b)?"
    r"(?:\s(?:de )?(?:1[89]|20)\d\d\b)?"
)


@dataclass(frozen=True)
class ListedPassage:
    """A passage, and the places of its near duplicates."""

    place: QuotedPlace
    language: str
    also: tuple[QuotedPlace, ...] = ()


@dataclass(frozen=True)
class _Candidate:
    place: QuotedPlace
    score: float


def reading_list(desk: Desk) -> tuple[list[Section], list[str]]:
    """Return a section for each aspect with passages, and the aspects that have none.

    Each passage is listed once; an aspect whose passages are all under other aspects refers to the best of them.
    """
    aspects = _aspects(desk)
    found = _candidates(desk, aspects)
    headings = {aspect: _heading(aspect, desk.asked.query) for aspect in aspects}
    listed = _shared_out(desk, found)
    sections = list[Section]()
    for aspect in aspects:
        if listed[aspect]:
            sections.append(desk.section(headings[aspect], _body(desk, aspect, listed[aspect])))
        elif elsewhere := _elsewhere(found[aspect], listed, headings):
            text = desk.words["also_answered"].format(heading=as_markdown(elsewhere))
            sections.append(desk.section(headings[aspect], text))
    return sections, [aspect for aspect in aspects if not found[aspect]]


def _aspects(desk: Desk) -> Sequence[str]:
    """Return the aspects of the plan; if a model failed to write the report, those in the request's words."""
    planned = desk.material.plan.aspects
    if desk.reader.judges:
        planned = tuple(aspects_of(desk.asked.query, desk.language))
    return planned or (desk.asked.query,)


def _candidates(desk: Desk, aspects: Sequence[str]) -> dict[str, list[_Candidate]]:
    """Return the passages on each aspect that are in their sources and do not overlap, best first."""
    material = desk.material
    findings = [finding for result in material.results for finding in result.findings]
    if desk.reader.judges:
        # A model failed to write the report; its findings are not passages.
        findings = passages_on(aspects, desk.asked, material.sources, desk.reader.meaning)
    found: dict[str, list[_Candidate]] = {aspect: [] for aspect in aspects}
    for one in sorted(_standing(desk, findings), key=lambda one: (-one.score, one.source_key, one.start_char)):
        place = desk.sources.at(one.source_key, one.start_char, one.end_char)
        for aspect in one.topics:
            if aspect in found and not any(place.overlaps(other.place) for other in found[aspect]):
                found[aspect].append(_Candidate(place, one.score))
    return found


def _shared_out(desk: Desk, found: Mapping[str, Sequence[_Candidate]]) -> dict[str, list[ListedPassage]]:
    """Return at most `MOST` passages of each aspect, best first, each only once in the list.

    The aspects choose in turn, those with the fewest candidates first, so that none takes the only passage of
    another. Choosing a passage also removes those that overlap or nearly repeat it.
    """
    every = [(aspect, one) for aspect, own in found.items() for one in own[:_COMPARED]]
    kin = _kin(desk, [one.place for _, one in every])
    left = {aspect: [at for at, (of, _) in enumerate(every) if of == aspect] for aspect in found}
    chosen: dict[str, list[int]] = {aspect: [] for aspect in found}
    for _ in range(MOST):
        waiting = list(found)
        while nexts := {
            aspect: best
            for aspect in waiting
            if (best := _next(desk, left[aspect], chosen[aspect], every)) is not None
        }:
            aspect = min(nexts, key=lambda one: (len(left[one]), -every[nexts[one]][1].score))
            waiting.remove(aspect)
            chosen[aspect].append(nexts[aspect])
            gone = kin[nexts[aspect]]
            left = {one: [at for at in own if at not in gone] for one, own in left.items()}
    places = [one.place for _, one in every]
    return {aspect: [_listed(desk, at, places, kin[at]) for at in sorted(own)] for aspect, own in chosen.items()}


def _next(
    desk: Desk, left: Sequence[int], chosen: Sequence[int], every: Sequence[tuple[str, _Candidate]]
) -> int | None:
    """Return the best candidate of a new publisher if more are wanted, else of one with few passages, else any."""
    domains = {at: desk.sources.by_key[every[at][1].place.key].domain for at in (*left, *chosen)}
    taken = Counter(domains[at] for at in chosen)
    new = (at for at in left if len(taken) < PUBLISHERS and not taken[domains[at]])
    few = (at for at in left if taken[domains[at]] < OF_A_PUBLISHER)
    return next(chain(new, few, left), None)


def _kin(desk: Desk, places: Sequence[QuotedPlace]) -> list[set[int]]:
    """Return for each place the indexes of those that overlap it (itself included) or nearly repeat it."""
    texts = [Text(place.quote, _language(place, desk)) for place in places]
    kin = [{at for at, other in enumerate(places) if place.overlaps(other)} for place in places]
    for one, other in repeats(texts, desk.reader.meaning):
        kin[one].add(other)
        kin[other].add(one)
    return kin


def _listed(desk: Desk, at: int, places: Sequence[QuotedPlace], kin: Iterable[int]) -> ListedPassage:
    """Return a place as a listed passage, with the places that nearly repeat it, each once."""
    also: list[QuotedPlace] = []
    for other in sorted(kin):
        if not any(places[other].overlaps(known) for known in (places[at], *also)):
            also.append(places[other])
    return ListedPassage(places[at], _language(places[at], desk), tuple(also))


def _elsewhere(
    own: Sequence[_Candidate], listed: Mapping[str, Sequence[ListedPassage]], headings: Mapping[str, str]
) -> str:
    """Return the heading over the best passage of an aspect that has no passages listed; "" without one."""
    for one in own:
        for aspect, passages in listed.items():
            if any(one.place.overlaps(place) for passage in passages for place in (passage.place, *passage.also)):
                return headings[aspect]
    return ""


def _standing(desk: Desk, findings: Iterable[Finding]) -> Iterable[Finding]:
    """Return the findings that are in their sources; a withdrawn source has no text."""
    return (
        one
        for one in findings
        if one.source_key in desk.sources.by_key
        and desk.sources.texts[one.source_key][one.start_char : one.end_char] == one.quote
    )


def _language(place: QuotedPlace, desk: Desk) -> str:
    """Return the language of a passage, which may differ from that of its page."""
    return detect_language(place.quote) if place.quote else desk.sources.by_key[place.key].language


def _heading(aspect: str, query: str) -> str:
    """Return the request's question on an aspect if it is short, else the aspect."""
    heading = _REPEATED.sub(r"\1", question_on(aspect, query).strip(" .,;-–"))
    heading = heading if len(heading) <= _HEADING else aspect
    begins = 2 if heading.startswith("¿") else 1
    return heading[:begins].upper() + heading[begins:]


def _body(desk: Desk, aspect: str, listed: Sequence[ListedPassage]) -> str:
    """Return the passages by language, that of the report first, and by source.

    Those that state a fact of the requested kind, such as an amount of money for "cost", come first.
    """
    own = sorted(listed, key=lambda one: (one.language != desk.language, one.language))
    parts: list[str] = []
    for language, of_language in groupby(own, key=lambda one: one.language):
        if language != desk.language:
            parts.append(f"**{desk.words[f'in_{language}']}**")
        parts += _by_source(desk, question_on(aspect, desk.asked.query), list(of_language))
    return "\n\n".join(parts)


def _by_source(desk: Desk, question: str, listed: Sequence[ListedPassage]) -> list[str]:
    best = sorted(listed, key=lambda one: not states(one.place.quote, question))
    keys = dict.fromkeys(one.place.key for one in best)
    parts: list[str] = []
    for key in keys:
        reference = desk.sources.by_key[key].reference
        publication = ", ".join(str(part) for part in (reference.publisher, reference.year) if part)
        parts.append(f"*{in_cell(reference.title)}*{f' – {in_cell(publication)}' if publication else ''}")
        own = sorted((one for one in best if one.place.key == key), key=lambda one: one.place.start)
        parts += [f"> {_quoted(desk, one)}" for one in own]
    return parts


def _quoted(desk: Desk, one: ListedPassage) -> str:
    """Return a passage in quotation marks with its marker and those of its near duplicates."""
    text = clean_quote(one.place.quote)
    quoted = f"{desk.words['left']}{_marked(text)}{desk.words['right']} {desk.book.marker(text, one.place)}"
    if not one.also:
        return quoted
    also = " ".join(desk.book.marker(clean_quote(other.quote), other) for other in one.also)
    return f"{quoted} {desk.words['also_in']} {also}"


def _marked(text: str) -> str:
    """Return the text as Markdown with its figures and dates in bold."""
    parts, at = list[str](), 0
    for found in _MARKED.finditer(text):
        parts += [as_markdown(text[at : found.start()]), f"**{as_markdown(found[0])}**"]
        at = found.end()
    return "".join([*parts, as_markdown(text[at:])])

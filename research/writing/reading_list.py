"""Write a reading list: the passages that answer, by aspect of the request, in the words of their sources.

It writes no sentence of its own: that an aspect has no passage is said of these sources, not of the world.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from research.citations.quantities import quantities_in
from research.document import Section
from research.markdown_text import as_markdown, in_cell
from research.meaning import Text, near_duplicates
from research.memo.worker_result import Finding
from research.questions.asking import aspects_of, question_on
from research.readers.listing import passages_on
from research.readers.shown import shown
from research.text import detect_language
from research.writing.desk import Desk, Place

#: Most passages on an aspect, publishers that they should come from, and most of one while others have some.
MOST, PUBLISHERS, OF_A_PUBLISHER = 5, 3, 2
#: Candidates on an aspect among which duplicates are looked for.
_COMPARED = 20
#: Most characters of a question that heads its passages.
_HEADING = 90
#: Figures and dates, which are marked.
_MARKED = re.compile(
    r"(?:[$€£]\s?)?\d+(?:[.,:/]\d+)*(?:\s?(?:%|[$€£]))?"
    r"(?:\s(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|\s(?:de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b)?"
    r"(?:\s(?:de )?(?:1[89]|20)\d\d\b)?"
)


@dataclass(frozen=True)
class Listed:
    """A passage, and the places that say nearly the same."""

    place: Place
    language: str
    also: tuple[Place, ...] = ()


@dataclass(frozen=True)
class _Candidate:
    place: Place
    score: float


def reading_list(desk: Desk) -> tuple[list[Section], list[str]]:
    """Return a section for each aspect with passages, and the aspects that have none.

    A passage stands where it answers best; an aspect that has no other one leads there.
    """
    aspects = _aspects(desk)
    found = _candidates(desk, aspects)
    headings = {aspect: _heading(aspect, desk.asked.query) for aspect in aspects}
    sections = list[Section]()
    for aspect in aspects:
        own = [one.place for one in found[aspect] if _best_aspect(one, found) == aspect]
        listed = _of_publishers(desk, _folded(desk, own[:_COMPARED]))
        if listed:
            sections.append(desk.section(headings[aspect], _body(desk, listed)))
        elif found[aspect]:
            elsewhere = headings[_best_aspect(found[aspect][0], found)]
            told = desk.words["also_answered"].format(heading=as_markdown(elsewhere))
            sections.append(desk.section(headings[aspect], told))
    return sections, [aspect for aspect in aspects if not found[aspect]]


def _aspects(desk: Desk) -> Sequence[str]:
    """Return the aspects of the plan; where a model failed to write the report, those of the request's words."""
    planned = desk.material.plan.aspects
    if desk.reader.judges:
        planned = tuple(aspects_of(desk.asked.query, desk.language))
    return planned or (desk.asked.query,)


def _candidates(desk: Desk, aspects: Sequence[str]) -> dict[str, list[_Candidate]]:
    """Return the passages on each aspect, best first, that stand in their sources and do not overlap."""
    material = desk.material
    findings = [finding for result in material.results for finding in result.findings]
    if desk.reader.judges:
        # A model was to write a report and could not: what it found is no passage.
        findings = passages_on(aspects, desk.asked, material.sources, desk.reader.meaning)
    found: dict[str, list[_Candidate]] = {aspect: [] for aspect in aspects}
    for one in sorted(_standing(desk, findings), key=lambda one: (-one.score, one.source_key, one.start_char)):
        place = desk.sources.at(one.source_key, one.start_char, one.end_char)
        for aspect in one.topics:
            if aspect in found and not any(place.overlaps(other.place) for other in found[aspect]):
                found[aspect].append(_Candidate(place, one.score))
    return found


def _best_aspect(one: _Candidate, found: Mapping[str, Sequence[_Candidate]]) -> str:
    """Return the aspect that a passage, or one that overlaps it, answers best; of equal ones the first."""
    scores = {
        aspect: max((other.score for other in of_one if other.place.overlaps(one.place)), default=-1.0)
        for aspect, of_one in found.items()
    }
    return max(scores, key=scores.__getitem__)


def _standing(desk: Desk, findings: Iterable[Finding]) -> Iterable[Finding]:
    """Return the findings that stand in their sources; the text of a withdrawn source is gone."""
    return (
        one
        for one in findings
        if one.source_key in desk.sources.by_key
        and desk.sources.texts[one.source_key][one.start_char : one.end_char] == one.quote
    )


def _folded(desk: Desk, places: Sequence[Place]) -> list[Listed]:
    """Return the places, those that say nearly the same as a better one with the same figures under that one."""
    languages = [_language(place, desk) for place in places]
    texts = [Text(place.quote, language) for place, language in zip(places, languages, strict=True)]
    figures = [frozenset(one.values for one in quantities_in(place.quote)) for place in places]
    under: dict[int, int] = {}
    for one, other in near_duplicates(texts, desk.reader.meaning):
        if figures[one] == figures[other] and one not in under:
            under.setdefault(other, one)
    return [
        Listed(place, languages[at], tuple(places[other] for other, first in under.items() if first == at))
        for at, place in enumerate(places)
        if at not in under
    ]


def _language(place: Place, desk: Desk) -> str:
    """Return the language of a passage, which its page may quote in another one than its own."""
    return detect_language(place.quote) if place.quote else desk.sources.by_key[place.key].language


def _of_publishers(desk: Desk, listed: Sequence[Listed]) -> list[Listed]:
    """Return at most `MOST` passages: of `PUBLISHERS` publishers where there are, then of the best."""
    publishers = [desk.sources.by_key[one.place.key].domain for one in listed]
    firsts = [publishers.index(publisher) for publisher in dict.fromkeys(publishers)][:PUBLISHERS]
    taken = Counter(publishers[at] for at in firsts)
    kept = set(firsts)
    for bound in (OF_A_PUBLISHER, MOST):
        for at, publisher in enumerate(publishers):
            if len(kept) < MOST and at not in kept and taken[publisher] < bound:
                taken[publisher] += 1
                kept.add(at)
    return [listed[at] for at in sorted(kept)]


def _heading(aspect: str, query: str) -> str:
    """Return what the request asks on an aspect as it says it, where that is short."""
    told = question_on(aspect, query).strip(" .,;-–")
    told = told if len(told) <= _HEADING else aspect
    begins = 2 if told.startswith("¿") else 1
    return told[:begins].upper() + told[begins:]


def _body(desk: Desk, listed: Sequence[Listed]) -> str:
    """Return the passages by language, that of the report first, and by source, those with figures first."""
    own = sorted(listed, key=lambda one: (one.language != desk.language, one.language))
    parts: list[str] = []
    for language, of_language in groupby(own, key=lambda one: one.language):
        if language != desk.language:
            parts.append(f"**{desk.words[f'in_{language}']}**")
        parts += _by_source(desk, list(of_language))
    return "\n\n".join(parts)


def _by_source(desk: Desk, listed: Sequence[Listed]) -> list[str]:
    best = sorted(listed, key=lambda one: not quantities_in(one.place.quote))
    keys = dict.fromkeys(one.place.key for one in best)
    parts: list[str] = []
    for key in keys:
        reference = desk.sources.by_key[key].reference
        told = ", ".join(str(part) for part in (reference.publisher, reference.year) if part)
        parts.append(f"*{in_cell(reference.title)}*{f' – {in_cell(told)}' if told else ''}")
        own = sorted((one for one in best if one.place.key == key), key=lambda one: one.place.start)
        parts += [f"> {_quoted(desk, one)}" for one in own]
    return parts


def _quoted(desk: Desk, one: Listed) -> str:
    """Return a passage in quotation marks with its marker, and the markers of those that say nearly the same."""
    text = shown(one.place.quote)
    quoted = f"{desk.words['left']}{_marked(text)}{desk.words['right']} {desk.book.marker(text, one.place)}"
    if not one.also:
        return quoted
    also = " ".join(desk.book.marker(shown(other.quote), other) for other in one.also)
    return f"{quoted} {desk.words['also_in']} {also}"


def _marked(text: str) -> str:
    """Return the text as Markdown with its figures and dates in bold."""
    parts, at = list[str](), 0
    for found in _MARKED.finditer(text):
        parts += [as_markdown(text[at : found.start()]), f"**{as_markdown(found[0])}**"]
        at = found.end()
    return "".join([*parts, as_markdown(text[at:])])

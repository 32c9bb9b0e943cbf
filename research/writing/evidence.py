"""Collect what the rounds found as evidence: verified, with context and source, each thing once, best first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from research.citations.quantities import quantities_in
from research.material import SourceText
from research.meaning import Meaning, Text, near_duplicates, rank_texts
from research.memo.worker_result import Finding
from research.readers.protocol import STRENGTHS, Evidence
from research.readers.shown import shown
from research.readers.statements import is_furniture
from research.text import split_sentences
from research.words import table_of
from research.writing.desk import Place, ReportMaterial, Sources

#: A finding of more sentences is divided into its sentences.
_SENTENCES = 3
#: Weights, beside nearness, of the reader's own score, of a figure, and of the strongest kind of proof.
_SCORE, _FIGURE, _STRENGTH = 0.5, 0.3, 0.3
#: Characters from the start of a source that tell its kind.
_SAMPLE = 8000
#: Fewest domains from which the share of one is limited.
_DOMAINS = 4


def evidence_of(material: ReportMaterial, sources: Sources, meaning: Meaning) -> list[Evidence]:
    """Return the evidence of all rounds, best first: near the question, with figures, of a strong kind of source.

    Of two findings that say nearly the same with the same figures the better one stays.
    """
    found = [*_found(material, sources)]
    texts = [Text(f"{one.before} {one.finding.quote}", one.language) for one in found]
    subjects = dict.fromkeys([material.asked.query, *material.plan.questions, *material.plan.aspects])
    near = [_shares_of_best(rank_texts(subject, texts, meaning)) for subject in subjects]
    # The nearness to the query, and that to the nearest other subject.
    worth = [
        _worth(one) + own + max(others, default=0.0)
        for one, (own, *others) in zip(found, zip(*near, strict=True), strict=True)
    ]
    order = sorted(range(len(found)), key=lambda place: (-worth[place], place))
    ranked = _distinct([found[place] for place in order], meaning)
    return [replace(one, evidence_id=f"e{number}") for number, one in enumerate(ranked, 1)]


def best_evidence(evidence: Sequence[Evidence], sources: Sources, most: int, share: float) -> list[Evidence]:
    """Return at most `most` pieces, in their order; of several domains none has more than its share."""
    domain = {one.evidence_id: sources.by_key[one.finding.source_key].domain for one in evidence}
    several = len(set(domain.values())) >= _DOMAINS
    bound = max(1, round(share * min(most, len(evidence)))) if several else most
    taken: Counter[str] = Counter()
    kept: list[Evidence] = []
    for one in evidence:
        if taken[domain[one.evidence_id]] < bound and len(kept) < most:
            taken[domain[one.evidence_id]] += 1
            kept.append(one)
    return kept


def _found(material: ReportMaterial, sources: Sources) -> Iterator[Evidence]:
    """Yield every finding that stands in its source, in text order, without an id."""
    by_source: dict[str, list[tuple[float, Place]]] = {}
    for finding in (finding for result in material.results for finding in result.findings):
        if finding.source_key not in sources.by_key:
            continue
        place = sources.at(finding.source_key, finding.start_char, finding.end_char)
        # The text of a withdrawn source is gone.
        if finding.quote.strip() and place.quote == finding.quote:
            by_source.setdefault(place.key, []).append((finding.score, place))
    for key, placed in sorted(by_source.items()):
        source = sources.by_key[key]
        spans = split_sentences(source.text, source.language)
        strength = strength_of(source)
        for score, place in _apart(placed, spans, sources):
            if not is_furniture(shown(place.quote)):
                yield Evidence(
                    "",
                    Finding(key, place.quote, place.start, place.end, place.page_no, score=score),
                    _before(place, spans, source.text),
                    source.reference.title,
                    source.reference.publisher or source.domain,
                    source.reference.year,
                    source.language,
                    strength,
                )


def _apart(
    found: Sequence[tuple[float, Place]], spans: Sequence[tuple[int, int]], sources: Sources
) -> list[tuple[float, Place]]:
    """Return places of a source that do not overlap, with their scores, in text order.

    What is long, or overlaps one with a better score, is divided into the sentences that are left.
    """
    kept: list[tuple[float, Place]] = []

    def is_free(place: Place) -> bool:
        return not any(place.overlaps(other) for _, other in kept)

    for score, place in sorted(found, key=lambda one: (-one[0], one[1].start, one[1].end)):
        within = [
            sources.at(place.key, *span) for span in spans if place.start <= span[0] and span[1] <= place.end
        ]
        pieces = [place] if len(within) <= _SENTENCES and is_free(place) else filter(is_free, within)
        kept += [(score, piece) for piece in pieces]
    return sorted(kept, key=lambda one: one[1].start)


def _before(place: Place, spans: Sequence[tuple[int, int]], text: str) -> str:
    """Return the sentence before a place in its paragraph."""
    ahead = [(start, end) for start, end in spans if end <= place.start][-1:]
    return shown(" ".join(text[start:end] for start, end in ahead if "\n\n" not in text[end : place.start]))


def _worth(one: Evidence) -> float:
    rank = STRENGTHS.index(one.strength) / (len(STRENGTHS) - 1)
    figure = _FIGURE if quantities_in(one.finding.quote) else 0.0
    return _SCORE * min(1.0, one.finding.score) + figure + _STRENGTH * (1 - rank)


def _shares_of_best(scores: Sequence[float]) -> list[float]:
    best = max(scores, default=0.0) or 1.0
    return [score / best for score in scores]


def _distinct(evidence: Sequence[Evidence], meaning: Meaning) -> list[Evidence]:
    pairs = near_duplicates([Text(one.finding.quote, one.language) for one in evidence], meaning)
    figures = [frozenset(one.values for one in quantities_in(one.finding.quote)) for one in evidence]
    dropped = {other for one, other in pairs if figures[one] == figures[other]}
    return [one for place, one in enumerate(evidence) if place not in dropped]


def strength_of(source: SourceText) -> str:
    """Return one of the readers' `STRENGTHS`, by title and publisher or else by its text, the strongest first."""
    publisher = source.reference.publisher or ""
    text = source.text[:_SAMPLE]
    named = [
        name
        for name, (in_head, of_publisher, _, _) in _kinds().items()
        if in_head.search(f"{source.reference.title} {publisher}") or of_publisher.search(publisher)
    ]
    told = [
        name
        for name, (_, _, in_text, least) in _kinds().items()
        if len({found.casefold() for found in in_text.findall(text)}) >= least
    ]
    # Whoever publishes it, what describes a trial at length is one.
    if named[:1] == ["provider"] and told[:1] == ["trial"]:
        return "trial"
    return [*named, *told, "report"][0]


@cache
def _kinds() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], int]]:
    """Return by kind the words of a title, a publisher and a text, and how many of these decide."""
    return {
        name: (_any(one["named"]), _any(one.get("publisher", [])), _any(one["told"]), one["least"])
        for name, one in table_of("strength").items()
    }


def _any(phrases: list[str]) -> re.Pattern[str]:
    """Match one of the phrases as a whole; without phrases nothing."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases)) or '(?!)'})(?!\w)", re.IGNORECASE)

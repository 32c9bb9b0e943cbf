"""Collect what the rounds found as evidence: verified, with context and source, each thing once, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from research.citations.quantities import quantities_in
from research.material import ReportMaterial
from research.meaning import Meaning, Text, near_duplicates, rank_texts
from research.memo.worker_result import Finding
from research.readers.protocol import STRENGTHS, Evidence
from research.readers.rules.statements import is_furniture
from research.readers.shown import shown
from research.text import split_sentences
from research.writing.desk import Place, Sources
from research.writing.strength import strength_of

#: A finding of more sentences is divided into its sentences.
_SENTENCES = 3
#: Weights of nearness to the question, of the reader's own score, of a figure, and of the strongest kind of proof.
_NEAR, _SCORE, _FIGURE, _STRENGTH = 1.0, 0.5, 0.3, 0.3
#: Fewest domains from which the share of one is limited.
_DOMAINS = 4


def evidence_of(material: ReportMaterial, sources: Sources, meaning: Meaning) -> list[Evidence]:
    """Return the evidence of all rounds, best first: near the question, with figures, of a strong kind of source.

    Of two findings that say nearly the same with the same figures the better one stays.
    """
    strengths = {key: strength_of(source) for key, source in sources.by_key.items()}
    found = [_evidence(*piece, sources, strengths) for piece in _pieces(material, sources)]
    subjects = [material.query, *material.questions, *material.aspects]
    texts = [Text(f"{one.before} {one.finding.quote}", one.language) for one in found]
    worth = [_worth(one) for one in found]
    for near in _nearness(subjects, texts, meaning):
        worth = [known + _NEAR * value for known, value in zip(worth, near, strict=True)]
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


def _pieces(material: ReportMaterial, sources: Sources) -> Iterator[tuple[Finding, str]]:
    """Yield every finding that stands in its source, in text order, each with the sentence before it."""
    by_source: dict[str, list[Finding]] = {}
    for finding in (finding for result in material.results for finding in result.findings):
        if finding.source_key in sources.by_key and (place := _placed(finding, sources)):
            by_source.setdefault(place.source_key, []).append(place)
    for key, findings in sorted(by_source.items()):
        spans = split_sentences(sources.texts[key], sources.by_key[key].language)
        for finding in _apart(findings, spans, sources):
            if not is_furniture(shown(finding.quote)):
                yield finding, _before(finding, spans, sources.texts[key])


def _placed(finding: Finding, sources: Sources) -> Finding | None:
    text = sources.texts[finding.source_key]
    if finding.quote.strip() and text[finding.start_char : finding.end_char] == finding.quote:
        return finding
    place = sources.place(finding.quote, finding.source_key)
    return _moved(finding, place) if place else None


def _moved(finding: Finding, to: Place) -> Finding:
    return replace(
        finding, source_key=to.key, quote=to.quote, start_char=to.start, end_char=to.end, page_no=to.page_no
    )


def _apart(findings: Sequence[Finding], spans: Sequence[tuple[int, int]], sources: Sources) -> list[Finding]:
    """Return findings of a source that do not overlap, in text order.

    What is long, or overlaps one with a better score, is divided into the sentences that are left.
    """
    kept: list[Finding] = []

    def is_free(start: int, end: int) -> bool:
        return not any(start < one.end_char and one.start_char < end for one in kept)

    for finding in sorted(findings, key=lambda one: (-one.score, one.start_char, one.end_char)):
        whole = (finding.start_char, finding.end_char)
        within = [(start, end) for start, end in spans if whole[0] <= start and end <= whole[1]]
        if len(within) <= _SENTENCES and is_free(*whole):
            kept.append(finding)
        else:
            free = [span for span in within if is_free(*span)]
            kept += [_moved(finding, sources.at(finding.source_key, *span)) for span in free]
    return sorted(kept, key=lambda one: one.start_char)


def _before(finding: Finding, spans: Sequence[tuple[int, int]], text: str) -> str:
    """Return the sentence before the finding in its paragraph."""
    ahead = [(start, end) for start, end in spans if end <= finding.start_char][-1:]
    return shown(" ".join(text[s:e] for s, e in ahead if not text[e : finding.start_char].count("\n\n")))


def _evidence(finding: Finding, before: str, sources: Sources, strengths: dict[str, str]) -> Evidence:
    source = sources.by_key[finding.source_key]
    reference = source.reference
    return Evidence(
        "",
        finding,
        before,
        reference.title,
        reference.publisher or source.domain,
        reference.year,
        source.language,
        strengths[finding.source_key],
    )


def _worth(one: Evidence) -> float:
    rank = STRENGTHS.index(one.strength) / (len(STRENGTHS) - 1)
    figure = _FIGURE if quantities_in(one.finding.quote) else 0.0
    return _SCORE * min(1.0, one.finding.score) + figure + _STRENGTH * (1 - rank)


def _nearness(subjects: Sequence[str], texts: Sequence[Text], meaning: Meaning) -> Iterator[list[float]]:
    """Yield for the texts their nearness, 0 to 1, to the report's query and to the nearest other subject."""
    scores = []
    for subject in dict.fromkeys(subjects):
        told = rank_texts(subject, texts, meaning)
        best = max(told, default=0.0) or 1.0
        scores.append([value / best for value in told])
    yield from scores[:1]
    if scores[1:]:
        yield [max(values) for values in zip(*scores[1:], strict=True)]


def _distinct(evidence: Sequence[Evidence], meaning: Meaning) -> list[Evidence]:
    pairs = near_duplicates([Text(one.finding.quote, one.language) for one in evidence], meaning)
    figures = [frozenset(one.values for one in quantities_in(one.finding.quote)) for one in evidence]
    dropped = {other for one, other in pairs if figures[one] == figures[other]}
    return [one for place, one in enumerate(evidence) if place not in dropped]

"""Turn the findings of the rounds into evidence, and find where sources agree and disagree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations

from research.citations.claims import quantities_in
from research.memo import Claim, Finding
from research.readers.findings import clean_quote, folded_in_place, is_furniture, pattern, repeats
from research.readers.protocol import STRENGTHS, Agreement, Evidence, SourceText
from research.text.language import split_sentences, table_of
from research.text.meaning import Meaning, Text, rank_texts, text_likeness
from research.writing.checking import Desk, QuotedPlace, ReportMaterial, SourceTexts, Verification

#: A finding of more sentences is divided into its sentences.
_SENTENCES = 3
#: Weights, relative to nearness, of the reader's score, of a figure, and of the strongest kind of proof.
_SCORE, _FIGURE, _STRENGTH = 0.5, 0.3, 0.3
#: Characters from the start of a source that tell its kind.
_SAMPLE = 8000
#: Fewest domains from which the share of one is limited.
_DOMAINS = 4


def ranked_evidence(material: ReportMaterial, sources: SourceTexts, meaning: Meaning) -> list[Evidence]:
    """Return the evidence of all rounds, best first: near the question, with figures, of a strong kind of source.

    Of two near duplicates with the same figures the better one is kept.
    """
    found = [*_found(material, sources)]
    texts = [Text(f"{one.before} {one.finding.quote}", one.language) for one in found]
    subjects = dict.fromkeys([material.asked.query, *material.plan.questions, *material.plan.aspects])
    near = [_shares_of_best(rank_texts(subject, texts, meaning)) for subject in subjects]
    # The nearness to the query, plus that to the nearest other subject.
    worth = [
        _worth(one) + own + max(others, default=0.0)
        for one, (own, *others) in zip(found, zip(*near, strict=True), strict=True)
    ]
    order = sorted(range(len(found)), key=lambda place: (-worth[place], place))
    ranked = _distinct([found[place] for place in order], meaning)
    return [replace(one, evidence_id=f"e{number}") for number, one in enumerate(ranked, 1)]


def best_evidence(evidence: Sequence[Evidence], sources: SourceTexts, most: int, share: float) -> list[Evidence]:
    """Return at most `most` pieces in order; with several domains, each has at most `share` of them."""
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


def _found(material: ReportMaterial, sources: SourceTexts) -> Iterator[Evidence]:
    """Yield every finding that is in its source, in text order, without an id."""
    by_source: dict[str, list[tuple[float, QuotedPlace]]] = {}
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
            if not is_furniture(clean_quote(place.quote)):
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
    found: Sequence[tuple[float, QuotedPlace]], spans: Sequence[tuple[int, int]], sources: SourceTexts
) -> list[tuple[float, QuotedPlace]]:
    """Return places of a source that do not overlap, with their scores, in text order.

    A long place, or one that overlaps a better one, is divided into its remaining sentences.
    """
    kept: list[tuple[float, QuotedPlace]] = []

    def is_free(place: QuotedPlace) -> bool:
        return not any(place.overlaps(other) for _, other in kept)

    for score, place in sorted(found, key=lambda one: (-one[0], one[1].start, one[1].end)):
        within = [
            sources.at(place.key, *span) for span in spans if place.start <= span[0] and span[1] <= place.end
        ]
        pieces = [place] if len(within) <= _SENTENCES and is_free(place) else filter(is_free, within)
        kept += [(score, piece) for piece in pieces]
    return sorted(kept, key=lambda one: one[1].start)


def _before(place: QuotedPlace, spans: Sequence[tuple[int, int]], text: str) -> str:
    """Return the sentence before a place in its paragraph."""
    ahead = [(start, end) for start, end in spans if end <= place.start][-1:]
    return clean_quote(" ".join(text[start:end] for start, end in ahead if "\n\n" not in text[end : place.start]))


def _worth(one: Evidence) -> float:
    rank = STRENGTHS.index(one.strength) / (len(STRENGTHS) - 1)
    figure = _FIGURE if quantities_in(one.finding.quote) else 0.0
    return _SCORE * min(1.0, one.finding.score) + figure + _STRENGTH * (1 - rank)


def _shares_of_best(scores: Sequence[float]) -> list[float]:
    best = max(scores, default=0.0) or 1.0
    return [score / best for score in scores]


def _distinct(evidence: Sequence[Evidence], meaning: Meaning) -> list[Evidence]:
    texts = [Text(one.finding.quote, one.language) for one in evidence]
    dropped = {other for _, other in repeats(texts, meaning)}
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
    kinds = [
        name
        for name, (_, _, in_text, least) in _kinds().items()
        if len({found.casefold() for found in in_text.findall(text)}) >= least
    ]
    # A text that describes a trial at length counts as one, even from a provider.
    if named[:1] == ["provider"] and kinds[:1] == ["trial"]:
        return "trial"
    return [*named, *kinds, "report"][0]


@cache
def _kinds() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], int]]:
    """Return by kind patterns for title, publisher and text, and the number of matches that decide."""
    return {
        name: (_any(one["named"]), _any(one.get("publisher", [])), _any(one["told"]), one["least"])
        for name, one in table_of("strength").items()
    }


def _any(phrases: list[str]) -> re.Pattern[str]:
    """Match one of the phrases; without phrases match nothing."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases)) or '(?!)'})(?!\w)", re.IGNORECASE)


# Find where sources agree and disagree: among the best evidence, and on the claims that Round 3 verified.


#: Indexes of two pieces of evidence.
_Pair = tuple[int, int]
#: Most pairs of evidence that are compared, most of one piece, and most sentences that a claim is compared with.
_PAIRS, _OF_A_PIECE, _PER_CLAIM = 8, 3, 2
#: Least worth of comparing two sentences, and the factor if their figures or tendencies may differ.
_WORTH, _MAY_DIFFER = 0.12, 2
#: Figures of one kind, in folded text.
_FIGURES = {
    "money": re.compile(r"[$€£]|\b(?:dollars?|pounds?|euros?|dolares|pesos|soles)\b"),
    "share": re.compile(
        r"%|\bper\s?cent\b|\bpor ciento\b|\b(?:half|thirds?|quarters?|mitad|tercios?)\b"
        r"|\b(?:in|out of|de cada) (?:ten|twenty|a hundred|diez|veinte|cien|100?|20)\b"
    ),
}


@dataclass(frozen=True)
class Verdict:
    """A claim's evidence, and evidence of another domain that confirms or contradicts it."""

    own: Evidence
    verification: Verification
    other: Evidence | None = None


@dataclass(frozen=True)
class EvidenceComparison:
    """The contradictions among the best evidence, and the verdicts on claims."""

    contradictions: tuple[tuple[Evidence, Evidence], ...] = ()
    verdicts: tuple[Verdict, ...] = ()


def compare_evidence(desk: Desk, best: Sequence[Evidence], every: Sequence[Evidence]) -> EvidenceComparison:
    """Compare pairs of different domains, those that may contradict each other first, all in one question.

    `every`: all evidence, `best` of it first.
    """
    domains = [desk.sources.by_key[one.finding.source_key].domain for one in every]
    texts = [Text(clean_quote(one.finding.quote), one.language) for one in every]
    alike = text_likeness(texts, desk.reader.meaning)
    stated = [_stated(one.text) for one in texts]

    def nearest(pairs: Iterable[_Pair]) -> list[_Pair]:
        """Return the pairs of different domains that may be about the same thing, most promising first."""
        worth = {
            (one, other): alike[one][other] * (_MAY_DIFFER if _may_differ(stated[one], stated[other]) else 1)
            for one, other in pairs
            if domains[one] != domains[other]
        }
        return sorted((pair for pair in worth if worth[pair] >= _WORTH), key=lambda pair: (-worth[pair], pair))

    pairs = _few_of_each(nearest(combinations(range(len(best)), 2)), _OF_A_PIECE)[:_PAIRS]
    claims = dict.fromkeys(_taken_from(claim, every, domains) for claim in desk.material.memo.claims_to_verify)
    owns = [own for own in claims if own is not None][: desk.material.config.max_claims]
    of_claims = {own: nearest((own, other) for other in range(len(every)))[:_PER_CLAIM] for own in owns}
    asked = list(dict.fromkeys(chain(pairs, *of_claims.values())))
    relations = desk.reader.agreement([(every[one], every[other]) for one, other in asked])
    how = dict(zip(asked, relations, strict=True))
    contradictions = _few_of_each([pair for pair in pairs if how[pair] == "contradicts"], 1)
    return EvidenceComparison(
        tuple((every[one], every[other]) for one, other in contradictions),
        tuple(
            _verdict(own, {how[pair]: every[pair[1]] for pair in reversed(of_claims[own])}, every) for own in owns
        ),
    )


def _stated(text: str) -> set[str]:
    """Return the kinds of facts that another text may contradict: "money", "share", "rising", "falling"."""
    plain = folded_in_place(text)
    tendency = {name for name in ("rising", "falling") if pattern(name).search(plain)}
    figures = {name for name, words in _FIGURES.items() if words.search(plain)}
    return figures | (tendency if len(tendency) == 1 else set())


def _may_differ(one: set[str], other: set[str]) -> bool:
    """Return whether two texts state figures of one kind, or opposite tendencies."""
    return bool(one & other & {*_FIGURES}) or {"rising", "falling"} <= one | other


def _few_of_each(pairs: Sequence[_Pair], most: int) -> list[_Pair]:
    """Return the first pairs, each piece in at most `most` of them."""
    taken: Counter[int] = Counter()
    kept: list[_Pair] = []
    for pair in pairs:
        if all(taken[one] < most for one in pair):
            taken.update(pair)
            kept.append(pair)
    return kept


def _taken_from(claim: Claim, every: Sequence[Evidence], domains: Sequence[str]) -> int | None:
    """Return the index of the evidence that has the claim or a part of it; None without one."""
    text, quotes = claim.claim_text, (" ".join(one.finding.quote.split()) for one in every)
    own = (place for place, quote in enumerate(quotes) if quote in text or text in quote)
    return next((place for place in own if domains[place] == claim.source_domain), None)


def _verdict(own: int, by_agreement: Mapping[Agreement, Evidence], every: Sequence[Evidence]) -> Verdict:
    """Return the verdict of other sources on a claim: a contradiction takes precedence over agreement."""
    if other := by_agreement.get("contradicts"):
        return Verdict(every[own], "contradicted", other)
    other = by_agreement.get("agrees")
    return Verdict(every[own], "confirmed" if other else "not_found", other)

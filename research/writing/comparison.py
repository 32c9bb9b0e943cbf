"""Find where sources agree and disagree: among the best evidence, and on the claims that Round 3 verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from research.material import ReportMaterial
from research.meaning import Meaning, Text, likeness
from research.memo import Claim
from research.readers.protocol import Agreement, Evidence, Reader, Statement
from research.readers.shown import shown
from research.text import content_stems
from research.writing.claims import Verification
from research.writing.places import Sources

#: Places of two pieces of evidence.
_Pair = tuple[int, int]
#: Most pairs of evidence that are compared, most of one piece, and most sentences that a claim is compared with.
_PAIRS, _OF_A_PIECE, _PER_CLAIM = 6, 2, 2
#: Least likeness of two sentences that may be about the same thing.
_ALIKE = 0.12
#: Least share of a claim's stems that the sentence has which it was taken from.
_OWN = 0.6


@dataclass(frozen=True)
class Verdict:
    """A claim's evidence, and evidence of another domain that confirms or contradicts it."""

    own: Evidence
    verification: Verification
    other: Evidence | None = None


@dataclass(frozen=True)
class Comparison:
    """The contradictions among the best evidence, and the verdicts on claims."""

    contradictions: tuple[tuple[Evidence, Evidence], ...] = ()
    verdicts: tuple[Verdict, ...] = ()


def compare(
    material: ReportMaterial, best: Sequence[Evidence], every: Sequence[Evidence], sources: Sources, reader: Reader
) -> Comparison:
    """Compare the nearest pairs of different domains, all in one question to the reader.

    `every`: all evidence, `best` of it first.
    """
    near = _Nearness(every, sources, reader.meaning)
    pairs = _few_of_each(near.ordered(list(combinations(range(len(best)), 2))))
    claims = [
        own for one in material.memo.claims_to_verify if (own := _evidence_for(one, every, sources)) is not None
    ]
    claims = list(dict.fromkeys(claims))[: material.config.max_claims]
    of_claims = [near.ordered([(own, other) for other in range(len(every))])[:_PER_CLAIM] for own in claims]
    asked = list(dict.fromkeys([*pairs, *(pair for group in of_claims for pair in group)]))
    statements = [Statement(shown(one.finding.quote), one.finding.source_key, one.language) for one in every]
    told = reader.agreement([(statements[one], statements[other]) for one, other in asked]) if asked else []
    by_pair = dict(zip(asked, told, strict=True))
    contradictions = _each_once([pair for pair in pairs if by_pair[pair] == "contradicts"])
    return Comparison(
        tuple((every[one], every[other]) for one, other in contradictions),
        tuple(_verdict(own, group, by_pair, every) for own, group in zip(claims, of_claims, strict=True)),
    )


class _Nearness:
    """How alike the sentences of different domains are."""

    def __init__(self, evidence: Sequence[Evidence], sources: Sources, meaning: Meaning) -> None:
        self._domains = [sources.by_key[one.finding.source_key].domain for one in evidence]
        self._alike = likeness([Text(shown(one.finding.quote), one.language) for one in evidence], meaning)

    def ordered(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """Return the pairs of different domains that may be about the same thing, most alike first."""
        rated = [
            (self._alike[one][other], (one, other))
            for one, other in pairs
            if self._domains[one] != self._domains[other]
        ]
        return [pair for value, pair in sorted(rated, key=lambda one: (-one[0], one[1])) if value >= _ALIKE]


def _few_of_each(pairs: Sequence[_Pair]) -> list[_Pair]:
    taken: Counter[int] = Counter()
    kept: list[_Pair] = []
    for pair in pairs:
        if all(taken[one] < _OF_A_PIECE for one in pair) and len(kept) < _PAIRS:
            taken.update(pair)
            kept.append(pair)
    return kept


def _stems(one: Evidence) -> frozenset[str]:
    return frozenset(content_stems(one.finding.quote, one.language))


def _evidence_for(claim: Claim, every: Sequence[Evidence], sources: Sources) -> int | None:
    """Return the place of the evidence that the claim was taken from, or None if it cannot be identified."""
    candidates = [
        place
        for place, one in enumerate(every)
        for source in (sources.by_key[one.finding.source_key],)
        if claim.source_url in (one.finding.source_key, source.reference.url)
        or (claim.source_domain and source.domain == claim.source_domain)
    ]
    rated = {place: _shared(claim.claim_text, every[place]) for place in candidates}
    best = max(candidates, key=lambda place: (rated[place], -place), default=None)
    return best if best is not None and rated[best] >= _OWN else None


def _shared(claim: str, one: Evidence) -> float:
    """Return how much of claim and sentence is the same, 0 to 1."""
    said, own = frozenset(content_stems(claim, one.language)), _stems(one)
    return len(said & own) / max(1, len(said))


def _verdict(
    own: int, pairs: Sequence[_Pair], told: Mapping[_Pair, Agreement], every: Sequence[Evidence]
) -> Verdict:
    wanted: tuple[tuple[Agreement, Verification], ...] = (("contradicts", "contradicted"), ("agrees", "confirmed"))
    for agreement, verification in wanted:
        for pair in pairs:
            if told[pair] == agreement:
                return Verdict(every[own], verification, every[pair[1]])
    return Verdict(every[own], "not_found")


def _each_once(pairs: Sequence[_Pair]) -> list[_Pair]:
    taken: set[int] = set()
    kept = []
    for pair in pairs:
        if not taken.intersection(pair):
            taken.update(pair)
            kept.append(pair)
    return kept

"""Find where sources agree and disagree: among the best evidence, and on the claims that Round 3 verified."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from research.meaning import Text, likeness
from research.memo import Claim
from research.readers.protocol import Agreement, Evidence
from research.readers.shown import shown
from research.readers.vocabulary import folded, pattern
from research.writing.desk import Desk, Verification

#: Places of two pieces of evidence.
_Pair = tuple[int, int]
#: Most pairs of evidence that are compared, most of one piece, and most sentences that a claim is compared with.
_PAIRS, _OF_A_PIECE, _PER_CLAIM = 8, 3, 2
#: Least worth of comparing two sentences, and the factor where their figures or tendencies may differ.
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
class Comparison:
    """The contradictions among the best evidence, and the verdicts on claims."""

    contradictions: tuple[tuple[Evidence, Evidence], ...] = ()
    verdicts: tuple[Verdict, ...] = ()


def compare(desk: Desk, best: Sequence[Evidence], every: Sequence[Evidence]) -> Comparison:
    """Compare pairs of different domains, those that may contradict each other first, all in one question.

    `every`: all evidence, `best` of it first.
    """
    domains = [desk.sources.by_key[one.finding.source_key].domain for one in every]
    texts = [Text(shown(one.finding.quote), one.language) for one in every]
    alike = likeness(texts, desk.reader.meaning)
    stated = [_stated(one.text) for one in texts]

    def nearest(pairs: Iterable[_Pair]) -> list[_Pair]:
        """Return the pairs of different domains that may be about the same thing, most worth comparing first."""
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
    told = desk.reader.agreement([(every[one], every[other]) for one, other in asked])
    how = dict(zip(asked, told, strict=True))
    contradictions = _few_of_each([pair for pair in pairs if how[pair] == "contradicts"], 1)
    return Comparison(
        tuple((every[one], every[other]) for one, other in contradictions),
        tuple(
            _verdict(own, {how[pair]: every[pair[1]] for pair in reversed(of_claims[own])}, every) for own in owns
        ),
    )


def _stated(text: str) -> set[str]:
    """Return what a text states that another may contradict: "money", "share", and "rising" or "falling"."""
    plain = folded(text)
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
    """Return the place of the evidence that has the claim or a part of it; None without one."""
    said, quotes = claim.claim_text, (" ".join(one.finding.quote.split()) for one in every)
    own = (place for place, quote in enumerate(quotes) if quote in said or said in quote)
    return next((place for place in own if domains[place] == claim.source_domain), None)


def _verdict(own: int, by_agreement: Mapping[Agreement, Evidence], every: Sequence[Evidence]) -> Verdict:
    """Return what others say of a claim: one that contradicts it counts before one that agrees."""
    if other := by_agreement.get("contradicts"):
        return Verdict(every[own], "contradicted", other)
    other = by_agreement.get("agrees")
    return Verdict(every[own], "confirmed" if other else "not_found", other)

"""The share of right ones among all entries that passed unseen, from audits in every stratum. Pure.

The post-stratified estimator (Cochran 1977, section 5A.9): the share of each stratum, weighted by the entries that
it has. Within a stratum each audit counts as often as 1 / the probability of its draw (Hájek 1971), since the draw
grows and shrinks. The interval is Wilson's with the effective sample size of the design, as Franco, Little, Louis
and Slud (2019) recommend for shares near 1: 1 / Σ W² (1 − f) / n over the strata, where W is a stratum's part of
all entries, n its effective number of audits (Kish 1965) and 1 − f the correction for a finite population. The
variance within each stratum is taken to be that of all entries, so that strata without a mistake do not narrow the
interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from services.trust.drawing import Stratum
from services.trust.wilson import Interval, Share, effective_size, wilson


@dataclass(frozen=True, slots=True)
class Audited:
    """One stratum: how many entries passed unseen, and what audits found of some."""

    stratum: Stratum
    population: float
    #: (whether it is right, 1 / the probability of its draw).
    judged: Sequence[tuple[bool, float]] = ()


def stratified_share(strata: Iterable[Audited]) -> Share:
    """Return the estimated share of right ones among all entries of the strata; its value is None without audits.

    A stratum without audits is joined to the one that is most like it, whatever was found there.
    """
    joined = _joined(list(strata))
    judged = sum(len(one.judged) for one in joined)
    if not judged:
        return Share(None, Interval(0.0, 1.0), 0, 0.0)
    total = sum(one.population for one in joined)
    value = variance = 0.0
    for one in joined:
        part, weights = one.population / total, [weight for _, weight in one.judged]
        value += part * sum(weight for right, weight in one.judged if right) / sum(weights)
        unseen = max(0.0, 1 - len(weights) / one.population)
        variance += part * part * unseen / effective_size(weights)
    value = min(1.0, value)
    # Every entry was audited: the share is known, and no interval remains.
    if variance <= 0:
        return Share(value, Interval(value, value), judged, total)
    return Share(value, wilson(value, 1 / variance), judged, 1 / variance)


def _joined(strata: Sequence[Audited]) -> list[Audited]:
    """Give the entries of each stratum without audits to the most similar one that has some (collapsed strata)."""
    found = {one.stratum: one for one in strata if one.judged}
    population = {stratum: max(one.population, float(len(one.judged))) for stratum, one in found.items()}
    for one in strata:
        if found and not one.judged:
            population[min(found, key=partial(_distance, one.stratum))] += one.population
    return [Audited(stratum, population[stratum], one.judged) for stratum, one in found.items()]


def _distance(one: Stratum, other: Stratum) -> tuple[int, int, tuple[str, str, str, int]]:
    """Return how unlike two strata are, with a fixed order between equally unlike ones."""
    unlike = (one.form != other.form) + (one.language != other.language) + (one.provider != other.provider)
    return unlike, abs(one.band - other.band), (other.form, other.language, other.provider, other.band)

"""How often the supervisor is right, with intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from services.trust.audit_sample import (
    Interval,
    Share,
    Stratum,
    audits_wanting,
    effective_size,
    weighted_share,
    wilson,
)

_ANY = Stratum("", "", "", 0)
#: Findings that the machine is right, or wrong; others mean neither.
_RIGHT, _WRONG = ("same", "machine"), ("auditor",)


@dataclass(frozen=True, slots=True)
class SettledField:
    """One field of a settled audit."""

    #: A key that is unique for each audit.
    audit: object
    #: Confidence of the entry, and the probability with which it was drawn.
    entry_confidence: float
    probability: float
    name: str
    required: bool
    confidence: float
    #: A key of `AuditFinding`.
    finding: str | None
    #: The stratum by which the entry was drawn.
    stratum: Stratum = _ANY
    #: Confidence of the entry with the rule on two readers that agree the other way; None if that is the same.
    otherwise: float | None = None

    def confidence_by(self, agreed_completes: bool) -> float:
        """Return the confidence of the entry with the rule on or off: agreement only ever raises it."""
        both = (self.entry_confidence, self.entry_confidence if self.otherwise is None else self.otherwise)
        return max(both) if agreed_completes else min(both)

    @property
    def right(self) -> bool | None:
        """Whether the machine is right; None if that cannot be decided."""
        return True if self.finding in _RIGHT else False if self.finding in _WRONG else None


@dataclass(frozen=True, slots=True)
class Precision:
    """A precision, and how many audits are missing to know it within three points."""

    #: Name of the field; None for all required fields of an entry together.
    name: str | None
    share: Share
    wanting: int
    #: Number of entries completed without review whose precision this is.
    population: int


def submissions_judged(found: Iterable[SettledField], agreed_completes: bool = True) -> list[Judged]:
    """Return the audited entries, with their confidence by this rule: right if every required field is.

    An entry without a wrong field, but with one that cannot be decided, is left out.
    """
    return [
        replace(judged, confidence=fields[0].confidence_by(agreed_completes))
        for fields, judged in _whole_submissions(found)
    ]


def fields_judged(found: Iterable[SettledField]) -> list[Judged]:
    """Return the audited values with their own confidence."""
    return [_judged(field) for field in found if field.right is not None]


def _judged(field: SettledField) -> Judged:
    return Judged(field.confidence, field.right is True, 1 / field.probability)


def _whole_submissions(found: Iterable[SettledField]) -> Iterator[tuple[list[SettledField], Judged]]:
    by_audit: dict[object, list[SettledField]] = {}
    for field in found:
        if field.required:
            by_audit.setdefault(field.audit, []).append(field)
    for fields in by_audit.values():
        rights = [field.right for field in fields]
        if False in rights or None not in rights:
            yield fields, Judged(fields[0].entry_confidence, False not in rights, 1 / fields[0].probability)


def precisions(found: Sequence[SettledField], passed: Mapping[Stratum, int]) -> list[Precision]:
    """Return the precision of all required fields together, then of each field in the order in which they come.

    `passed` are the numbers of entries completed without review, by stratum.
    """
    judged = [(fields[0].stratum, one) for fields, one in _whole_submissions(found)]
    result = [_precision(None, judged, passed)]
    audits = Counter({field.audit: field.stratum for field in found}.values())
    for name in dict.fromkeys(field.name for field in found):
        own = [
            (field.stratum, _judged(field)) for field in found if field.name == name and field.right is not None
        ]
        # Not every entry has every field: a stratum's share is taken from its audited entries.
        having = Counter(stratum for stratum, _ in own)
        populations = {
            stratum: passed.get(stratum, 0) * count / audits[stratum] for stratum, count in having.items()
        }
        result.append(_precision(name, own, populations))
    return result


# How often the entries are right that were completed only because two readers agree. Pure.
#
# Both readers may make the same mistake, which nothing that compares them can notice.


#: Upper end of the 95 % interval of the share of the recognizer's wrong values that a second reader has just as
#: wrong: `same_error_rate` of docs/benchmarks/reading.json, 0 of 49 values. None: not measured yet.
SAME_ERRORS_AT_MOST: float | None = 0.073
#: The alarm is raised with this many audits whose interval ends below this precision.
LEAST_TO_WARN, LEAST_PRECISION = 10, 0.98


def precision_of_agreement(found: Iterable[SettledField], passed: Mapping[Stratum, int]) -> Precision:
    """Return the precision of all required fields of the entries that were completed because two readers agree."""
    of_agreement = {stratum: number for stratum, number in passed.items() if stratum.by_agreement}
    return precisions([field for field in found if field.stratum.by_agreement], of_agreement)[0]


def has_fallen(precision: Precision) -> bool:
    """Whether enough audits show that a precision of agreement is too low."""
    share = precision.share
    return share.judged >= LEAST_TO_WARN and share.interval.high < LEAST_PRECISION


def _precision(
    name: str | None, judged: Sequence[tuple[Stratum, Judged]], passed: Mapping[Stratum, float]
) -> Precision:
    of: dict[Stratum, list[tuple[bool, float]]] = {stratum: [] for stratum in passed}
    for stratum, one in judged:
        of.setdefault(stratum, []).append((one.right, one.weight))
    share = stratified_share(Audited(stratum, passed.get(stratum, 0), given) for stratum, given in of.items())
    population = max(sum(passed.values()), share.judged)
    return Precision(name, share, audits_wanting(share, population or math.inf), round(population))


# The effects of another threshold of completion, from recorded confidences and people's findings. Pure.
#
# Only a ready entry, with nothing missing or doubtful, can be completed without review at any threshold. Those
# above the threshold that was in force are known by audits, those below it by reviewers' decisions.


#: A threshold is proposed only if it rests on this many equally weighted judgements.
LEAST_EFFECTIVE = 100
#: Thresholds that are tried for a requested precision.
GRID = tuple(step / 200 for step in range(160, 201))


@dataclass(frozen=True, slots=True)
class Recorded:
    """The confidences recorded in a span of time."""

    #: Numbers of the entries that were ready, by confidence.
    ready: Mapping[float, int]
    #: All entries of the span, whether ready or not.
    entries: int
    weeks: float

    def passing(self, threshold: float) -> int:
        """How many entries are completed without review at a threshold."""
        return sum(number for confidence, number in self.ready.items() if confidence >= threshold)


@dataclass(frozen=True, slots=True)
class Forecast:
    threshold: float
    #: Entries of the span that would be completed without review, and their share of all.
    passing: int
    unseen: float | None
    precision: Share
    #: Additional entries a week for people, compared with now; negative for fewer.
    more_a_week: float | None


def forecast(
    recorded: Recorded, judged: Sequence[Judged], threshold: float, in_force: float, now: Recorded | None = None
) -> Forecast:
    """Return the effects of `threshold` if `in_force` is the present one.

    `now` are the confidences by the present rules, if `recorded` are by others. `judged` are entries with their
    confidence; an entry is right if all of its checked values are.
    """
    passing = recorded.passing(threshold)
    more = (now or recorded).passing(in_force) - passing
    return Forecast(
        threshold,
        passing,
        passing / recorded.entries if recorded.entries else None,
        precision_at(judged, threshold),
        more / recorded.weeks if recorded.weeks > 0 else None,
    )


def precision_at(judged: Sequence[Judged], threshold: float) -> Share:
    """Return the share of right entries among those completed without review at a threshold."""
    return weighted_share((one.right, one.weight, one.count) for one in judged if one.confidence >= threshold)


def threshold_for(recorded: Recorded, judged: Sequence[Judged], wanted: float) -> float | None:
    """Return the lowest threshold of the grid whose expected precision reaches `wanted`; None if none is known.

    A threshold counts only if every higher one with enough judgements reaches `wanted` too.
    """
    lowest = None
    for threshold in reversed(GRID):
        found = precision_at(judged, threshold)
        if found.value is None or found.effective < LEAST_EFFECTIVE or not recorded.passing(threshold):
            continue
        if found.value < wanted:
            break
        lowest = threshold
    return lowest


# The share of right ones among all entries completed without review, from audits in every stratum. Pure.
#
# The post-stratified estimator (Cochran 1977, section 5A.9): the share of each stratum, weighted by the entries
# that it has. Within a stratum each audit counts as often as 1 / the probability of its draw (Hájek 1971), since
# the share drawn varies. The interval is Wilson's with the effective sample size of the design, as Franco,
# Little, Louis and Slud (2019) recommend for shares near 1: 1 / Σ W² (1 − f) / n over the strata, where W is a
# stratum's part of all entries, n its effective number of audits (Kish 1965) and 1 − f the correction for a finite
# population. Each stratum is assumed to have the variance of all entries, so that strata without a mistake do not
# narrow the interval.


@dataclass(frozen=True, slots=True)
class Audited:
    """One stratum: the number of entries completed without review, and the results of audits."""

    stratum: Stratum
    population: float
    #: (whether it is right, 1 / the probability of its draw).
    judged: Sequence[tuple[bool, float]] = ()


def stratified_share(strata: Iterable[Audited]) -> Share:
    """Return the estimated share of right ones among all entries of the strata; its value is None without audits.

    A stratum without audits is joined to the most similar one, whatever its results.
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
    # Every entry was audited: the share is known exactly.
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


def _distance(one: Stratum, other: Stratum) -> tuple[bool, int, int, tuple[str, str, str, int]]:
    """Return how unlike two strata are, with a fixed order between equally unlike ones."""
    apart = one.by_agreement != other.by_agreement
    unlike = (one.form != other.form) + (one.language != other.language) + (one.provider != other.provider)
    return apart, unlike, abs(one.band - other.band), (other.form, other.language, other.provider, other.band)


# Reliability diagram and expected calibration error of confidences, weighted. Pure.


BINS = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """One value given with a confidence, and whether a person found it right."""

    confidence: float
    right: bool
    #: How many such values it represents: 1 / the probability that it was checked.
    weight: float = 1.0
    #: How many values had this judgement.
    count: int = 1


@dataclass(frozen=True, slots=True)
class Bin:
    """The values whose confidence lies in [low, high); in the last bin also at its upper end."""

    low: float
    high: float
    #: Weighted mean of the confidences.
    confidence: float
    right: Share
    #: Share of the weight of all bins.
    weight: float


def bins(judged: Iterable[Judged]) -> list[Bin]:
    """Return the bins that hold values, from low to high confidence."""
    found: dict[int, list[Judged]] = {}
    for value in judged:
        found.setdefault(min(BINS - 1, int(value.confidence * BINS)), []).append(value)
    total = sum(value.count * value.weight for values in found.values() for value in values)
    return [_bin(place, values, total) for place, values in sorted(found.items())]


def calibration_error(found: Sequence[Bin]) -> float | None:
    """Return the mean distance between confidence and share right over the bins, by their weight; None for none.

    The expected calibration error of Naeini, Cooper and Hauskrecht 2015.
    """
    if not found:
        return None
    return sum(one.weight * abs(one.confidence - (one.right.value or 0.0)) for one in found)


def _bin(place: int, values: Sequence[Judged], total: float) -> Bin:
    weight = sum(value.count * value.weight for value in values)
    return Bin(
        place / BINS,
        (place + 1) / BINS,
        sum(value.count * value.weight * value.confidence for value in values) / weight,
        weighted_share((value.right, value.weight, value.count) for value in values),
        weight / total,
    )

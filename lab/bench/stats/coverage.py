"""Whether intervals and forecasts are right, over seasons whose truth is known."""

from __future__ import annotations

import statistics
from random import Random

from lab.bench.measure import Measure, at_least, at_most, measured
from lab.simulation.judged import by_audits, by_reviewers, by_strata, recorded
from lab.simulation.plan import Plan
from lab.simulation.simulate import simulate
from services.trust.precision import forecast, stratified_share

SEASONS = 1_000
PRECISIONS = (0.95, 0.995)
#: Audits of a season: for the interval, and for the forecast.
FEW, MANY = (50, 400), (400, 800)
#: Thresholds that are forecast.
THRESHOLDS = tuple(0.85 + 0.01 * step for step in range(13))
_ENTRIES = 1_500
#: Expected entries that pass unseen, of `_ENTRIES`.
_UNSEEN = 0.69


def measure(seasons: int = SEASONS) -> list[Measure]:
    """Return both figures; raises ValueError where no season fits."""
    covered, _ = interval_coverage(seasons)
    missed = forecast_error(seasons)
    how = f"{seasons} simulated seasons with a true precision between {PRECISIONS[0]} and {PRECISIONS[1]}"
    within = f"share of the 95 % intervals that hold it; {how}, {FEW[0]} to {FEW[1]} audits in strata"
    error = (
        f"mean absolute error of the precision at {len(THRESHOLDS)} thresholds from .85 to .97, {how}, "
        f"at least {MANY[0]} audits"
    )
    return [
        measured("interval_coverage", covered, "of intervals", at_least(0.93), within),
        measured("interval_coverage_above", covered, "of intervals", at_most(0.97), "the same figure"),
        measured("threshold_forecast_error", missed, "of entries", at_most(0.01), error),
    ]


def interval_coverage(seasons: int, first: int = 0) -> tuple[float, float]:
    """Return the share of intervals that hold the true precision, and the mean number of audits."""
    random = Random(first)
    held: list[bool] = []
    audits: list[int] = []
    seed = first
    while len(held) < seasons:
        seed += 1
        season = simulate(_plan(random, seed, FEW, _ENTRIES))
        found = stratified_share(by_strata(season))
        if FEW[0] <= found.judged <= FEW[1]:
            held.append(found.interval.low <= season.precision() <= found.interval.high)
            audits.append(found.judged)
    return statistics.fmean(held), statistics.fmean(audits)


def forecast_error(seasons: int, first: int = 0) -> float:
    """Return the mean absolute error of the forecast precision over seasons and thresholds."""
    random = Random(first)
    errors: list[float] = []
    seed = first
    while len(errors) < seasons * len(THRESHOLDS):
        seed += 1
        season = simulate(_plan(random, seed, MANY, 2 * _ENTRIES))
        audits = by_audits(season)
        if len(audits) < MANY[0]:
            continue
        judged, known = [*audits, *by_reviewers(season)], recorded(season)
        for threshold in THRESHOLDS:
            found = forecast(known, judged, threshold, season.plan.threshold).precision.value
            if found is None:
                raise ValueError(f"nothing judged above {threshold}")
            errors.append(abs(found - season.precision(threshold)))
    return statistics.fmean(errors)


def _plan(random: Random, seed: int, audits: tuple[int, int], entries: int) -> Plan:
    share = random.uniform(*audits) / (entries * _UNSEEN)
    return Plan(seed=seed, entries=entries, precision=random.uniform(*PRECISIONS), audit_share=share)

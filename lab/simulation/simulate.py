"""Draw a season."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random

from lab.simulation.plan import FIELDS, FORMS, LANGUAGES, PROVIDERS, REQUIRED, Plan
from lab.simulation.season import Entry, Season
from services.trust.audit_sample import Stratum, band_of, draw

_WEEK = timedelta(weeks=1)
_CODES = {"student_name": "MISSING_STUDENT_NAME", "school_name": "MISSING_SCHOOL_NAME", "grade": "MISSING_GRADE"}


def simulate(plan: Plan) -> Season:
    """Return the season of a plan. Raises ValueError for a precision beyond 0 and 1."""
    if not 0 < plan.precision <= 1:
        raise ValueError(f"no precision: {plan.precision}")
    random = Random(plan.seed)
    entries = _read(plan, random)
    _err(plan, random, entries)
    for entry in entries:
        entry.decided = not entry.unseen and random.random() < plan.decided
    strata = _drawn(plan, random, entries)
    return Season(plan, entries, strata)


def _read(plan: Plan, random: Random) -> list[Entry]:
    times = sorted(random.random() for _ in range(plan.entries))
    forms, languages, providers = _choices(FORMS, random), _choices(LANGUAGES, random), _choices(PROVIDERS, random)
    found = []
    for number, time in enumerate(times):
        form = forms()
        text = random.random() < FORMS[form][1]
        confidences, missing = _confidences(random, text)
        found.append(
            _entry(
                plan,
                random,
                number,
                form,
                languages(),
                "text" if text else providers(),
                time,
                confidences,
                missing,
            )
        )
    return found


def _choices(shares: Mapping[str, float] | Mapping[str, tuple[float, float]], random: Random) -> _Choice:
    weights = [share if isinstance(share, float) else share[0] for share in shares.values()]
    return _Choice(list(shares), weights, random)


class _Choice:
    """Draws one of some keys by their shares."""

    def __init__(self, keys: Sequence[str], shares: Sequence[float], random: Random) -> None:
        self._keys, self._random = keys, random
        self._upto = [sum(shares[: place + 1]) for place in range(len(shares))]

    def __call__(self) -> str:
        drawn = self._random.random() * self._upto[-1]
        return next(key for key, upto in zip(self._keys, self._upto, strict=True) if drawn <= upto)


def _confidences(random: Random, text: bool) -> tuple[dict[str, float], tuple[str, ...]]:
    """Confidences of the fields that were read, and the required ones that were not."""
    if text:
        doubt, often = 0.0, 0.01
    else:
        doubt, often = random.betavariate(1.4, 9.0), 0.04
    found: dict[str, float] = {}
    missing = []
    for name in FIELDS:
        if random.random() < often:
            if name in REQUIRED:
                missing.append(name)
            continue
        found[name] = round(min(0.999, max(0.05, 1 - doubt * (0.4 + 1.2 * random.random()))), 4) if doubt else 1.0
    return found, tuple(missing)


def _entry(
    plan: Plan,
    random: Random,
    number: int,
    form: str,
    language: str,
    provider: str,
    time: float,
    confidences: dict[str, float],
    missing: tuple[str, ...],
) -> Entry:
    read = [confidences[name] for name in REQUIRED if name in confidences]
    # The essay is required too, and always there.
    share = (len(read) + 1) / (len(REQUIRED) + 1)
    confidence = round(0.6 * min(read, default=0.0) + 0.4 * share, 4)
    weak = tuple(name for name in REQUIRED if confidences.get(name, 1.0) < plan.weak)
    codes = [_CODES[name] for name in missing]
    if random.random() < 0.03:
        codes.append(random.choice(("UNKNOWN_SCHOOL", "CONTENT_MISMATCH", "UNEXPLAINED_WORDS")))
    ready = not (missing or weak or codes)
    if ready and confidence >= plan.threshold:
        outcome = "completed"
    else:
        outcome = "suggested" if random.random() < (0.6 if missing else 0.92) else "escalated"
    return Entry(
        number,
        form,
        language,
        provider,
        int(plan.schools * random.random() ** 2),
        plan.begins + time * plan.weeks * _WEEK,
        confidences,
        missing,
        weak,
        tuple(codes),
        confidence,
        ready,
        outcome,
    )


def _hazard(confidence: float) -> float:
    """How much more often a value of this confidence is wrong, up to the factor that `_scale` finds."""
    return float((1.02 - confidence) ** 1.5)


def _err(plan: Plan, random: Random, entries: Sequence[Entry]) -> None:
    """Decide what is wrong, so that the expected precision of the unseen ones is that of the plan."""
    hazards = [
        sum(_hazard(entry.confidences[name]) for name in REQUIRED if name in entry.confidences)
        for entry in entries
    ]
    scale = _scale(
        [hazard for hazard, entry in zip(hazards, entries, strict=True) if entry.unseen], plan.precision
    )
    for hazard, entry in zip(hazards, entries, strict=True):
        times = scale * _worse(plan, entry)
        entry.chance = math.exp(-times * hazard)
        entry.wrong = frozenset(
            name
            for name, confidence in entry.confidences.items()
            if random.random() > math.exp(-times * _hazard(confidence))
        )


def _worse(plan: Plan, entry: Entry) -> float:
    times = 1.0
    for worse in plan.worse:
        concerned = (
            worse.form in (None, entry.form)
            and worse.school in (None, entry.school)
            and worse.provider in (None, entry.provider)
        )
        if concerned and entry.at >= plan.begins + worse.week * _WEEK:
            times *= worse.times
    return times


def _scale(hazards: Sequence[float], precision: float) -> float:
    """The factor with which the mean of exp(-factor * hazard) is the precision, by Newton's method."""
    if not hazards or precision == 1:
        return 0.0
    scale = (1 - precision) * len(hazards) / math.fsum(hazards)
    for _ in range(8):
        rights = [math.exp(-scale * hazard) for hazard in hazards]
        slope = -math.fsum(hazard * right for hazard, right in zip(hazards, rights, strict=True))
        scale -= (math.fsum(rights) - precision * len(hazards)) / slope
    return scale


def _drawn(plan: Plan, random: Random, entries: Sequence[Entry]) -> dict[Stratum, float]:
    """Draw the audits of those that passed unseen, as they came."""
    totals: dict[Stratum, float] = {}
    for entry in entries:
        if not entry.unseen:
            continue
        stratum = Stratum(entry.form, entry.language, entry.provider, band_of(entry.confidence))
        drawn = draw(totals.get(stratum), plan.audit_share, random.random())
        totals[stratum] = drawn.total
        entry.drawn = drawn.probability
        entry.audited = drawn.probability is not None and random.random() < plan.audited
    return totals

"""What an office would know of a drawn season: audits, decisions and recorded confidences, not the truth."""

from __future__ import annotations

from collections import Counter

from lab.simulation.plan import REQUIRED
from lab.simulation.season import Season
from services.trust.audit_sample import Stratum, band_of
from services.trust.precision import Audited, Judged, Recorded


def by_audits(season: Season) -> list[Judged]:
    """Return the audited entries with their confidence and weight."""
    return [
        Judged(entry.confidence, entry.right(REQUIRED), 1 / entry.drawn)
        for entry in season.entries
        if entry.audited and entry.drawn is not None
    ]


def by_strata(season: Season) -> list[Audited]:
    """Return each stratum with the entries that passed unseen and what audits found of some."""
    passed: dict[Stratum, int] = {}
    judged: dict[Stratum, list[tuple[bool, float]]] = {}
    for entry in season.entries:
        if entry.unseen:
            stratum = Stratum(*entry.stratum, band_of(entry.confidence))
            passed[stratum] = passed.get(stratum, 0) + 1
            if entry.audited and entry.drawn is not None:
                judged.setdefault(stratum, []).append((entry.right(REQUIRED), 1 / entry.drawn))
    return [Audited(stratum, number, judged.get(stratum, [])) for stratum, number in passed.items()]


def by_reviewers(season: Season) -> list[Judged]:
    """Return the entries that were ready but below the threshold, as far as a person has decided them."""
    waited = [entry for entry in season.entries if entry.ready and not entry.unseen]
    decided = [entry for entry in waited if entry.decided]
    return [Judged(entry.confidence, entry.right(REQUIRED), len(waited) / len(decided)) for entry in decided]


def recorded(season: Season) -> Recorded:
    """Return the confidences of the season."""
    ready = Counter(entry.confidence for entry in season.entries if entry.ready)
    return Recorded(ready, len(season.entries), season.plan.weeks)

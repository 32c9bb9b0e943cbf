"""A drawn season, and what is true of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from lab.simulation.plan import Plan
from services.trust.audit_sample import Stratum


@dataclass(slots=True)
class Entry:
    """One entry: how it was read, and what of it is wrong."""

    number: int
    form: str
    language: str
    #: "text" where nothing had to be recognised.
    provider: str
    school: int
    at: datetime
    #: Confidence of each field that was read.
    confidences: Mapping[str, float]
    missing: tuple[str, ...]
    weak: tuple[str, ...]
    codes: tuple[str, ...]
    confidence: float
    #: Nothing missing, weak or in doubt: only the confidence decides.
    ready: bool
    #: "completed", "suggested" or "escalated", as the run ended.
    outcome: str
    #: The probability with which the simulator makes every required value right.
    chance: float = 1.0
    #: Fields whose value is not what stands on the page.
    wrong: frozenset[str] = frozenset()
    #: Whether a person has decided what waited for one.
    decided: bool = False
    #: With which probability it was drawn for audit; None where it was not.
    drawn: float | None = None
    #: Whether the audit has been made.
    audited: bool = False

    @property
    def unseen(self) -> bool:
        return self.outcome == "completed"

    @property
    def stratum(self) -> tuple[str, str, str]:
        return self.form, self.language, self.provider

    def right(self, required: tuple[str, ...]) -> bool:
        """Whether every required value is right."""
        return self.wrong.isdisjoint(required)


@dataclass(frozen=True)
class Season:
    """All entries of a plan, in the order in which they came."""

    plan: Plan
    entries: list[Entry]
    #: Strata of the audits, with the sums that they were drawn by.
    strata: Mapping[Stratum, float]

    def precision(self, threshold: float | None = None) -> float:
        """Return the expected share of right ones among the entries that pass unseen at a threshold.

        NaN where none passes.
        """
        at = self.plan.threshold if threshold is None else threshold
        chances = [entry.chance for entry in self.entries if entry.ready and entry.confidence >= at]
        return math.fsum(chances) / len(chances) if chances else math.nan

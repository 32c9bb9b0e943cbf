"""What a tier of quality allows the loop; one object drives iterations, depth and threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.errors import InvalidInputError
from research.codes import ResearchCode
from research.config import Tier
from research.supervision.types import Severity

Depth = Literal["quick", "standard", "comprehensive"]


@dataclass(frozen=True, slots=True)
class SupervisionTier:
    """The bounds of one loop."""

    name: Tier
    #: Attempts, failed and skipped ones included.
    max_iterations: int
    #: How far an expansion goes: questions, sources and rounds of one focused research.
    depth: Depth
    #: Issues below it are left alone.
    least_severity: Severity
    #: Goes at an integration that the guard refuses, the first included.
    integration_attempts: int = 3
    #: Consecutive failures that end the loop.
    breaker: int = 2


TIERS: dict[Tier, SupervisionTier] = {
    "quick": SupervisionTier("quick", 1, "quick", "moderate"),
    "standard": SupervisionTier("standard", 2, "standard", "moderate"),
    "comprehensive": SupervisionTier("comprehensive", 3, "standard", "minor"),
    "high_quality": SupervisionTier("high_quality", 5, "comprehensive", "minor"),
}


def tier_of(name: str) -> SupervisionTier:
    """The tier of a name. Raises InvalidInputError naming the choices."""
    for known, tier in TIERS.items():
        if known == name:
            return tier
    raise InvalidInputError(ResearchCode.TIER_UNKNOWN, given=name, known=list(TIERS))

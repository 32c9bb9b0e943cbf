"""Quality tiers: limits of the loop's attempts, depth and threshold."""

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
    """The limits of one loop."""

    name: Tier
    #: Most attempts, including failed and skipped ones.
    max_iterations: int
    #: Depth of a focused research.
    depth: Depth
    #: Least severity of issues that are researched.
    least_severity: Severity
    #: Most tries at an integration that the guard refuses.
    integration_attempts: int = 3
    #: Number of consecutive failures that ends the loop.
    breaker: int = 2


TIERS: dict[Tier, SupervisionTier] = {
    "quick": SupervisionTier("quick", 1, "quick", "moderate"),
    "standard": SupervisionTier("standard", 2, "standard", "moderate"),
    "comprehensive": SupervisionTier("comprehensive", 3, "standard", "minor"),
    "high_quality": SupervisionTier("high_quality", 5, "comprehensive", "minor"),
}


def tier_of(name: str) -> SupervisionTier:
    """Return the tier with this name. Raises InvalidInputError, naming the choices."""
    for known, tier in TIERS.items():
        if known == name:
            return tier
    raise InvalidInputError(ResearchCode.TIER_UNKNOWN, given=name, known=list(TIERS))

"""A ratio of covered to wanted items."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """`covered` out of `wanted` items."""

    covered: int
    wanted: int

    @property
    def value(self) -> float:
        """The ratio, 0 to 1; 1 if nothing was wanted."""
        return self.covered / self.wanted if self.wanted else 1.0

    def __add__(self, other: Share) -> Share:
        """Return the share over both counts together."""
        return Share(self.covered + other.covered, self.wanted + other.wanted)

"""How many of those that should be are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """`covered` of `wanted`."""

    covered: int
    wanted: int

    @property
    def value(self) -> float:
        """0 to 1; 1 where nothing was wanted."""
        return self.covered / self.wanted if self.wanted else 1.0

    def __add__(self, other: Share) -> Share:
        """Of two documents together."""
        return Share(self.covered + other.covered, self.wanted + other.wanted)

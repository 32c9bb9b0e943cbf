"""One figure with the target that it is held against."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "≤": operator.le,
    "≥": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
}


@dataclass(frozen=True)
class Target:
    """A bound, and the side of it on which a value must be."""

    sign: str
    bound: float

    def holds(self, value: float) -> bool:
        """Whether a value meets the target."""
        return _SIGNS[self.sign](value, self.bound)

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g}"


def at_most(bound: float) -> Target:
    """A value that must not be larger."""
    return Target("≤", bound)


def at_least(bound: float) -> Target:
    """A value that must not be smaller."""
    return Target("≥", bound)


def above(bound: float) -> Target:
    """A value that must be larger."""
    return Target(">", bound)


def exactly(bound: float) -> Target:
    """A value that must be just that."""
    return Target("=", bound)


@dataclass(frozen=True)
class Measure:
    """One line of a benchmark."""

    measure: str
    value: float
    unit: str
    #: In words; "" for a figure that only explains others.
    target: str
    holds: bool
    #: What was done to measure it.
    how: str

    def as_json(self) -> dict[str, Any]:
        """The object as it is written."""
        return asdict(self)


def measured(name: str, value: float, unit: str, target: Target | None, how: str) -> Measure:
    """A figure held against its target; without one it holds."""
    # Judged as it is shown.
    shown = round(float(value), 4)
    return Measure(name, shown, unit, str(target or ""), target is None or target.holds(shown), how)

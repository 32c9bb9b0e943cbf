"""Limits and consumption of one report: model calls, tokens, money, minutes of work."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.labels import LabelledEnum, keys_of
from research.codes import BudgetSpentError


class Resource(LabelledEnum):
    """Resources with a limit."""

    CALLS = "calls", "Model calls"
    TOKENS = "tokens", "Tokens"
    USD = "usd", "US dollars"
    MINUTES = "minutes", "Minutes"


RESOURCES = keys_of(Resource)


@dataclass
class Budget:
    """Limits and consumption. Time spent waiting for a person is not counted as work."""

    #: By resource; a missing one has no limit.
    limits: Mapping[str, float] = field(default_factory=dict)
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    #: Seconds of work before this process resumed the report.
    seconds_before: float = 0.0
    #: The resource that ran out, so that work was omitted.
    exhausted: str | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def __post_init__(self) -> None:
        self._began = self.clock()

    def allow_call(self) -> None:
        """Raise BudgetSpentError if any limit has been reached before another model call."""
        self._look_at("minutes", "calls", "tokens", "usd")
        if self.exhausted is not None:
            raise BudgetSpentError(f"no {self.exhausted} left")

    def allow_work(self) -> bool:
        """Return whether another search or fetch may begin."""
        self._look_at("minutes")
        return self.exhausted is None

    def count(self, calls: int, tokens_in: int, tokens_out: int, usd: float) -> None:
        """Add the consumption of one model call."""
        self.calls += calls
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.usd += usd

    def as_json(self) -> dict[str, Any]:
        """Return the value of `reports.spent`; the minutes are those of all processes."""
        return {
            "calls": self.calls,
            "tokens": self.tokens_in + self.tokens_out,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "usd": round(self.usd, 6),
            "minutes": round((self.seconds_before + self.clock() - self._began) / 60, 3),
            "exhausted": self.exhausted,
        }

    def _look_at(self, *resources: str) -> None:
        spent = self.as_json()
        over = (name for name in resources if name in self.limits and spent[name] >= self.limits[name])
        self.exhausted = self.exhausted or next(over, None)

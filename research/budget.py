"""What one report may cost, and what it has cost: model calls, tokens, money, minutes of work."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from research.stops import BudgetSpentError

Resource = Literal["calls", "tokens", "usd", "minutes"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)


@dataclass
class Budget:
    """Limits and what is spent of them. Waiting for a person is not counted as work."""

    #: By resource; what is not named has no limit.
    limits: Mapping[str, float] = field(default_factory=dict)
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    #: Of work before this process took the report up.
    seconds_before: float = 0.0
    #: The resource for want of which something was left undone.
    exhausted: Resource | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def __post_init__(self) -> None:
        self._began = self.clock()

    @property
    def seconds(self) -> float:
        """Of work, all processes together."""
        return self.seconds_before + self.clock() - self._began

    def allow_call(self) -> None:
        """Raise BudgetSpentError where one more model call would begin with nothing left."""
        self.allow_work()
        if self.exhausted is None:
            self.exhausted = self._spent_up(("calls", "tokens", "usd"))
        if self.exhausted is not None:
            raise BudgetSpentError(f"no {self.exhausted} left")

    def allow_work(self) -> bool:
        """Whether another search or fetch may begin."""
        if self.exhausted is None:
            self.exhausted = self._spent_up(("minutes",))
        return self.exhausted is None

    def count(self, calls: int, tokens_in: int, tokens_out: int, usd: float) -> None:
        """Add what one question to the model took."""
        self.calls += calls
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.usd += usd

    def as_json(self) -> dict[str, Any]:
        """As it is kept in `reports.spent`."""
        return {
            "calls": self.calls,
            "tokens": self.tokens_in + self.tokens_out,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "usd": round(self.usd, 6),
            "minutes": round(self.seconds / 60, 3),
            "exhausted": self.exhausted,
        }

    def _spent_up(self, resources: tuple[Resource, ...]) -> Resource | None:
        spent = {
            "calls": self.calls,
            "tokens": self.tokens_in + self.tokens_out,
            "usd": self.usd,
            "minutes": self.seconds / 60,
        }
        return next((name for name in resources if name in self.limits and spent[name] >= self.limits[name]), None)

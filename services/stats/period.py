"""What a page of statistics is about: a period, the period before it, and filters. Pure."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, timedelta

#: Periods that can be chosen, in days.
PERIODS = (7, 30, 90, 365)
DEFAULT_DAYS = 30
#: A longer period is read and drawn by months.
LONGEST_BY_DAYS = 90


@dataclass(frozen=True)
class Period:
    """Consecutive days, both ends included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def before(self) -> Period:
        """Return the period of the same length that ends the day before this one."""
        return Period(self.first - timedelta(days=self.days), self.first - timedelta(days=1))

    def months(self) -> Period | None:
        """Return the first days of the first and the last month within the period; None if there is none.

        The month of the last day counts as within it only if the period reaches its end.
        """
        first = self.first if self.first.day == 1 else _next_month(self.first)
        end = self.last + timedelta(days=1)
        last = _month_before(end.replace(day=1))
        return Period(first, last) if first <= last else None


@dataclass(frozen=True)
class StatsFilter:
    """Filters; None does not filter. A batch and a school are not chosen together: the batch counts."""

    days: int = DEFAULT_DAYS
    profile: str | None = None
    language: str | None = None
    ocr_provider: str | None = None
    batch_id: uuid.UUID | None = None
    school_id: uuid.UUID | None = None

    @property
    def by_month(self) -> bool:
        """Whether the period is read and drawn by months."""
        return self.days > LONGEST_BY_DAYS and self.scope_id is None

    @property
    def scope_id(self) -> uuid.UUID | None:
        """The batch or the school; None where neither is chosen."""
        return self.batch_id or self.school_id

    def period(self, today: date) -> Period:
        """Return the period that ends today."""
        return Period(today - timedelta(days=self.days - 1), today)


def _next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def _month_before(first: date) -> date:
    return (first - timedelta(days=1)).replace(day=1)

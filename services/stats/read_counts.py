"""Read the counts of a period and of the one before it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, and_, case, func, literal, or_, select
from sqlalchemy.orm import Session

from core.models import NO_SCOPE_ID
from services.stats.count import APART, COUNTS
from services.stats.occurrences import Kind
from services.stats.period import Period, StatsFilter


class Sums(NamedTuple):
    """What was counted under one kind and its keys."""

    number: int = 0
    total: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: Decimal = Decimal(0)


_KINDS = frozenset(kind.value for kind in Kind)
#: By kind and keys.
Counts: TypeAlias = Mapping[tuple[Kind, tuple[str, ...]], Sums]


@dataclass(frozen=True)
class DayCount:
    """The runs of one day, or of one month, by outcome."""

    day: date
    outcomes: dict[str, int]
    #: The last day that is counted in it.
    last: date

    @property
    def total(self) -> int:
        return sum(self.outcomes.values())


def read_counts(session: Session, season_id: uuid.UUID, wanted: StatsFilter, today: date) -> tuple[Counts, Counts]:
    """Return the counts of the period that ends today, and of the period before it, in one query."""
    now, before = wanted.period(today), wanted.period(today).before()
    is_now = case((COUNTS.c.day >= now.first, literal(True)), else_=literal(False)).label("now")
    if wanted.scope_id is None and (now.months() or before.months()):
        # A month that reaches from one period into the other is read by its days.
        spans = [*_spans(wanted, before), *_spans(wanted, now)]
    else:
        spans = [_by_day(wanted, Period(before.first, now.last))]
    columns = [COUNTS.c.kind, COUNTS.c["keys"]]
    sums = [func.sum(COUNTS.c[name]).label(name) for name in Sums._fields]
    rows = session.execute(
        select(is_now, *columns, *sums)
        .where(COUNTS.c.season_id == season_id, or_(*spans), *_filters(wanted))
        .group_by(is_now, *columns)
        .order_by(*columns)
    )
    found: tuple[dict[Any, Sums], dict[Any, Sums]] = ({}, {})
    for is_of_now, kind, keys, number, total, tokens_in, tokens_out, cost_usd in rows:
        if kind in _KINDS and number:
            sums_of = Sums(int(number), int(total), int(tokens_in), int(tokens_out), Decimal(cost_usd))
            found[0 if is_of_now else 1][Kind(kind), tuple(keys)] = sums_of
    return found


def read_days(
    session: Session, season_id: uuid.UUID, wanted: StatsFilter, today: date, outcomes: Sequence[str]
) -> list[DayCount]:
    """Return the runs of each day of the period by outcome, or of each of its months if it is long."""
    period = wanted.period(today)
    spans = _spans(wanted, period) if wanted.by_month else [_by_day(wanted, period)]
    day = func.date_trunc("month", COUNTS.c.day) if wanted.by_month else COUNTS.c.day
    outcome = COUNTS.c["keys"][1]
    rows = session.execute(
        select(day.label("day"), outcome.label("outcome"), func.sum(COUNTS.c.number).label("number"))
        .where(COUNTS.c.season_id == season_id, COUNTS.c.kind == Kind.RUN.value, or_(*spans), *_filters(wanted))
        .group_by(day, outcome)
    )
    found: dict[date, dict[str, int]] = {}
    for at, name, number in rows:
        found.setdefault(date(at.year, at.month, at.day), {})[name] = int(number)
    firsts = _firsts(period, wanted.by_month)
    ends = [following - timedelta(days=1) for following in firsts[1:]] + [period.last]
    return [
        DayCount(max(first, period.first), {name: found.get(first, {}).get(name, 0) for name in outcomes}, last)
        for first, last in zip(firsts, ends, strict=True)
    ]


def _firsts(period: Period, by_month: bool) -> list[date]:
    if not by_month:
        return [period.first + timedelta(days=offset) for offset in range(period.days)]
    firsts = [period.first.replace(day=1)]
    while (following := (firsts[-1] + timedelta(days=32)).replace(day=1)) <= period.last:
        firsts.append(following)
    return firsts


def _spans(wanted: StatsFilter, period: Period) -> list[ColumnElement[bool]]:
    """Conditions that together name each day of the period once: whole months by month, the rest by day."""
    months = period.months()
    if months is None:
        return [_by_day(wanted, period)]
    after = (months.last + timedelta(days=32)).replace(day=1)
    found = [_rows(f"{_beginning(wanted)}month", NO_SCOPE_ID, months)]
    if period.first < months.first:
        found.append(_by_day(wanted, Period(period.first, months.first - timedelta(days=1))))
    if after <= period.last:
        found.append(_by_day(wanted, Period(after, period.last)))
    return found


def _by_day(wanted: StatsFilter, period: Period) -> ColumnElement[bool]:
    if wanted.batch_id is not None:
        return _rows("batch", wanted.batch_id, period)
    if wanted.school_id is not None:
        return _rows("school", wanted.school_id, period)
    return _rows(f"{_beginning(wanted)}day", NO_SCOPE_ID, period)


def _beginning(wanted: StatsFilter) -> str:
    """Return the beginning of the scopes that tell apart just what is filtered by, "" if there are none."""
    chosen = tuple(name for name in APART[""] if getattr(wanted, name) is not None)
    return next((beginning for beginning, told in APART.items() if told == chosen), "")


def _rows(scope: str, scope_id: uuid.UUID, period: Period) -> ColumnElement[bool]:
    return and_(
        COUNTS.c.scope == scope,
        COUNTS.c.scope_id == scope_id,
        # Named, so that the index is searched for the days of each kind.
        COUNTS.c.kind.in_([kind.value for kind in Kind]),
        COUNTS.c.day.between(period.first, period.last),
    )


def _filters(wanted: StatsFilter) -> list[ColumnElement[bool]]:
    chosen = {"profile": wanted.profile, "language": wanted.language, "ocr_provider": wanted.ocr_provider}
    return [COUNTS.c[name] == value for name, value in chosen.items() if value is not None]

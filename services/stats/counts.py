"""Counts of what happened, kept by day."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Date,
    Select,
    Table,
    Text,
    Uuid,
    and_,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    true,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.dialects.postgresql import insert as insert_or_update
from sqlalchemy.orm import Session

from core.database import Database
from core.models import NO_SCOPE_ID, OrchestratorCount, OrchestratorLog, ReviewDecision, RunFact
from services.stats.occurrences import (
    ALL,
    OF_DECISION,
    OF_EFFORT,
    OF_RUN,
    OF_STEPS,
    OF_UNDOING,
    PRUNED,
    Kind,
    Period,
    StatsFilter,
    day_of,
    next_month,
)


class Sums(NamedTuple):
    """The sums of one kind and its keys."""

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
    #: The last day that it counts.
    last: date

    @property
    def total(self) -> int:
        return sum(self.outcomes.values())


def read_counts(session: Session, season_id: uuid.UUID, wanted: StatsFilter, today: date) -> tuple[Counts, Counts]:
    """Return the counts of the period that ends today, and of the period before it, in one query."""
    now, before = wanted.period(today), wanted.period(today).before()
    is_now = case((COUNTS.c.day >= now.first, literal(True)), else_=literal(False)).label("now")
    if wanted.scope_id is None and (now.months() or before.months()):
        # A month that is part of both periods is read by its days.
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
    while (following := next_month(firsts[-1])) <= period.last:
        firsts.append(following)
    return firsts


def _spans(wanted: StatsFilter, period: Period) -> list[ColumnElement[bool]]:
    """Return conditions that together cover each day of the period once: full months by month, the rest by day."""
    months = period.months()
    if months is None:
        return [_by_day(wanted, period)]
    after = next_month(months.last)
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
    """Return the beginning of the scopes that distinguish just the filtered columns, "" if there are none."""
    chosen = tuple(name for name in APART[""] if getattr(wanted, name) is not None)
    return next((beginning for beginning, told in APART.items() if told == chosen), "")


def _rows(scope: str, scope_id: uuid.UUID, period: Period) -> ColumnElement[bool]:
    return and_(
        COUNTS.c.scope == scope,
        COUNTS.c.scope_id == scope_id,
        # All kinds, so that the index is searched for the days of each.
        COUNTS.c.kind.in_([kind.value for kind in Kind]),
        COUNTS.c.day.between(period.first, period.last),
    )


def _filters(wanted: StatsFilter) -> list[ColumnElement[bool]]:
    chosen = {"profile": wanted.profile, "language": wanted.language, "ocr_provider": wanted.ocr_provider}
    return [COUNTS.c[name] == value for name, value in chosen.items() if value is not None]


_SCOPES = ("day", "batch", "school")


def wrong_counts(database: Database) -> int:
    """Return the number of rows of the counts that differ from a recomputation; nothing is changed."""
    with database.session() as session:
        return _differing(session, _recounted(session))


def recompute_counts(database: Database) -> int:
    """Replace the counts by a recomputation and return the number of rows that differed.

    Counts of pruned log rows and model calls stay; counts of erased entries are removed.
    """
    with database.session() as session:
        fresh = _recounted(session)
        wrong = _differing(session, fresh)
        session.execute(delete(COUNTS))
        session.execute(insert(COUNTS).from_select(_COLUMNS, select(*fresh.c)))
        return wrong


def _recounted(session: Session) -> Table:
    """Return a temporary table of the correct counts. No process counts until the transaction ends."""
    session.execute(text("lock table orchestrator_counts in share row exclusive mode"))
    fresh = COUNTS.to_metadata(COUNTS.metadata.__class__(), name="recounted")
    session.execute(text("create temp table recounted (like orchestrator_counts) on commit drop"))
    occurred = [origin.occurrences(origin.standing) for origin in ALL]
    session.execute(insert(fresh).from_select(_COLUMNS, summed(occurred, _SCOPES)))
    kept = and_(COUNTS.c.scope.in_(_SCOPES), _origin_is_pruned(session))
    session.execute(insert(fresh).from_select(_COLUMNS, select(*COUNTS.c).where(kept)))
    session.execute(insert(fresh).from_select(_COLUMNS, _derived(fresh)))
    return fresh


def _origin_is_pruned(session: Session) -> ColumnElement[bool]:
    """Condition: the count is of a day whose rows of origin were pruned. That is done by whole days."""
    first = {kind: session.scalar(select(day_of(func.min(at)))) for kind, at in PRUNED.items()}
    return or_(
        *(
            and_(COUNTS.c.kind == kind.value, true() if day is None else COUNTS.c.day < day)
            for kind, day in first.items()
        )
    )


def _derived(days: Table) -> CompoundSelect[*tuple[Any, ...]]:
    """Return the counts derived from those by day: by month, and both with fewer distinctions."""
    month = cast(func.date_trunc("month", days.c.day), Date)
    made: list[dict[str, ColumnElement[Any]]] = []
    for beginning, told in APART.items():
        together = {name: literal("", Text) for name in APART[""] if name not in told}
        made.append({"scope": literal(f"{beginning}month"), "day": month, **together})
        if beginning:
            made.append({"scope": literal(f"{beginning}day"), **together})
    return union_all(*(_summed_as(days, columns) for columns in made))


def _summed_as(days: Table, made: Mapping[str, ColumnElement[Any]]) -> Select[*tuple[Any, ...]]:
    keys = [made.get(name, days.c[name]).label(name) for name in KEYS]
    grouped = [made.get(name, days.c[name]) for name in KEYS if name == "day" or name not in made]
    sums = [func.sum(days.c[name]) for name in SUMS]
    return select(*keys, *sums).where(days.c.scope == "day").group_by(*grouped)


def _differing(session: Session, fresh: Table) -> int:
    same_key = and_(*(COUNTS.c[name] == fresh.c[name] for name in KEYS))
    differs = or_(*(func.coalesce(COUNTS.c[name], 0) != func.coalesce(fresh.c[name], 0) for name in SUMS))
    both = COUNTS.join(fresh, same_key, full=True)
    return session.scalars(select(func.count()).select_from(both).where(differs)).one()


# Keep the counts: called in the transaction of what is counted, as its last statement.


COUNTS: Table = OrchestratorCount.__table__  # type: ignore[assignment]
#: Id and day of a scope, as expressions over an occurrence.
Place: TypeAlias = tuple[ColumnElement[Any], ColumnElement[Any]]
KEYS = ("season_id", "scope", "scope_id", "kind", "day", "keys", "profile", "language", "ocr_provider")
#: The columns distinguished in the counts of days and months, by the beginning of their scope: a page that filters
#: by one of these, or by none, reads no rows for combinations of them.
APART: dict[str, tuple[str, ...]] = {
    "": ("profile", "language", "ocr_provider"),
    "all_": (),
    "form_": ("profile",),
    "language_": ("language",),
    "provider_": ("ocr_provider",),
}
SCOPES = (*(f"{beginning}{span}" for span in ("day", "month") for beginning in APART), "batch", "school")
SUMS = Sums._fields
_COLUMNS = [*KEYS, *SUMS]


def count_run(session: Session, run_id: str) -> None:
    """Count a run whose facts were written, with its steps, calls and proposals."""
    session.flush()
    _count_steps_to_the_last(session, run_id)
    _add(session, "run", run_id=run_id)


def count_later_steps(session: Session, run_id: str) -> None:
    """Count the steps that were logged since the run was counted."""
    session.flush()
    before = session.scalar(select(RunFact.steps).where(RunFact.run_id == run_id).with_for_update())
    if before is not None:
        _count_steps_to_the_last(session, run_id)
        _add(session, "steps", run_id=run_id, before=before)


def count_decision(session: Session, decision_id: uuid.UUID) -> None:
    """Count a decision of a person."""
    session.flush()
    _add(session, "decision", decision_id=decision_id)


def uncount_decision(session: Session, decision_id: uuid.UUID) -> None:
    """Subtract what `count_decision` has added, except the effort; call it before the rows are restored.

    The decision must be marked as undone already.
    """
    session.flush()
    _add(session, "undoing", decision_id=decision_id)


def summed(
    occurrences: Sequence[Select[*tuple[Any, ...]]], scopes: Sequence[str] = SCOPES
) -> Select[*tuple[Any, ...]]:
    """Return the rows of the table of counts for these occurrences, in the order of their keys."""
    occurred = union_all(*occurrences).cte("occurred").c
    month = cast(func.date_trunc("month", occurred.day), Date)
    no_id = literal(NO_SCOPE_ID, Uuid)
    places: dict[str, Place] = {
        "day": (no_id, occurred.day),
        "month": (no_id, month),
        "batch": (occurred.batch_id, occurred.day),
        "school": (occurred.school_id, occurred.day),
    }
    scoped = union_all(
        *(
            select(
                occurred.season_id,
                literal(scope, Text).label("scope"),
                scope_id.label("scope_id"),
                occurred.kind,
                day.label("day"),
                occurred["keys"],
                *(occurred[name] if name in told else literal("", Text).label(name) for name in APART[""]),
                *(occurred[name] for name in SUMS),
            ).where(scope_id.is_not(None))
            for scope, (scope_id, day), told in (_parts(scope, places) for scope in scopes)
        )
    ).subquery("scoped")
    keys = [scoped.c[name] for name in KEYS]
    return select(*keys, *(func.sum(scoped.c[name]).label(name) for name in SUMS)).group_by(*keys).order_by(*keys)


def _parts(scope: str, places: Mapping[str, Place]) -> tuple[str, Place, tuple[str, ...]]:
    """Return a scope with its place and the columns that it distinguishes."""
    beginning = next((one for one in APART if one and scope.startswith(one)), "")
    return scope, places[scope.removeprefix(beginning)], APART[beginning]


def _add(session: Session, what: str, **parameters: Any) -> None:
    session.execute(_adding(what), parameters)


@cache
def _adding(what: str) -> Insert:
    """Return the statement that adds the occurrences of one run or decision to the counts.

    Its rows are locked in the order of their keys, so that no two transactions wait for each other.
    """
    of_run = RunFact.run_id == bindparam("run_id")
    of_decision = ReviewDecision.id == bindparam("decision_id")
    later = OrchestratorLog.step > bindparam("before")
    added: dict[str, list[Select[*tuple[Any, ...]]]] = {
        "run": [origin.occurrences(of_run) for origin in (*OF_RUN, *OF_STEPS)],
        "steps": [origin.occurrences(of_run, later) for origin in OF_STEPS],
        "decision": [origin.occurrences(of_decision) for origin in (*OF_DECISION, *OF_EFFORT)],
        "undoing": [
            *(origin.occurrences(of_decision, sign=-1) for origin in OF_DECISION),
            *(origin.occurrences(of_decision) for origin in OF_UNDOING),
        ],
    }
    row = insert_or_update(COUNTS).from_select(_COLUMNS, summed(added[what]))
    return row.on_conflict_do_update(
        index_elements=KEYS, set_={name: COUNTS.c[name] + row.excluded[name] for name in SUMS}
    )


def _count_steps_to_the_last(session: Session, run_id: str) -> None:
    last = select(func.coalesce(func.max(OrchestratorLog.step), 0)).where(OrchestratorLog.run_id == run_id)
    session.execute(
        update(RunFact)
        .where(RunFact.run_id == run_id)
        .values(steps=last.scalar_subquery())
        .execution_options(synchronize_session=False)
    )

"""Count everything anew from the rows that are left, and compare that with what was counted event by event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Date,
    Select,
    Table,
    Text,
    and_,
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
)
from sqlalchemy.orm import Session

from core.database import Database
from services.stats.count import APART, COUNTS, KEYS, SUMS, summed
from services.stats.occurrences import ALL, PRUNED, day_of

_SCOPES = ("day", "batch", "school")


def wrong_counts(database: Database) -> int:
    """Return the number of rows of the counts that differ from a recomputation; nothing is changed."""
    with database.session() as session:
        return _differing(session, _recounted(session))


def recompute(database: Database) -> int:
    """Replace the counts by a recomputation and return the number of rows that differed.

    What was counted of log rows and model calls that are pruned stays. Counts of entries that were erased go.
    """
    with database.session() as session:
        fresh = _recounted(session)
        wrong = _differing(session, fresh)
        session.execute(delete(COUNTS))
        session.execute(insert(COUNTS).from_select(_names(), select(*fresh.c)))
        return wrong


def _recounted(session: Session) -> Table:
    """Return a temporary table of the counts as they should be. Nobody counts until the transaction ends."""
    session.execute(text("lock table orchestrator_counts in share row exclusive mode"))
    fresh = COUNTS.to_metadata(COUNTS.metadata.__class__(), name="recounted")
    session.execute(text("create temp table recounted (like orchestrator_counts) on commit drop"))
    occurred = [origin.occurrences(origin.standing) for origin in ALL]
    session.execute(insert(fresh).from_select(_names(), summed(occurred, _SCOPES)))
    kept = and_(COUNTS.c.scope.in_(_SCOPES), _origin_is_pruned(session))
    session.execute(insert(fresh).from_select(_names(), select(*COUNTS.c).where(kept)))
    session.execute(insert(fresh).from_select(_names(), _derived(fresh)))
    return fresh


def _origin_is_pruned(session: Session) -> ColumnElement[bool]:
    """Condition: the count is of a day whose rows of origin are gone. They are pruned by whole days."""
    first = {kind: session.scalar(select(day_of(func.min(at)))) for kind, at in PRUNED.items()}
    return or_(
        *(
            and_(COUNTS.c.kind == kind.value, true() if day is None else COUNTS.c.day < day)
            for kind, day in first.items()
        )
    )


def _derived(days: Table) -> CompoundSelect[*tuple[Any, ...]]:
    """Return the counts that follow from those by day: by month, and both with less told apart."""
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


def _names() -> list[str]:
    return [*KEYS, *SUMS]

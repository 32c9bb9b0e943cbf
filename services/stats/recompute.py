"""Count everything anew from the rows that are left, and compare that with what was counted event by event."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Date,
    Select,
    Table,
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
)
from sqlalchemy.orm import Session

from core.database import Database
from services.stats.count import COUNTS, KEYS, SUMS, summed
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
    session.execute(insert(fresh).from_select(_names(), _months(fresh)))
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


def _months(days: Table) -> Select[*tuple[Any, ...]]:
    made: dict[str, ColumnElement[Any]] = {
        "scope": literal("month"),
        "day": cast(func.date_trunc("month", days.c.day), Date),
    }
    keys = [made.get(name, days.c[name]) for name in KEYS]
    sums = [func.sum(days.c[name]) for name in SUMS]
    return select(*keys, *sums).where(days.c.scope == "day").group_by(*keys)


def _differing(session: Session, fresh: Table) -> int:
    same_key = and_(*(COUNTS.c[name] == fresh.c[name] for name in KEYS))
    differs = or_(*(func.coalesce(COUNTS.c[name], 0) != func.coalesce(fresh.c[name], 0) for name in SUMS))
    both = COUNTS.join(fresh, same_key, full=True)
    return session.scalars(select(func.count()).select_from(both).where(differs)).one()


def _names() -> list[str]:
    return [*KEYS, *SUMS]

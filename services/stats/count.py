"""Keep the counts: called in the transaction of what is counted, as its last statement."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Date,
    Select,
    Table,
    Text,
    Uuid,
    bindparam,
    cast,
    func,
    literal,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session

from core.models import NO_SCOPE_ID, OrchestratorCount, OrchestratorLog, ReviewDecision, RunFact
from services.stats.occurrences import OF_DECISION, OF_EFFORT, OF_RUN, OF_STEPS, OF_UNDOING

COUNTS: Table = OrchestratorCount.__table__  # type: ignore[assignment]
#: Id and day of a scope, as expressions over an occurrence.
Place: TypeAlias = tuple[ColumnElement[Any], ColumnElement[Any]]
KEYS = ("season_id", "scope", "scope_id", "kind", "day", "keys", "profile", "language", "ocr_provider")
#: What is told apart in the counts of days and months, by the beginning of their scope: a page that filters by one
#: of these, or by none, reads no rows for combinations of them.
APART: dict[str, tuple[str, ...]] = {
    "": ("profile", "language", "ocr_provider"),
    "all_": (),
    "form_": ("profile",),
    "language_": ("language",),
    "provider_": ("ocr_provider",),
}
SCOPES = (*(f"{beginning}{span}" for span in ("day", "month") for beginning in APART), "batch", "school")
SUMS = ("number", "total", "tokens_in", "tokens_out", "cost_usd")


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
    """Take back what `count_decision` has counted, but for the effort; call it before the rows are restored.

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
    """Return a scope with its place and what is told apart in it."""
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
    row = insert(COUNTS).from_select([*KEYS, *SUMS], summed(added[what]))
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

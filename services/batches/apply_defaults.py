"""Change the defaults of a batch after its entries were read, and take such a change back: both as one."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import BatchDefault, UploadBatch
from services.accounts.person import Person
from services.batches.given import checked_defaults
from services.batches.plan_defaults import PlannedSubmission, plan_defaults
from services.batches.reach import Reached, reach
from services.context import Context
from services.defaults.give import give_defaults
from services.defaults.in_force import defaults_by, latest_row
from services.messages.batch import BatchConflict, BatchRefused
from services.recovery.kinds import RUNS
from services.recovery.work import enqueue
from services.visibility import visible_to


@dataclass(frozen=True)
class DefaultsView:
    """The defaults of a batch that are in force."""

    version: int
    given: Mapping[str, str]
    given_by: str
    given_at: datetime
    #: The id that `undo_defaults` takes; None where it was taken back itself.
    undo: uuid.UUID | None


@dataclass(frozen=True)
class Applied:
    """Result of a change: how many entries took it, and how many could not because somebody has them open."""

    #: None where nothing was said anew and only entries were reached that had missed it.
    change_id: uuid.UUID | None
    reached: int
    held: int


def defaults_view(context: Context, person: Person, batch_id: uuid.UUID) -> DefaultsView | None:
    """Return what is in force, None where nothing was ever said. Raises NotFoundError."""
    with context.database.session() as session:
        _visible(session, person, batch_id)
        row = latest_row(session, batch_id)
        if row is None:
            return None
        by = defaults_by(session, row.given, row.given_by).given_by
        undo = row.id if row.undoes is None and (row.given or row.version > 1) else None
        return DefaultsView(row.version, row.given, by, row.created_at, undo)


def preview_defaults(
    context: Context, person: Person, batch_id: uuid.UUID, typed: Mapping[str, str]
) -> tuple[dict[str, str], list[PlannedSubmission]]:
    """Return the checked values, and what they would do to each entry. Writes nothing.

    Raises NotFoundError, InvalidInputError.
    """
    with context.database.session() as session:
        batch = _visible(session, person, batch_id)
        given = checked_defaults(session, batch.season_id, typed)
        return given, plan_defaults(session, batch_id, given)


def apply_defaults(
    context: Context, person: Person, batch_id: uuid.UUID, typed: Mapping[str, str], version: int
) -> Applied:
    """Put the values in force and give them to the entries that take them; `version` is what the person saw.

    Entries that nobody has decided on are decided anew with their stored reading. Applying the same again reaches
    what was missed. Raises NotFoundError, ConflictError, and InvalidInputError if nothing would change.
    """
    with context.database.session() as session:
        batch = _visible(session, person, batch_id)
        given = checked_defaults(session, batch.season_id, typed)
        latest = latest_row(session, batch_id)
        if version != (latest.version if latest else 0):
            raise ConflictError(BatchConflict.DEFAULTS_CHANGED)
        planned = plan_defaults(session, batch_id, given)
        change_id = None
        if given != (latest.given if latest else {}):
            change_id = give_defaults(session, batch, person.id, given, version).id
        elif not any(one.changes for one in planned):
            raise InvalidInputError(BatchRefused.NOTHING_TO_APPLY)
    return _reached(context, person, change_id, given, planned, taken_back=False)


def undo_defaults(context: Context, person: Person, batch_id: uuid.UUID, change_id: uuid.UUID) -> Applied:
    """Put the values before a change in force again, for every entry that has those of the change.

    Raises NotFoundError, and ConflictError if the change is no longer the latest one.
    """
    with context.database.session() as session:
        batch = _visible(session, person, batch_id)
        latest = latest_row(session, batch_id)
        if latest is None or latest.id != change_id or latest.undoes is not None:
            raise ConflictError(BatchConflict.DEFAULTS_TAKEN_BACK)
        before = session.scalar(
            select(BatchDefault.given).where(
                BatchDefault.batch_id == batch_id, BatchDefault.version == latest.version - 1
            )
        )
        given = dict(before or {})
        row = give_defaults(session, batch, person.id, given, latest.version, undoes=latest.id)
        planned = plan_defaults(session, batch_id, given)
    return _reached(context, person, row.id, given, planned, taken_back=True)


def _visible(session: Session, person: Person, batch_id: uuid.UUID) -> UploadBatch:
    batch = session.scalar(
        select(UploadBatch).where(UploadBatch.id == batch_id, visible_to(person, UploadBatch.uploaded_by))
    )
    if batch is None:
        raise NotFoundError("no such batch for this person")
    return batch


def _reached(
    context: Context,
    person: Person,
    change_id: uuid.UUID | None,
    given: Mapping[str, str],
    planned: list[PlannedSubmission],
    taken_back: bool,
) -> Applied:
    """Give the values to each entry that changes, in short transactions, and queue what is decided anew."""
    with context.database.session() as session:
        defaults = defaults_by(session, dict(given), person.id)
    done = [
        reach(context, person.id, one.id, one.changes, defaults.way, taken_back) for one in planned if one.changes
    ]
    enqueue(context, RUNS, *(one.run_id for one in done if one.run_id is not None))
    held = sum(one.outcome is Reached.HELD for one in done)
    return Applied(change_id, sum(one.outcome is Reached.CHANGED for one in done), held)

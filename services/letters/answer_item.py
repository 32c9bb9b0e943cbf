"""Enter what came back on a letter, give an entry up, or take that back."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import Escalation, EscalationStatus, LetterItem, Submission
from services.context import Context
from services.entries.edit_record import edit_record
from services.letters.items import ItemView, find_items
from services.messages.letter import LetterRefused
from services.messages.refused import Refused
from services.review.resolve_escalation import resolve_escalation
from services.review.undo_decision import last_decision
from services.runs.aside_rows import await_until


@dataclass(frozen=True)
class Answered:
    """What an answer has changed."""

    submission_id: uuid.UUID
    #: The id that `undo_decision` takes.
    decision_id: uuid.UUID
    #: What is missing still of what was asked for.
    remaining: tuple[str, ...]


def find_item(context: Context, item_id: uuid.UUID) -> ItemView:
    """Return an item. Raises NotFoundError."""
    with context.database.session() as session:
        found = find_items(session, LetterItem.id == item_id)
    if not found:
        raise NotFoundError("no such item of a letter")
    return found[0]


def answer_item(
    context: Context,
    actor_id: uuid.UUID,
    item_id: uuid.UUID,
    version: int,
    values: Mapping[str, str],
    reason: str,
    settle: bool = False,
) -> Answered:
    """Write the values that came back into the entry; with `settle`, settle an escalated entry with them at once.

    Empty values are left out; the item stays open for what they leave missing. `reason` stands beside each change
    in the history. Raises NotFoundError, what `edit_record` and `resolve_escalation` raise, and InvalidInputError
    for no value at all.
    """
    item = find_item(context, item_id)
    given = {name: values[name] for name in item.remaining if values.get(name, "").strip()}
    if not given:
        raise InvalidInputError(Refused.NO_VALUE)
    if settle:
        decision_id = _settle(context, actor_id, item, version, given, reason)
    else:
        edited = edit_record(context, actor_id, item.submission_id, version, given, reason)
        decision_id = edited.decision_id
    with context.database.session() as session:
        session.execute(
            update(LetterItem)
            .where(LetterItem.id == item_id)
            .values(decision_id=decision_id, answered_by=actor_id, answered_at=func.now())
        )
    return Answered(item.submission_id, decision_id, find_item(context, item_id).remaining)


def _settle(
    context: Context, actor_id: uuid.UUID, item: ItemView, version: int, values: Mapping[str, str], reason: str
) -> uuid.UUID:
    """Settle the entry and return the decision. Raises ConflictError if it changed, or no escalation waits."""
    with context.database.session() as session:
        row = session.execute(
            select(Escalation.id, Escalation.version)
            .join(Submission, Submission.id == Escalation.submission_id)
            .where(
                Escalation.submission_id == item.submission_id,
                Escalation.status == EscalationStatus.PENDING.value,
                Submission.version == version,
            )
        ).first()
    if row is None:
        raise ConflictError(LetterRefused.ITEM_CHANGED)
    resolve_escalation(context, actor_id, row.id, row.version, "settle", values, reason)
    decision_id = last_decision(context, actor_id, item.submission_id)
    assert decision_id is not None, "it was made a moment ago"
    return decision_id


def give_up(context: Context, actor_id: uuid.UUID, item_id: uuid.UUID) -> None:
    """Mark that no answer is awaited any more; an entry that was set aside for it is back in the queue.

    Raises ConflictError if it is marked.
    """
    with context.database.session() as session:
        given_up = {"given_up_at": func.now(), "given_up_by": actor_id}
        _mark(session, item_id, LetterItem.given_up_at.is_(None), given_up)
        await_until(session, [session.get_one(LetterItem, item_id).submission_id], utcnow())


def await_again(context: Context, item_id: uuid.UUID) -> None:
    """Take back that it was given up. Raises ConflictError if somebody was faster."""
    with context.database.session() as session:
        _mark(session, item_id, LetterItem.given_up_at.is_not(None), {"given_up_at": None, "given_up_by": None})


def _mark(session: Session, item_id: uuid.UUID, where: ColumnElement[bool], values: Mapping[str, object]) -> None:
    won = session.scalar(
        update(LetterItem).where(LetterItem.id == item_id, where).values(**values).returning(LetterItem.id)
    )
    if won is None:
        raise ConflictError(LetterRefused.ITEM_CHANGED)

"""Letters that were sent, and the answers to them."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import (
    AddressedTo,
    Escalation,
    EscalationStatus,
    Letter,
    LetterItem,
    LetterState,
    MailState,
    OutgoingMail,
    Profile,
    Submission,
)
from core.models.leases import MAIL_LEASES
from services.accounts.person import name_of
from services.context import Context
from services.entries.change import edit_record
from services.keyset import RowPage, fetch_page
from services.letters.items import LetterItemView, find_items
from services.messages.entries import Conflict, Refused
from services.messages.office import LetterRefused
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision
from services.runs.inputs import await_until
from services.seasons import current_season

PAGE_SIZE = 50


@dataclass(frozen=True)
class LetterView:
    id: uuid.UUID
    way: str
    addressed_to: AddressedTo
    #: "" for a family without an address, and once a child of the letter was erased.
    addressee: str
    subject: str
    #: "" once a child of the letter was erased.
    body: str
    language: str
    answer_until: date
    asked_at: datetime
    asked_by: str | None
    mail_state: str | None
    items: list[LetterItemView]

    @property
    def states(self) -> dict[LetterState, int]:
        """How many of its entries are in each state."""
        found = [item.state for item in self.items]
        return {state: found.count(state) for state in LetterState if state in found}

    @property
    def overdue(self) -> bool:
        return any(item.overdue for item in self.items)


def list_letters(context: Context, cursor: str | None = None) -> RowPage[LetterView]:
    """Return one page, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        query = _query().where(Letter.season_id == current_season(session).id)
        rows, after, before = fetch_page(session, query, Letter.asked_at, Letter.id, cursor, PAGE_SIZE)
        items = find_items(session, LetterItem.letter_id.in_([row.id for row in rows]))
    return RowPage(_views(rows, items), after, before)


def find_letters(context: Context, letter_ids: Sequence[uuid.UUID]) -> list[LetterView]:
    """Return letters by id, in this order. Raises NotFoundError if one does not exist."""
    with context.database.reading() as session:
        rows = session.execute(_query().where(Letter.id.in_(letter_ids))).all()
        items = find_items(session, LetterItem.letter_id.in_(letter_ids))
    found = {view.id: view for view in _views(rows, items)}
    if not letter_ids or set(letter_ids) - set(found):
        raise NotFoundError("no such letter")
    return [found[letter_id] for letter_id in dict.fromkeys(letter_ids)]


def _query() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Letter.id,
            Letter.way,
            Letter.addressed_to,
            Letter.addressee,
            Letter.subject,
            Letter.body,
            Letter.language,
            Letter.answer_until,
            Letter.asked_at,
            name_of(Profile).label("asked_by"),
            OutgoingMail.state.label("mail_state"),
        )
        .join(Profile, Profile.id == Letter.asked_by)
        .outerjoin(OutgoingMail, OutgoingMail.letter_id == Letter.id)
    )


def _views(rows: Sequence[Row[Any]], items: Sequence[LetterItemView]) -> list[LetterView]:
    by_letter: dict[uuid.UUID, list[LetterItemView]] = defaultdict(list)
    for item in items:
        by_letter[item.letter_id].append(item)
    return [
        LetterView(**{**row._asdict(), "addressed_to": AddressedTo(row.addressed_to)}, items=by_letter[row.id])
        for row in rows
    ]


@dataclass(frozen=True)
class Answered:
    submission_id: uuid.UUID
    #: The id that `undo_decision` takes.
    decision_id: uuid.UUID
    #: What is still missing of what was asked for.
    remaining: tuple[str, ...]


def find_item(context: Context, item_id: uuid.UUID) -> LetterItemView:
    """Return an item. Raises NotFoundError."""
    with context.database.reading() as session:
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

    Empty values are left out; the item stays open for what they leave missing. The history has `reason` with each
    change. Raises NotFoundError, what `edit_record` and `resolve_escalation` raise, and InvalidInputError
    if there is no value.
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
    context.database.execute(
        update(LetterItem)
        .where(LetterItem.id == item_id)
        .values(decision_id=decision_id, answered_by=actor_id, answered_at=func.now())
    )
    return Answered(item.submission_id, decision_id, find_item(context, item_id).remaining)


def _settle(
    context: Context,
    actor_id: uuid.UUID,
    item: LetterItemView,
    version: int,
    values: Mapping[str, str],
    reason: str,
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
    """Mark that no answer is expected any more; an entry that was set aside for it returns to the queue.

    Raises ConflictError if it is marked already.
    """
    with context.database.session() as session:
        given_up = {"given_up_at": func.now(), "given_up_by": actor_id}
        _mark(session, item_id, LetterItem.given_up_at.is_(None), given_up)
        await_until(session, [session.get_one(LetterItem, item_id).submission_id], utcnow())


def await_again(context: Context, item_id: uuid.UUID) -> None:
    """Undo giving it up. Raises ConflictError if somebody was faster."""
    with context.database.session() as session:
        _mark(session, item_id, LetterItem.given_up_at.is_not(None), {"given_up_at": None, "given_up_by": None})


def _mark(session: Session, item_id: uuid.UUID, where: ColumnElement[bool], values: Mapping[str, object]) -> None:
    won = session.scalar(
        update(LetterItem).where(LetterItem.id == item_id, where).values(**values).returning(LetterItem.id)
    )
    if won is None:
        raise ConflictError(LetterRefused.ITEM_CHANGED)


def forget_letters(session: Session, submission_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Blank the letters about these entries in the caller's transaction, and remove their mails.

    A letter about no other entry is deleted, and so is one whose mail was not sent yet: its other entries wait for
    a new one. Returns the ids of the mails, whose jobs the caller must remove. Raises ConflictError while a worker
    sends one.
    """
    ids = list(session.scalars(select(LetterItem.letter_id).where(LetterItem.submission_id.in_(submission_ids))))
    waits = OutgoingMail.letter_id.in_(ids) & (OutgoingMail.state == MailState.WAITING.value)
    if session.scalar(select(OutgoingMail.id).where(waits, MAIL_LEASES.unexpired()).limit(1)):
        raise ConflictError(Conflict.BEING_WORKED_ON)
    unsent = select(OutgoingMail.letter_id).where(waits)
    session.execute(delete(LetterItem).where(LetterItem.letter_id.in_(unsent)))
    mails = session.scalars(delete(OutgoingMail).where(OutgoingMail.letter_id.in_(ids)).returning(OutgoingMail.id))
    gone = list(mails)
    session.execute(delete(LetterItem).where(LetterItem.submission_id.in_(submission_ids)))
    kept = select(LetterItem.id).where(LetterItem.letter_id == Letter.id).exists()
    session.execute(delete(Letter).where(Letter.id.in_(ids), ~kept))
    session.execute(update(Letter).where(Letter.id.in_(ids)).values(subject="", body="", addressee=""))
    return gone

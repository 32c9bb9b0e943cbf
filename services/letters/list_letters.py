"""The letters of the current season, and one of them in full."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Row, Select, select

from core.errors import NotFoundError
from core.models import AddressedTo, Letter, LetterItem, LetterState, OutgoingMail, Profile
from services.accounts.person_name import name_of
from services.context import Context
from services.keyset import Page, fetch_page
from services.letters.items import ItemView, find_items
from services.seasons import current_season

PAGE_SIZE = 50


@dataclass(frozen=True)
class LetterView:
    """One letter."""

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
    items: list[ItemView]

    @property
    def states(self) -> dict[LetterState, int]:
        """How many of its entries are in each state."""
        found = [item.state for item in self.items]
        return {state: found.count(state) for state in LetterState if state in found}

    @property
    def overdue(self) -> bool:
        """Whether an answer is late."""
        return any(item.overdue for item in self.items)


def list_letters(context: Context, cursor: str | None = None) -> Page[LetterView]:
    """Return one page, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        query = _query().where(Letter.season_id == current_season(session).id)
        rows, after, before = fetch_page(session, query, Letter.asked_at, Letter.id, cursor, PAGE_SIZE)
        items = find_items(session, LetterItem.letter_id.in_([row.id for row in rows]))
    return Page(_views(rows, items), after, before)


def find_letters(context: Context, letter_ids: Sequence[uuid.UUID]) -> list[LetterView]:
    """Return letters by id, in this order. Raises NotFoundError if one does not exist."""
    with context.database.session() as session:
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


def _views(rows: Sequence[Row[Any]], items: Sequence[ItemView]) -> list[LetterView]:
    by_letter: dict[uuid.UUID, list[ItemView]] = defaultdict(list)
    for item in items:
        by_letter[item.letter_id].append(item)
    return [
        LetterView(**{**row._asdict(), "addressed_to": AddressedTo(row.addressed_to)}, items=by_letter[row.id])
        for row in rows
    ]

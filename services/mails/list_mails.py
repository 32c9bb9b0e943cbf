"""The mails that wait, and were sent or not, for admins."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select

from core.messages import Message
from core.models import MailState, OutgoingMail
from services.context import Context
from services.keyset import Page, fetch_page

PAGE_SIZE = 50


@dataclass(frozen=True)
class MailView:
    """One mail, without its text."""

    id: uuid.UUID
    kind: str
    recipient: str
    subject: str
    language: str
    state: str
    error: Message | None
    attempts: int
    due_at: datetime
    created_at: datetime
    sent_at: datetime | None


def list_mails(context: Context, state: MailState | None = None, cursor: str | None = None) -> Page[MailView]:
    """Return one page, newest first. Raises InvalidInputError for a bad cursor."""
    query = select(
        OutgoingMail.id,
        OutgoingMail.kind,
        OutgoingMail.recipient,
        OutgoingMail.subject,
        OutgoingMail.language,
        OutgoingMail.state,
        OutgoingMail.error_code,
        OutgoingMail.error_params,
        OutgoingMail.attempts,
        OutgoingMail.due_at,
        OutgoingMail.created_at,
        OutgoingMail.sent_at,
    )
    if state is not None:
        query = query.where(OutgoingMail.state == state.value)
    with context.database.session() as session:
        rows, after, before = fetch_page(
            session, query, OutgoingMail.created_at, OutgoingMail.id, cursor, PAGE_SIZE
        )
    return Page([_view(row) for row in rows], after, before)


def count_mails(context: Context) -> dict[MailState, int]:
    """Return how many mails there are in each state."""
    with context.database.session() as session:
        found = session.execute(select(OutgoingMail.state, func.count()).group_by(OutgoingMail.state)).all()
    numbers = {row[0]: row[1] for row in found}
    return {state: numbers.get(state.value, 0) for state in MailState}


def _view(row: Row[Any]) -> MailView:
    values = row._asdict()
    code, params = values.pop("error_code"), values.pop("error_params")
    return MailView(**values, error=Message(code, params) if code else None)

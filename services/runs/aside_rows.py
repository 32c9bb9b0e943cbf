"""End what an entry is set aside for, and restore it; `services.review.aside` sets it aside."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.models import AsideEnd, AsideKind, SetAside


def open_aside(session: Session, submission_id: uuid.UUID) -> SetAside | None:
    """Return what the entry is set aside for, also when its time has passed; None where that has ended."""
    return session.scalar(
        select(SetAside).where(SetAside.submission_id == submission_id, SetAside.ended_at.is_(None))
    )


def asks(submission_id: InstrumentedAttribute[uuid.UUID]) -> ColumnElement[bool]:
    """Return the condition of a row that asks for something of this entry, also when its time has passed."""
    return and_(
        SetAside.submission_id == submission_id,
        SetAside.ended_at.is_(None),
        SetAside.kind == AsideKind.ASKED.value,
    )


def await_until(session: Session, submission_ids: Collection[uuid.UUID], until: datetime) -> None:
    """Let the entries among these that something is asked of come back at this time."""
    session.execute(
        update(SetAside)
        .where(
            SetAside.submission_id.in_(submission_ids),
            SetAside.ended_at.is_(None),
            SetAside.kind == AsideKind.ASKED.value,
        )
        .values(until=until)
    )


def end_aside(session: Session, submission_id: uuid.UUID, why: AsideEnd) -> uuid.UUID | None:
    """End it and return the id of its row, None where the entry is not set aside."""
    return session.scalar(
        update(SetAside)
        .where(SetAside.submission_id == submission_id, SetAside.ended_at.is_(None))
        .values(ended_at=func.now(), ended_why=why.value)
        .returning(SetAside.id)
    )


def end_answered(session: Session, submission_id: uuid.UUID, names: Collection[str]) -> None:
    """End it as answered if one of these fields, which have a value now, was asked for."""
    session.execute(
        update(SetAside)
        .where(
            SetAside.submission_id == submission_id,
            SetAside.ended_at.is_(None),
            SetAside.kind == AsideKind.ASKED.value,
            SetAside.fields.overlap(list(names)),
        )
        .values(ended_at=func.now(), ended_why=AsideEnd.ANSWERED.value)
    )


def restore_aside(session: Session, submission_id: uuid.UUID, aside_id: uuid.UUID | None) -> None:
    """Let the entry be set aside by this row again and by no other; by none for None."""
    stands = open_aside(session, submission_id)
    if stands is not None and stands.id == aside_id:
        return
    end_aside(session, submission_id, AsideEnd.TAKEN_BACK)
    if aside_id is not None:
        session.execute(update(SetAside).where(SetAside.id == aside_id).values(ended_at=None, ended_why=None))

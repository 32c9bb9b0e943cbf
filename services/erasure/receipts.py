"""Receipts of erasures: what was erased, where, how much of it, when and by whom, without names of children."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import Erasure, Profile, Season
from services.accounts.person_name import name_of
from services.context import Context
from services.erasure.held_kinds import HeldKind

#: Of the newest, so many are listed.
_MOST = 500


@dataclass(frozen=True)
class Receipt:
    """One erasure."""

    id: uuid.UUID
    created_at: datetime
    #: None: the command line, or the nightly purge.
    actor: str | None
    season: str
    reason: str
    submission_ids: list[uuid.UUID]
    #: Numbers by the keys of `HeldKind`, in its order.
    counts: dict[str, int]
    #: Watched folders that could not be searched: a person has to, by their path.
    not_reached: list[str]


def list_receipts(context: Context) -> list[Receipt]:
    """Return the newest receipts first."""
    with context.database.session() as session:
        rows = session.execute(_query().order_by(Erasure.created_at.desc(), Erasure.id.desc()).limit(_MOST)).all()
    return [_receipt(*row) for row in rows]


def receipt(context: Context, erasure_id: uuid.UUID) -> Receipt:
    """Return one receipt. Raises NotFoundError."""
    with context.database.session() as session:
        row = session.execute(_query().where(Erasure.id == erasure_id)).first()
    if row is None:
        raise NotFoundError("no such receipt")
    return _receipt(*row)


def _query() -> Any:
    return (
        select(Erasure, Season.name, name_of(Profile))
        .join(Season, Season.id == Erasure.season_id)
        .outerjoin(Profile, Profile.id == Erasure.actor_id)
    )


def _receipt(row: Erasure, season: str, actor: str | None) -> Receipt:
    return Receipt(
        row.id,
        row.created_at,
        actor,
        season,
        row.reason,
        row.submission_ids,
        _in_order(row.counts),
        row.not_reached,
    )


def _in_order(counts: dict[str, int]) -> dict[str, int]:
    """JSON objects come back in an order of their own."""
    known = [kind.value for kind in HeldKind if kind.value in counts]
    return {kind: counts[kind] for kind in [*known, *(set(counts) - set(known))]}

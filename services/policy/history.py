"""The changes of a season, newest first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import aliased

from core.models import PolicyChange, PolicyChangeKind, Profile, Season
from services.accounts.person_name import name_of
from services.context import Context
from services.policy.rules import rules_of


@dataclass(frozen=True)
class PastChange:
    """One change, with who made it and who took it back; None for the command line."""

    id: uuid.UUID
    version: int
    kind: str
    before: dict[str, Any]
    after: dict[str, Any]
    actor: str | None
    created_at: datetime
    #: The version that took it back.
    undone_by: int | None
    undone_by_whom: str | None
    #: Whether its rules have the values that it gave them, so that it can be taken back.
    may_undo: bool


def history(context: Context, season_id: uuid.UUID) -> list[PastChange]:
    """Return the season's changes."""
    later, actor, undoer = aliased(PolicyChange), aliased(Profile), aliased(Profile)
    with context.database.session() as session:
        own = rules_of(session.get_one(Season, season_id))
        rows = session.execute(
            select(
                PolicyChange,
                name_of(actor).label("actor"),
                later.version.label("undone_by"),
                name_of(undoer).label("undone_by_whom"),
            )
            .outerjoin(actor, actor.id == PolicyChange.actor_id)
            .outerjoin(later, later.undoes == PolicyChange.id)
            .outerjoin(undoer, undoer.id == later.actor_id)
            .where(PolicyChange.season_id == season_id)
            .order_by(PolicyChange.version.desc())
        ).all()
    return [
        PastChange(
            change.id,
            change.version,
            change.kind,
            change.before,
            change.after,
            by,
            change.created_at,
            undone_by,
            whom,
            undone_by is None
            and change.kind in (PolicyChangeKind.CHANGED, PolicyChangeKind.UNDONE)
            and all(own.get(key) == value for key, value in change.after.items()),
        )
        for change, by, undone_by, whom in rows
    ]

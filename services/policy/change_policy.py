"""Change the rules of a season: the only place that does."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import PolicyChange, PolicyChangeKind, Season, SecurityEventKind
from services.context import Context
from services.messages.season import SeasonConflict, SeasonRefused
from services.policy.rules import changed_rules, rules_of, write_rules
from services.security_events import record_event


def change_policy(
    context: Context,
    actor_id: uuid.UUID | None,
    season_id: uuid.UUID,
    changes: Mapping[str, Any],
    version: int | None = None,
) -> PolicyChange:
    """Change rules of the season, by the keys of `Rule`, and return the audited row; None: as the settings say.

    `version` is the season's as the person saw it; None: whichever it has. No `actor_id` means the command line.
    Raises NotFoundError, ConflictError if the rules have changed since, and InvalidInputError for values that are
    not possible or that change nothing.
    """
    with context.database.session() as session:
        season = locked_season(session, season_id, version)
        own = rules_of(season)
        after = changed_rules(context.settings, own, changes)
        return write_change(session, season, own, after, actor_id)


def undo_change(
    context: Context, actor_id: uuid.UUID | None, change_id: uuid.UUID, version: int | None = None
) -> PolicyChange:
    """Give the rules that a change has changed the values that they had before it; return the audited row.

    Raises NotFoundError, and ConflictError if one of them was changed again, or the change was taken back already.
    """
    with context.database.session() as session:
        change = session.get(PolicyChange, change_id)
        if change is None or change.kind not in (PolicyChangeKind.CHANGED, PolicyChangeKind.UNDONE):
            raise NotFoundError("no such change of rules")
        season = locked_season(session, change.season_id, version)
        if session.scalar(select(PolicyChange.id).where(PolicyChange.undoes == change.id)):
            raise ConflictError(SeasonConflict.TAKEN_BACK)
        own = rules_of(season)
        if since := [key for key, value in change.after.items() if own.get(key) != value]:
            raise ConflictError(SeasonConflict.CHANGED_SINCE, rules=since)
        after = changed_rules(context.settings, own, change.before)
        return write_change(session, season, own, after, actor_id, undoes=change.id)


def locked_season(session: Session, season_id: uuid.UUID, version: int | None) -> Season:
    """Return the season's row, locked. Raises NotFoundError, and ConflictError if its version is another."""
    season = session.get(Season, season_id, with_for_update=True)
    if season is None:
        raise NotFoundError("no such season")
    if version is not None and season.version != version:
        raise ConflictError(SeasonConflict.CHANGED)
    return season


def write_change(
    session: Session,
    season: Season,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    actor_id: uuid.UUID | None,
    undoes: uuid.UUID | None = None,
) -> PolicyChange:
    """Write the rules and the audited row of what differs. Raises InvalidInputError if nothing does."""
    changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    if not changed:
        raise InvalidInputError(SeasonRefused.NOTHING_CHANGES)
    write_rules(season, after)
    kind = PolicyChangeKind.CHANGED if undoes is None else PolicyChangeKind.UNDONE
    row = next_change(
        season,
        kind,
        {key: before.get(key) for key in changed},
        {key: after.get(key) for key in changed},
        actor_id,
        undoes,
    )
    session.add(row)
    record_event(
        session, SecurityEventKind.POLICY_CHANGED, actor_id=actor_id, season=season.name, rules=list(changed)
    )
    session.flush()
    return row


def next_change(
    season: Season,
    kind: PolicyChangeKind,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    actor_id: uuid.UUID | None,
    undoes: uuid.UUID | None = None,
) -> PolicyChange:
    """Raise the season's version and return the row of the change that made it; the caller adds it."""
    season.version += 1
    return PolicyChange(
        season_id=season.id,
        version=season.version,
        kind=kind.value,
        before=dict(before),
        after=dict(after),
        actor_id=actor_id,
        undoes=undoes,
    )

"""Bring Supabase Auth's accounts into line with those here. The rows are what holds; `auth_due` is the outbox."""

from __future__ import annotations

import uuid

from sqlalchemy import select, update

from core.errors import AuthRefusedError, AuthUnavailableError, NotFoundError
from core.log import get_logger
from core.models import Profile
from services.accounts.at_auth.grants import auth_of
from services.accounts.roles import Role
from services.context import Context

#: Limit of accounts that one call brings into line.
_BATCH = 100
_log = get_logger(__name__)


def require_told_first(
    context: Context, profile_id: uuid.UUID, *, role: Role | None = None, is_open: bool | None = None
) -> None:
    """Before a change that gives a person something: have Auth take it. A change that only takes needs nothing.

    If Auth does not take it, or this process dies before the row is changed, the reconciler writes the old state.
    Raises AuthUnavailableError, AuthRefusedError, and NotFoundError for no account.
    """
    with context.database.session() as session:
        profile = session.get(Profile, profile_id, with_for_update=True)
        if profile is None:
            raise NotFoundError("no such account")
        before, was_open = Role(profile.role), profile.is_active
        role, is_open = role or before, was_open if is_open is None else is_open
        if not (role.permissions - before.permissions or (is_open and not was_open)):
            return
        profile.auth_due = True
    auth_of(context).admin.tell(profile_id, role.value, is_open)


def tell_auth(context: Context, profile_id: uuid.UUID) -> bool:
    """Write the role and the state of an account into Auth's; return whether Auth took it.

    If it did not, the reconciler tries again.
    """
    with context.database.session() as session:
        profile = session.get_one(Profile, profile_id)
    try:
        auth_of(context).admin.tell(profile.id, profile.role, profile.is_active)
    except (AuthUnavailableError, AuthRefusedError) as error:
        _log.warning("auth_not_told", code=error.code, detail=error.detail)
        return False
    with context.database.session() as session:
        # Of a row that changed meanwhile, what was written last may be the old state.
        session.execute(
            update(Profile)
            .where(Profile.id == profile_id)
            .values(auth_due=Profile.session_version != profile.session_version)
        )
    return True


def tell_all_due(context: Context) -> int:
    """Do that for each account that is due; return their number. A first failure ends the round."""
    if context.auth is None:
        return 0
    with context.database.session() as session:
        due = session.scalars(select(Profile.id).where(Profile.auth_due).order_by(Profile.id).limit(_BATCH)).all()
    told = 0
    for profile_id in due:
        if not tell_auth(context, profile_id):
            break
        told += 1
    return told

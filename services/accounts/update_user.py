"""Change an account's role, or close and reopen it; each change ends its open sessions."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError
from core.models import Profile, SecurityEventKind
from services.accounts.at_auth.outbox import require_told_first, tell_auth
from services.accounts.roles import Role
from services.context import Context
from services.messages.account import AccountRefused
from services.security_events import record_event


def set_role(context: Context, profile_id: uuid.UUID, role: Role, actor_id: uuid.UUID | None = None) -> None:
    """Set the role. Raises InvalidInputError if no admin would be left.

    Raises AuthUnavailableError, and changes nothing, if the role gives something that Supabase Auth does not take.
    """
    if context.auth is not None:
        require_told_first(context, profile_id, role=role)
    with context.database.session() as session:
        profile = _locked(session, profile_id)
        if profile.role == role:
            return
        was_admin = profile.role == Role.ADMIN
        record_event(
            session,
            SecurityEventKind.ROLE_CHANGED,
            actor_id=actor_id,
            subject_id=profile_id,
            before=profile.role,
            role=role.value,
        )
        profile.role = role.value
        _changed(context, profile)
        if was_admin:
            _require_an_admin(session)
    if context.auth is not None:
        tell_auth(context, profile_id)


def set_active(context: Context, profile_id: uuid.UUID, active: bool, actor_id: uuid.UUID | None = None) -> None:
    """Close or reopen an account. Raises InvalidInputError if no admin would be left; otherwise as `set_role`."""
    if context.auth is not None:
        require_told_first(context, profile_id, is_open=active)
    with context.database.session() as session:
        profile = _locked(session, profile_id)
        if profile.is_active == active:
            return
        profile.is_active = active
        kind = SecurityEventKind.ACCOUNT_REOPENED if active else SecurityEventKind.ACCOUNT_CLOSED
        record_event(session, kind, actor_id=actor_id, subject_id=profile_id)
        _changed(context, profile)
        if profile.role == Role.ADMIN:
            _require_an_admin(session)
    if context.auth is not None:
        tell_auth(context, profile_id)


def _changed(context: Context, profile: Profile) -> None:
    profile.session_version += 1
    profile.auth_due = context.auth is not None


def _locked(session: Session, profile_id: uuid.UUID) -> Profile:
    # Lock all admins, in one order: two who close each other's accounts at once must not both succeed.
    session.execute(
        select(Profile.id).where(Profile.role == Role.ADMIN.value).order_by(Profile.id).with_for_update()
    ).all()
    profile = session.get(Profile, profile_id, with_for_update=True)
    if profile is None:
        raise NotFoundError("no such account")
    return profile


def _require_an_admin(session: Session) -> None:
    session.flush()
    admins = session.scalar(
        select(func.count()).select_from(Profile).where(Profile.role == Role.ADMIN.value, Profile.is_active)
    )
    if not admins:
        raise InvalidInputError(AccountRefused.LAST_ADMIN)

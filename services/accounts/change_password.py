"""Choose a new password while signed in; this ends every session of the person."""

from __future__ import annotations

import uuid

from core.errors import WrongPasswordError
from core.models import Profile, SecurityEventKind
from services.accounts.at_auth.grants import person_of_grant
from services.accounts.at_auth.passwords import require_password, set_password
from services.accounts.passwords import hash_new_password, password_fits
from services.accounts.person import Person, person_of
from services.context import Context
from services.security_events import record_event


def change_password(context: Context, profile_id: uuid.UUID, current: str, wanted: str) -> Person:
    """Set the password and return the person, whose sessions all have ended.

    Raises WrongPasswordError if `current` is not the present password, InvalidInputError for a weak one.
    """
    if context.auth is not None:
        return _change_at_auth(context, profile_id, current, wanted)
    with context.database.session() as session:
        profile = session.get_one(Profile, profile_id, with_for_update=True)
        if not password_fits(profile.password_hash, current):
            raise WrongPasswordError
        profile.password_hash = hash_new_password(wanted, profile.email)
        profile.session_version += 1
        record_event(session, SecurityEventKind.PASSWORD_CHANGED, actor_id=profile.id)
        return person_of(profile)


def _change_at_auth(context: Context, profile_id: uuid.UUID, current: str, wanted: str) -> Person:
    with context.database.session() as session:
        profile = session.get_one(Profile, profile_id)
    require_password(context, profile_id, profile.email, current)
    grant = set_password(context, profile_id, profile.email, wanted)
    with context.database.session() as session:
        session.get_one(Profile, profile_id, with_for_update=True).session_version += 1
        record_event(session, SecurityEventKind.PASSWORD_CHANGED, actor_id=profile_id)
    return person_of_grant(context, grant)

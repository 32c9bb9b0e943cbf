"""Choose a new password through a reset link; this ends every open session of the person."""

from __future__ import annotations

from core.models import SecurityEventKind
from services.accounts.account_tokens import profile_of_token, use_token
from services.accounts.at_auth.grants import person_of_grant
from services.accounts.at_auth.passwords import set_password
from services.accounts.passwords import hash_new_password
from services.accounts.person import Person, person_of
from services.context import Context
from services.security_events import record_event


def person_to_reset(context: Context, token: str) -> Person:
    """Return the person whose password the link resets. Raises LinkExpiredError."""
    with context.database.session() as session:
        return person_of(profile_of_token(session, token, "password_reset"))


def reset_password(context: Context, token: str, password: str) -> Person:
    """Set the password; return the person. Raises LinkExpiredError, or InvalidInputError for a weak password."""
    if context.auth is not None:
        return _reset_at_auth(context, token, password)
    with context.database.session() as session:
        profile = profile_of_token(session, token, "password_reset")
        profile.password_hash = hash_new_password(password, profile.email)
        profile.session_version += 1
        use_token(session, token)
        record_event(session, SecurityEventKind.PASSWORD_RESET, actor_id=profile.id)
        return person_of(profile)


def _reset_at_auth(context: Context, token: str, password: str) -> Person:
    owner = person_to_reset(context, token)
    grant = set_password(context, owner.id, owner.email, password)
    with context.database.session() as session:
        profile = profile_of_token(session, token, "password_reset")
        profile.session_version += 1
        use_token(session, token)
        record_event(session, SecurityEventKind.PASSWORD_RESET, actor_id=profile.id)
    return person_of_grant(context, grant)

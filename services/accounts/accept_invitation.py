"""Accept an invitation: choose a password through its link."""

from __future__ import annotations

from sqlalchemy.orm import Session

from core.models import Profile, SecurityEventKind
from services.accounts.account_tokens import profile_of_token, use_token
from services.accounts.at_auth.grants import person_of_grant
from services.accounts.at_auth.passwords import set_password
from services.accounts.display_name import normal_name
from services.accounts.passwords import hash_new_password
from services.accounts.person import Person, person_of
from services.context import Context
from services.security_events import record_event


def invited_person(context: Context, token: str) -> Person:
    """Return the person whom the link invites. Raises LinkExpiredError."""
    with context.database.session() as session:
        return person_of(profile_of_token(session, token, "invitation"))


def accept_invitation(
    context: Context, token: str, password: str, display_name: str = "", language: str | None = None
) -> Person:
    """Set the password, the name and the language, if one is given, and return the person.

    Raises LinkExpiredError, and InvalidInputError for a weak password or a long name.
    """
    name = normal_name(display_name)
    if context.auth is not None:
        return _accept_at_auth(context, token, password, name, language)
    with context.database.session() as session:
        profile = profile_of_token(session, token, "invitation")
        profile.password_hash = hash_new_password(password, profile.email)
        _accept(session, profile, token, name, language)
        return person_of(profile)


def _accept_at_auth(context: Context, token: str, password: str, name: str, language: str | None) -> Person:
    invited = invited_person(context, token)
    grant = set_password(context, invited.id, invited.email, password)
    with context.database.session() as session:
        _accept(session, profile_of_token(session, token, "invitation"), token, name, language)
    return person_of_grant(context, grant)


def _accept(session: Session, profile: Profile, token: str, name: str, language: str | None) -> None:
    profile.language = language or profile.language
    profile.display_name = name or profile.display_name
    use_token(session, token)
    record_event(session, SecurityEventKind.INVITATION_ACCEPTED, actor_id=profile.id)

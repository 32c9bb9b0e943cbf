"""Sign in with e-mail address and password."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update

from core.clock import utcnow
from core.errors import SignInError
from core.models import Profile, SecurityEventKind
from services.accounts.at_auth.grants import person_of_grant
from services.accounts.passwords import password_fits
from services.accounts.person import Person, may_sign_in, person_of
from services.context import Context
from services.security_events import record_event


def sign_in(context: Context, email: str, password: str, network: str = "") -> Person:
    """Check the password and return the person. A failure is recorded, with the network that it came from.

    Raises SignInError. Neither the error nor the time that it takes reveals the cause. Where Supabase Auth keeps
    the passwords, raises AuthUnavailableError, AuthRefusedError and AuthUntrustedError.
    """
    address = email.strip()
    with context.database.session() as session:
        profile = session.scalar(select(Profile).where(func.lower(Profile.email) == address.lower()))
    try:
        if context.auth is None:
            person = _by_own_password(context, profile, password)
        else:
            person = person_of_grant(context, context.auth.people.by_password(address, password))
    except SignInError:
        # What was typed as an address is not recorded: it may be a password.
        with context.database.session() as session:
            subject = profile.id if profile else None
            record_event(session, SecurityEventKind.SIGN_IN_FAILED, subject_id=subject, network=network)
        raise
    note_sign_in(context, person.id)
    return person


def note_sign_in(context: Context, profile_id: uuid.UUID) -> None:
    """Note when the person was last seen to sign in."""
    with context.database.session() as session:
        session.execute(update(Profile).where(Profile.id == profile_id).values(last_sign_in_at=utcnow()))


def _by_own_password(context: Context, profile: Profile | None, password: str) -> Person:
    fits = password_fits(profile.password_hash if profile else None, password)
    if profile is None or not fits or not may_sign_in(profile, context.settings.demo_accounts):
        raise SignInError
    return person_of(profile)

"""Sign in with e-mail address and password."""

from __future__ import annotations

from sqlalchemy import func, select

from core.clock import utcnow
from core.errors import SignInError
from core.models import Profile, SecurityEventKind
from services.accounts.passwords import password_fits
from services.accounts.person import Person, may_sign_in, person_of
from services.context import Context
from services.security_events import record_event


def sign_in(context: Context, email: str, password: str, network: str = "") -> Person:
    """Check the password and return the person. A failure is recorded, with the network that it came from.

    Raises SignInError. Neither the error nor the time that it takes reveals the cause.
    """
    with context.database.session() as session:
        profile = session.scalar(select(Profile).where(func.lower(Profile.email) == email.strip().lower()))
    fits = password_fits(profile.password_hash if profile else None, password)
    if profile is None or not fits or not may_sign_in(profile, context.settings.demo_accounts):
        # What was typed as an address is not recorded: it may be a password.
        with context.database.session() as session:
            subject = profile.id if profile else None
            record_event(session, SecurityEventKind.SIGN_IN_FAILED, subject_id=subject, network=network)
        raise SignInError
    with context.database.session() as session:
        session.get_one(Profile, profile.id).last_sign_in_at = utcnow()
    return person_of(profile)

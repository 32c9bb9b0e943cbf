"""From what Supabase Auth grants to the person whom it names."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime, timedelta

from core.auth.people import Grant
from core.auth.provider import AuthProvider
from core.clock import utcnow
from core.errors import NotFoundError, SignInError
from core.models import AuthSession, Profile
from core.sealing import seal
from services.accounts.person import Person, may_sign_in, person_of
from services.context import Context

#: Longest time between two questions whether a person may still be signed in, however long a token holds.
_LONGEST = timedelta(hours=1)


def auth_of(context: Context) -> AuthProvider:
    """Return Supabase Auth. Raises NotFoundError where accounts are this program's own."""
    if context.auth is None:
        raise NotFoundError("AUTH_PROVIDER is not supabase")
    return context.auth


def person_of_grant(context: Context, grant: Grant) -> Person:
    """Return the person whom a grant names, and keep it for their session.

    Raises SignInError if they may not sign in here.
    """
    with context.database.session() as session:
        profile = session.get(Profile, grant.identity.person_id)
        if profile is None or not may_sign_in(profile, context.settings.demo_accounts):
            raise SignInError("known to Supabase Auth, but not here")
        if grant.identity.role != profile.role:
            # Somebody changed it at Supabase: what holds is the role here.
            profile.auth_due = True
        kept = AuthSession(
            profile_id=profile.id, sealed_refresh_token=sealed(context, grant), expires_at=end_of(grant)
        )
        session.add(kept)
        session.flush()
        return replace(person_of(profile), auth_session=kept.id)


def is_of(grant: Grant, profile_id: uuid.UUID) -> bool:
    """Return whether a grant names this person."""
    return grant.identity.person_id == profile_id


def sealed(context: Context, grant: Grant) -> str:
    """Return the form in which a grant's refresh token is stored."""
    return seal(context.settings, "session at Supabase Auth", grant.refresh_token)


def end_of(grant: Grant) -> datetime:
    """Return when Auth has to be asked again."""
    return min(grant.identity.expires_at, utcnow() + _LONGEST)

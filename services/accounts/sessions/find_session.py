"""Identify the person and the session of a cookie on each request."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, select, update

from core.models import BrowserSession, FormGeneration, Profile, SecondFactor
from services.accounts.at_auth.still_granted import is_still_granted
from services.accounts.person import Person, may_sign_in, person_of
from services.accounts.sessions.live import is_live
from services.accounts.sessions.secret import hash_of
from services.context import Context

#: Resolution of `last_seen_at`: most requests then write nothing.
_SEEN_STEP = timedelta(minutes=1)


@dataclass(frozen=True)
class LiveSession:
    """A session that holds, and whose it is."""

    id: uuid.UUID
    person: Person
    #: Whether the password was given within CONFIRM_MINUTES.
    is_confirmed: bool
    #: Whether the person has to set up a second factor before anything else.
    wants_second_factor: bool
    #: Name of the generation of forms in use, read with the session: every request needs both.
    forms: str | None = None


def find_session(context: Context, secret: str) -> LiveSession | None:
    """Return the session of a cookie's secret; None if it has ended or the account may not sign in.

    Where Supabase Auth keeps the passwords it is asked, now and then, whether the person may still be signed in.
    """
    live = _find(context, secret)
    if live is None or context.auth is None or is_still_granted(context, live.id):
        return live
    return None


def _find(context: Context, secret: str) -> LiveSession | None:
    settings = context.settings
    with context.database.session() as session:
        row = session.execute(
            select(
                Profile,
                BrowserSession.id,
                SecondFactor.confirmed_at.label("factor_since"),
                (BrowserSession.last_seen_at < func.now() - _SEEN_STEP).label("stale"),
                (BrowserSession.confirmed_at > func.now() - timedelta(minutes=settings.confirm_minutes)).label(
                    "confirmed"
                ),
                select(FormGeneration.name).scalar_subquery().label("forms"),
            )
            .join(BrowserSession, BrowserSession.profile_id == Profile.id)
            .outerjoin(SecondFactor, SecondFactor.profile_id == Profile.id)
            .where(BrowserSession.secret_hash == hash_of(secret), *is_live(settings))
        ).one_or_none()
        if row is None or not may_sign_in(row.Profile, settings.demo_accounts):
            return None
        if row.stale:
            # Another request that is noting the same need not be waited for.
            free = (
                select(BrowserSession.id)
                .where(BrowserSession.id == row.id)
                .with_for_update(skip_locked=True)
                .scalar_subquery()
            )
            session.execute(
                update(BrowserSession).where(BrowserSession.id == free).values(last_seen_at=func.now())
            )
        person = person_of(row.Profile)
        required = settings.require_second_factor and not settings.demo_accounts and person.role.may_administer
        return LiveSession(row.id, person, row.confirmed, required and row.factor_since is None, row.forms)

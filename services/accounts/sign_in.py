"""Sign in, by password or by a link of Supabase Auth; list and clear away sessions."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update

from core.auth.provider import Grant, LinkKind
from core.clock import utcnow
from core.errors import LinkExpiredError, SignInError
from core.models import AuthSession, BrowserSession, Profile, SecurityEventKind
from services.accounts.at_auth import auth_of, person_of_grant
from services.accounts.mailed_links import Purpose, issue_token
from services.accounts.passwords import password_fits
from services.accounts.person import Person, has_address, may_sign_in, person_of
from services.accounts.sessions import AddressFamily, is_live
from services.audit import record_event
from services.context import Context

#: Links that lead to our own link of this purpose, where a password is chosen.
_PURPOSES: dict[str, Purpose] = {"invite": "invitation", "recovery": "password_reset"}
#: Limit of rows; nobody has so many browsers.
_MOST = 100
#: A session that was not used for so long has ended under any setting.
_KEPT = timedelta(days=35)


@dataclass(frozen=True)
class Link:
    """What a browser brings from a letter: the hash of a token, or a code with its verifier."""

    kind: LinkKind
    token_hash: str = ""
    code: str = ""
    verifier: str = ""


@dataclass(frozen=True)
class OpenedLink:
    """Whose link it was, and what comes next."""

    person: Person
    #: What to choose a password for; None where the person is signed in by the link itself.
    purpose: Purpose | None = None
    #: Of our own link for that.
    token: str = ""


def open_link(context: Context, link: Link, network: str = "") -> OpenedLink:
    """Use a link up. Raises LinkExpiredError, also for a person who may not sign in here, which is recorded."""
    try:
        person = person_of_grant(context, _shown(context, link))
    except SignInError as exc:
        with context.database.session() as session:
            record_event(session, SecurityEventKind.SIGN_IN_FAILED, network=network)
        raise LinkExpiredError from exc
    purpose = _PURPOSES.get(link.kind)
    if purpose is None:
        note_sign_in(context, person.id)
        return OpenedLink(person)
    with context.database.session() as session:
        return OpenedLink(person, purpose, issue_token(session, person.id, purpose))


def _shown(context: Context, link: Link) -> Grant:
    people = auth_of(context).people
    if link.code:
        return people.by_code(link.code, link.verifier)
    return people.by_link(link.token_hash, link.kind)


@dataclass(frozen=True)
class SessionRow:
    id: uuid.UUID
    created_at: datetime
    last_seen_at: datetime
    address_family: AddressFamily
    #: The browser in a few words; may be empty.
    user_agent: str


def list_sessions(context: Context, profile_id: uuid.UUID) -> list[SessionRow]:
    """Return the person's open sessions, newest first."""
    query = (
        select(BrowserSession)
        .join(Profile, Profile.id == BrowserSession.profile_id)
        .where(BrowserSession.profile_id == profile_id, *is_live(context.settings))
        .order_by(BrowserSession.created_at.desc(), BrowserSession.id)
        .limit(_MOST)
    )
    return [
        SessionRow(row.id, row.created_at, row.last_seen_at, AddressFamily(row.address_family), row.user_agent)
        for row in context.database.scalars(query)
    ]


def purge_sessions(context: Context) -> int:
    """Delete the rows and return how many sessions there were."""
    longest = timedelta(hours=context.settings.session_hours)
    with context.database.session() as session:
        session.execute(delete(AuthSession).where(AuthSession.created_at < func.now() - longest))
        gone = session.execute(
            delete(BrowserSession)
            .where(BrowserSession.last_seen_at < func.now() - _KEPT)
            .returning(BrowserSession.id)
        )
        return len(gone.all())


def sign_in(context: Context, email: str, password: str, network: str = "") -> Person:
    """Check the password and return the person. A failure is recorded, with the network that it came from.

    Raises SignInError. Neither the error nor the time that it takes reveals the cause. Where Supabase Auth keeps
    the passwords, raises AuthUnavailableError, AuthRefusedError and AuthUntrustedError.
    """
    address = email.strip()
    profile = context.database.scalar(select(Profile).where(has_address(address)))
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
    context.database.execute(update(Profile).where(Profile.id == profile_id).values(last_sign_in_at=utcnow()))


def _by_own_password(context: Context, profile: Profile | None, password: str) -> Person:
    fits = password_fits(profile.password_hash if profile else None, password)
    if profile is None or not fits or not may_sign_in(profile, context.settings.demo_accounts):
        raise SignInError
    return person_of(profile)

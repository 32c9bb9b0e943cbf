"""Accounts kept by Supabase Auth: invited, linked, and granted their roles here."""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from core.auth.keys import seal
from core.auth.provider import AuthProvider, Grant, MadeLink
from core.clock import utcnow
from core.errors import (
    AuthRefusedError,
    AuthUnavailableError,
    InvalidInputError,
    NotFoundError,
    SignInError,
    WrongPasswordError,
    existing,
)
from core.models import AuthSession, Profile, SecurityEventKind
from core.tracing.log import get_logger
from services.accounts.passwords import require_acceptable
from services.accounts.person import Person, Role, may_sign_in, normal_email, normal_name, person_of
from services.audit import record_event
from services.context import Context
from services.messages.office import AccountRefused

#: Bytes that count: Auth hashes with bcrypt, which reads no more.
MOST_BYTES = 72
#: Limit of accounts that one call brings into line.
_BATCH = 100
_log = get_logger(__name__)
#: Longest time between two checks that a person may still be signed in, however long a token is valid.
_LONGEST = timedelta(hours=1)


def require_password(context: Context, profile_id: uuid.UUID, email: str, password: str) -> None:
    """Raise WrongPasswordError unless this is the person's password at Auth."""
    people = auth_of(context).people
    try:
        grant = people.by_password(email, password)
    except SignInError as exc:
        raise WrongPasswordError from exc
    with suppress(AuthUnavailableError, AuthRefusedError):
        people.end(grant.access_token, "local")
    if not is_of(grant, profile_id):
        raise WrongPasswordError


def require_acceptable_at_auth(password: str, email: str) -> None:
    """Raise InvalidInputError for a password that is too weak, or longer than Auth takes."""
    require_acceptable(password, email)
    if len(password.encode()) > MOST_BYTES:
        raise InvalidInputError(AccountRefused.PASSWORD_TOO_LONG, limit=MOST_BYTES)


def set_password(context: Context, profile_id: uuid.UUID, email: str, password: str) -> Grant:
    """Replace the password at Auth, end the person's sessions there, and return what the new one grants.

    Raises InvalidInputError for a weak password and for a person whom Auth does not know, PasswordRefusedError by
    the rules of Auth itself.
    """
    require_acceptable_at_auth(password, email)
    auth = auth_of(context)
    known_as = auth.admin.set_password(profile_id, password)
    if known_as is None:
        raise InvalidInputError(AccountRefused.NOT_AT_AUTH)
    grant = auth.people.by_password(known_as, password)
    auth.people.end(grant.access_token, "others")
    return grant


def invite_at_auth(
    context: Context, email: str, role: Role, display_name: str = "", actor_id: uuid.UUID | None = None
) -> MadeLink:
    """Make the account and return the link by which its owner chooses a password.

    An account here that Auth does not know gets one there under the same id; one that was used before keeps its
    role and name, so that people who had their password here can move. Inviting again replaces an invitation that
    was not accepted yet.

    Raises InvalidInputError for an address whose account is in use, and for a long name; AuthUnavailableError and
    AuthRefusedError, after which nobody can sign in with an account that Auth may have made: it has no row here.
    """
    address, name = normal_email(email), normal_name(display_name)
    known = context.database.scalar(select(Profile).where(func.lower(Profile.email) == address))
    link = _link(context, address, role, known)
    try:
        with context.database.session() as session:
            profile = session.get(Profile, link.person_id, with_for_update=True)
            if profile is None:
                profile = Profile(id=link.person_id, email=address)
                session.add(profile)
            if profile.last_sign_in_at is None:
                profile.role, profile.display_name = role.value, name
            profile.auth_due = True
            session.flush()
            record_event(
                session, SecurityEventKind.INVITED, actor_id=actor_id, subject_id=profile.id, role=profile.role
            )
    except IntegrityError as exc:
        raise InvalidInputError(AccountRefused.JUST_INVITED) from exc
    tell_auth(context, link.person_id)
    return link


def _link(context: Context, address: str, role: Role, known: Profile | None) -> MadeLink:
    admin = auth_of(context).admin
    # Under our id, if Auth does not know the address: an invitation alone would make a new id.
    admin.make_account(known.id if known else uuid.uuid4(), address, role.value)
    link = admin.make_link(address, "invite")
    if link is None and known is None:
        # Somebody made the account at Supabase, and its owner has confirmed the address.
        link = admin.make_link(address, "recovery")
    if link is None:
        raise InvalidInputError(AccountRefused.ADDRESS_TAKEN)
    if known is not None and known.id != link.person_id:
        raise InvalidInputError(AccountRefused.OTHER_AT_AUTH)
    return link


# Bring Supabase Auth's accounts into line with those here. The rows here decide; `auth_due` is the outbox.


def require_told_first(
    context: Context, profile_id: uuid.UUID, *, role: Role | None = None, is_open: bool | None = None
) -> None:
    """Before a change that grants something, write it to Auth. A change that only revokes needs nothing.

    If Auth does not take it, or this process dies before the row is changed, the reconciler writes the old state.
    Raises AuthUnavailableError, AuthRefusedError, and NotFoundError for no account.
    """
    with context.database.session() as session:
        profile = existing(session.get(Profile, profile_id, with_for_update=True), "no such account")
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
    profile = context.database.get_one(Profile, profile_id)
    try:
        auth_of(context).admin.tell(profile.id, profile.role, profile.is_active)
    except (AuthUnavailableError, AuthRefusedError) as error:
        _log.warning("auth_not_told", code=error.code, detail=error.detail)
        return False
    # If the row changed meanwhile, Auth may have got the old state.
    context.database.execute(
        update(Profile)
        .where(Profile.id == profile_id)
        .values(auth_due=Profile.session_version != profile.session_version)
    )
    return True


def tell_all_due(context: Context) -> int:
    """Update Auth for each account that is due; return their number. The first failure ends the round."""
    if context.auth is None:
        return 0
    due = context.database.scalars(select(Profile.id).where(Profile.auth_due).order_by(Profile.id).limit(_BATCH))
    updated = 0
    for profile_id in due:
        if not tell_auth(context, profile_id):
            break
        updated += 1
    return updated


def auth_of(context: Context) -> AuthProvider:
    """Return Supabase Auth. Raises NotFoundError where this program keeps the accounts itself."""
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
            # Somebody changed the role at Supabase: the one here decides.
            profile.auth_due = True
        kept = AuthSession(
            profile_id=profile.id, sealed_refresh_token=sealed(context, grant), expires_at=grant_end(grant)
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


def grant_end(grant: Grant) -> datetime:
    """Return when Auth must be asked again."""
    return min(grant.identity.expires_at, utcnow() + _LONGEST)

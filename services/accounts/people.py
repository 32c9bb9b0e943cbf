"""The people who use the site: found, listed, created, changed, with their own settings."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import case, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import ConfigurationError, InvalidInputError, WrongPasswordError, existing
from core.models import Profile, SecurityEventKind
from core.plain_data import built
from services.accounts.api_tokens import revoke_every_token
from services.accounts.at_auth import (
    auth_of,
    person_of_grant,
    require_acceptable_at_auth,
    require_password,
    require_told_first,
    set_password,
    tell_auth,
)
from services.accounts.mailed_links import note_new_password, void_links
from services.accounts.passwords import hash_new_password, hash_password, password_fits
from services.accounts.person import Person, Role, has_address, may_sign_in, normal_email, normal_name, person_of
from services.audit import record_event
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.messages.office import AccountRefused

#: Accounts a page.
PAGE_SIZE = 50
_ADDRESS = "terminal@localhost"


def create_user(context: Context, email: str, role: Role, password: str, display_name: str = "") -> uuid.UUID:
    """Create the account and return its id. Raises InvalidInputError for an address in use, a weak password
    or a long name."""
    address = normal_email(email)
    profile = Profile(email=address, role=role.value, display_name=normal_name(display_name))
    if context.auth is None:
        profile.password_hash = hash_new_password(password, address)
    else:
        profile.id = _made_at_auth(context, address, role, password)
    try:
        with context.database.session() as session:
            session.add(profile)
            session.flush()
            record_event(session, SecurityEventKind.ACCOUNT_MADE, subject_id=profile.id, role=role.value)
    except IntegrityError as exc:
        raise InvalidInputError(AccountRefused.ADDRESS_TAKEN) from exc
    return profile.id


def _made_at_auth(context: Context, address: str, role: Role, password: str) -> uuid.UUID:
    """Make the account at Auth first: without a row here nobody signs in with it."""
    require_acceptable_at_auth(password, address)
    made = auth_of(context).admin.make_account(uuid.uuid4(), address, role.value, password)
    if made is None:
        raise InvalidInputError(AccountRefused.ADDRESS_TAKEN)
    return made


def person_by_email(context: Context, email: str) -> uuid.UUID:
    """Return the id of the active account with this address. Raises NotFoundError."""
    query = select(Profile.id).where(has_address(email), Profile.is_active)
    return existing(context.database.scalar(query), "no active account with this address")


def account_of(session: Session, email: str) -> uuid.UUID | None:
    """Return the id of the account with this address, whatever its state; None if there is none."""
    return session.scalar(select(Profile.id).where(has_address(email)))


def person_of_account(
    context: Context, profile_id: uuid.UUID, session_version: int, auth_session: uuid.UUID | None
) -> Person | None:
    """Return the person if the account may sign in and its sessions were not ended since; else None."""
    profile = context.database.get(Profile, profile_id)
    if profile is None or profile.session_version != session_version:
        return None
    if not may_sign_in(profile, context.settings.demo_accounts):
        return None
    return replace(person_of(profile), auth_session=auth_session)


@dataclass(frozen=True)
class UserRow:
    id: uuid.UUID
    email: str
    display_name: str
    role: Role
    is_active: bool
    is_demo: bool
    #: Whether the person was invited and has not chosen a password yet, or has not signed in by Supabase Auth.
    is_invited: bool
    created_at: datetime
    last_sign_in_at: datetime | None
    #: Whether Supabase Auth has yet to be told of a change.
    auth_due: bool


#: Active accounts first, each group in the order of the addresses.
_PLACE = (case((Profile.is_active, "active "), else_="closed ") + Profile.email).label("place")


def list_users(context: Context, cursor: str | None = None) -> RowPage[UserRow]:
    """Return one page of accounts, active ones first. Raises InvalidInputError for a bad cursor."""
    with context.database.reading() as session:
        query = select(Profile, Profile.id, _PLACE)
        rows, after, before = fetch_page(session, query, _PLACE, Profile.id, cursor, PAGE_SIZE, newest_first=False)
        return RowPage([_user_row(context, row.Profile) for row in rows], after, before)


def every_user(context: Context) -> Iterator[UserRow]:
    """Return all accounts in the order of `list_users`."""
    page = list_users(context)
    yield from page.rows
    while page.next:
        page = list_users(context, page.next)
        yield from page.rows


def find_user(context: Context, profile_id: uuid.UUID) -> UserRow:
    """Return an account. Raises NotFoundError."""
    return _user_row(context, existing(context.database.get(Profile, profile_id), "no such account"))


def _user_row(context: Context, row: Profile) -> UserRow:
    return built(
        UserRow,
        row,
        role=Role(row.role),
        is_invited=(row.password_hash if context.auth is None else row.last_sign_in_at) is None,
        auth_due=row.auth_due and context.auth is not None,
    )


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
    """Close or reopen an account. Closing ends its mailed links and API tokens for good.

    Raises InvalidInputError if no admin would be left; otherwise as `set_role`.
    """
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
        if not active:
            void_links(session, profile_id)
            revoke_every_token(session, profile_id, actor_id)
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
    return existing(session.get(Profile, profile_id, with_for_update=True), "no such account")


def _require_an_admin(session: Session) -> None:
    session.flush()
    admins = session.scalar(
        select(func.count()).select_from(Profile).where(Profile.role == Role.ADMIN.value, Profile.is_active)
    )
    if not admins:
        raise InvalidInputError(AccountRefused.LAST_ADMIN)


def terminal_person(context: Context) -> uuid.UUID:
    """Return who owns what the command line starts for nobody: the oldest active admin.

    Without one it is a special account that cannot sign in.
    """
    with context.database.session() as session:
        admin = session.scalar(
            select(Profile.id)
            .where(Profile.role == Role.ADMIN.value, Profile.is_active)
            .order_by(Profile.created_at, Profile.id)
            .limit(1)
        )
        if admin is not None:
            return admin
        session.execute(
            insert(Profile)
            .values(email=_ADDRESS, display_name="Terminal", role=Role.OFFICER.value, is_active=False)
            .on_conflict_do_nothing()
        )
        return session.scalars(select(Profile.id).where(Profile.email == _ADDRESS)).one()


@dataclass(frozen=True)
class DemoAccount:
    """One account of the demo; shown on the sign-in page."""

    email: str
    display_name: str
    role: Role
    password: str


DEMO_ACCOUNTS: tuple[DemoAccount, ...] = (
    DemoAccount("reviewer@example.org", "Rosa Reviewer", Role.REVIEWER, "demo-reviewer"),
    DemoAccount("officer@example.org", "Olga Officer", Role.OFFICER, "demo-officer"),
    DemoAccount("uploader@example.org", "Ulises Uploader", Role.UPLOADER, "demo-uploader"),
    DemoAccount("auditor@example.org", "Aiko Auditor", Role.AUDITOR, "demo-auditor"),
    DemoAccount("admin@example.org", "Ada Admin", Role.ADMIN, "demo-administrator"),
)


def create_demo_accounts(context: Context) -> dict[Role, uuid.UUID]:
    """Create the demo accounts that do not exist yet and return the ids of all by role.

    Raises ConfigurationError unless DEMO_ACCOUNTS is on (`Settings` refuses it together with an external
    database or a public address).
    """
    if not context.settings.demo_accounts:
        raise ConfigurationError("DEMO_ACCOUNTS must be true to make demo accounts")
    return {account.role: _ensure(context, account) for account in DEMO_ACCOUNTS}


def _ensure(context: Context, account: DemoAccount) -> uuid.UUID:
    with context.database.session() as session:
        profile = session.scalar(select(Profile).where(func.lower(Profile.email) == account.email))
        if profile is None:
            profile = Profile(email=account.email, is_demo=True, password_hash=None)
            session.add(profile)
        if not profile.is_demo:
            raise ConfigurationError(f"{account.email} is a real account; the demo will not touch it")
        if profile.password_hash is None:
            profile.password_hash = hash_password(account.password)
        profile.role = account.role.value
        profile.display_name = account.display_name
        session.flush()
        return profile.id


def change_name(context: Context, profile_id: uuid.UUID, name: str) -> str:
    """Set the name and return it in its stored form; without one, the address is shown.

    Raises InvalidInputError for a long name.
    """
    wanted = normal_name(name)
    with context.database.session() as session:
        profile = session.get_one(Profile, profile_id, with_for_update=True)
        if profile.display_name != wanted:
            profile.display_name = wanted
            record_event(session, SecurityEventKind.NAME_CHANGED, actor_id=profile_id)
    return wanted


def set_language(context: Context, profile_id: uuid.UUID, language: str) -> None:
    """Set the language of the person's pages and mails, by its code."""
    context.database.execute(update(Profile).where(Profile.id == profile_id).values(language=language))


def set_theme(context: Context, profile_id: uuid.UUID, theme: str) -> None:
    """Set the theme of the person's pages: light, dark, or "auto" for that of the system."""
    context.database.execute(update(Profile).where(Profile.id == profile_id).values(theme=theme))


def change_password(context: Context, profile_id: uuid.UUID, current: str, wanted: str) -> Person:
    """Set the password and return the person, whose sessions all have ended.

    Raises WrongPasswordError if `current` is not the present password, InvalidInputError for a weak one.
    """
    grant = None
    if context.auth is not None:
        profile = context.database.get_one(Profile, profile_id)
        require_password(context, profile_id, profile.email, current)
        grant = set_password(context, profile_id, profile.email, wanted)
    with context.database.session() as session:
        profile = session.get_one(Profile, profile_id, with_for_update=True)
        if grant is None:
            if not password_fits(profile.password_hash, current):
                raise WrongPasswordError
            profile.password_hash = hash_new_password(wanted, profile.email)
        note_new_password(session, profile)
        record_event(session, SecurityEventKind.PASSWORD_CHANGED, actor_id=profile_id)
    return person_of(profile) if grant is None else person_of_grant(context, grant)

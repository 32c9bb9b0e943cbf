"""API tokens of people: made, listed, ended, and what each may do."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError, existing
from core.messages import LabelledEnum
from core.models import ApiToken, Profile, SecurityEventKind
from core.models.base import columns_of
from services.accounts.passwords import secret_hash
from services.accounts.person import Person, may_sign_in, name_of, note_use, person_of
from services.audit import record_event
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.messages.office import AccountRefused

ScopeKey = Literal["read", "write", "uploads", "exports"]


class Scope(LabelledEnum):
    """Each operation of the API needs one of these."""

    READ = "read", "Read"
    WRITE = "write", "Decide and change"
    UPLOADS = "uploads", "Upload files"
    EXPORTS = "exports", "Export entries"


#: Scopes with which a token does, without a password, what the site may ask a password for.
STRONG = frozenset({Scope.WRITE, Scope.EXPORTS})
#: Most days that a token is valid if the password was not given again.
UNASKED_DAYS = 30


def wants_password(keys: Iterable[str], days: int) -> bool:
    """Return whether the password must be given again to make a token with these scopes for these days."""
    return days > UNASKED_DAYS or not STRONG.isdisjoint(keys)


def scopes_of(keys: Iterable[str]) -> frozenset[Scope]:
    """Return the scopes of these keys. Raises InvalidInputError for no keys and for an unknown one."""
    given = frozenset(keys)
    if not given or not given.issubset(Scope):
        raise InvalidInputError(AccountRefused.TOKEN_SCOPES)
    return frozenset(map(Scope, given))


#: A fixed prefix, so that people and secret scanners recognise a leaked token.
PREFIX = "sr_"
PAGE_SIZE = 50
MAX_DAYS = 366
MAX_NAME_LENGTH = 100
#: Limit of tokens for each person; keeps the page short.
MAX_USABLE = 50
#: Resolution of `last_used_at`: most requests then write nothing.
_USED_STEP = timedelta(minutes=5)


@dataclass(frozen=True)
class TokenRow:
    """Description of one token; the token itself is not stored."""

    id: uuid.UUID
    name: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    #: Keys, in the order of `Scope`.
    scopes: list[str]

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= utcnow() else "usable"


@dataclass(frozen=True)
class LiveToken:
    """A valid token: its owner, with their current role, and its scopes."""

    owner: Person
    scopes: frozenset[Scope]


def make_token(
    context: Context,
    profile_id: uuid.UUID,
    name: str,
    days: int,
    scopes: Collection[Scope] = tuple(Scope),
    actor_id: uuid.UUID | None = None,
) -> str:
    """Make a token that is valid for `days` days and return it; it cannot be read again.

    `actor_id` is who asked for it, None for the command line.

    Raises InvalidInputError for an invalid name or number of days, or if the person has too many tokens.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise InvalidInputError(AccountRefused.TOKEN_NAME, limit=MAX_NAME_LENGTH)
    if not 1 <= days <= MAX_DAYS:
        raise InvalidInputError(AccountRefused.TOKEN_DAYS, limit=MAX_DAYS)
    token = PREFIX + secrets.token_urlsafe(32)
    expires_at = utcnow() + timedelta(days=days)
    with context.database.session() as session:
        owner = session.get_one(Profile, profile_id, with_for_update=True)
        if not owner.is_active:
            # It was closed after the request had begun: a token made now would serve when it is opened again.
            raise InvalidInputError(AccountRefused.OWNER_CLOSED)
        usable = session.scalar(select(func.count()).where(ApiToken.profile_id == profile_id, *_usable()))
        if usable is not None and usable >= MAX_USABLE:
            raise InvalidInputError(AccountRefused.TOO_MANY_TOKENS)
        keys, hashed = [scope.value for scope in Scope if scope in scopes], secret_hash(token)
        session.add(
            ApiToken(profile_id=profile_id, name=name, token_hash=hashed, expires_at=expires_at, scopes=keys)
        )
        record_event(
            session,
            SecurityEventKind.TOKEN_MADE,
            actor_id=actor_id,
            subject_id=profile_id,
            token=name,
            scopes=keys,
        )
    return token


def list_tokens(context: Context, profile_id: uuid.UUID) -> list[TokenRow]:
    """Return the person's tokens, newest first."""
    query = select(*columns_of(ApiToken, TokenRow)).where(ApiToken.profile_id == profile_id)
    with context.database.reading() as session:
        rows = session.execute(query.order_by(ApiToken.created_at.desc(), ApiToken.id).limit(200))
        return [TokenRow(**row._asdict()) for row in rows]


def revoke_api_token(
    context: Context, token_id: uuid.UUID, owner_id: uuid.UUID | None, actor_id: uuid.UUID | None = None
) -> None:
    """Revoke a token; repeating it is no error.

    Raises NotFoundError for an unknown token or one of another owner than `owner_id`; None: any owner.
    `actor_id` is who revokes it, None for the command line.
    """
    wanted = [ApiToken.id == token_id]
    if owner_id is not None:
        wanted.append(ApiToken.profile_id == owner_id)
    with context.database.session() as session:
        found = session.scalar(select(ApiToken).where(*wanted).with_for_update())
        token = existing(found, "no such token of this person")
        if token.revoked_at is None:
            _revoke(session, token, actor_id)


def revoke_every_token(session: Session, profile_id: uuid.UUID, actor_id: uuid.UUID | None) -> None:
    """Revoke the person's tokens that are usable, in the caller's transaction."""
    usable = select(ApiToken).where(ApiToken.profile_id == profile_id, *_usable())
    for token in session.scalars(usable.with_for_update()):
        _revoke(session, token, actor_id)


def _revoke(session: Session, token: ApiToken, actor_id: uuid.UUID | None) -> None:
    token.revoked_at = utcnow()
    record_event(
        session, SecurityEventKind.TOKEN_REVOKED, actor_id=actor_id, subject_id=token.profile_id, token=token.name
    )


def find_token(context: Context, token: str) -> LiveToken | None:
    """Return the owner and the scopes of a token.

    Returns None if the token is unknown, revoked or expired, or if the owner's account is closed.
    """
    if not token.startswith(PREFIX):
        return None
    now = utcnow()
    with context.database.reading() as session:
        row = session.execute(
            select(Profile, ApiToken.id, ApiToken.last_used_at, ApiToken.scopes)
            .join(ApiToken, ApiToken.profile_id == Profile.id)
            .where(ApiToken.token_hash == secret_hash(token), *_usable())
        ).one_or_none()
    if row is None or not may_sign_in(row.Profile, context.settings.demo_accounts):
        return None
    if row.last_used_at is None or row.last_used_at < now - _USED_STEP:
        note_use(context.database, ApiToken, row.id, last_used_at=now)
    return LiveToken(person_of(row.Profile), frozenset(Scope(key) for key in row.scopes))


def _usable() -> tuple[ColumnElement[bool], ...]:
    return ApiToken.revoked_at.is_(None), or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > utcnow())


@dataclass(frozen=True)
class OwnedToken(TokenRow):
    owner: str
    owner_email: str


def list_every_token(context: Context, cursor: str | None = None, limit: int = PAGE_SIZE) -> RowPage[OwnedToken]:
    """Return one page of all tokens, newest first. Raises InvalidInputError for a bad cursor."""
    query = select(
        *columns_of(ApiToken, TokenRow), name_of(Profile).label("owner"), Profile.email.label("owner_email")
    ).join(Profile, Profile.id == ApiToken.profile_id)
    with context.database.reading() as session:
        rows, after, before = fetch_page(session, query, ApiToken.created_at, ApiToken.id, cursor, limit)
    return RowPage([OwnedToken(**row._asdict()) for row in rows], after, before)

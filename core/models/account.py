"""People, their sessions and tokens (migration 001), and seasons (002)."""

from __future__ import annotations

import uuid
from datetime import date, datetime

from sqlalchemy import ForeignKey, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from core.models.base import Base, BigInt, CreatedAt, JsonObject, Keyed, Queued, TextList, UuidKey


class Season(Keyed, Base):
    """One run of the contest; owns schools, profiles, policy and entries."""

    __tablename__ = "seasons"

    name: Mapped[str] = mapped_column(unique=True)
    starts_on: Mapped[date | None]
    ends_on: Mapped[date | None]
    is_current: Mapped[bool] = mapped_column(server_default=text("false"))
    policy: Mapped[JsonObject]
    form_profiles: Mapped[TextList]
    #: Days after the season's end, or its last decision, after which its entries are erased; None: the setting.
    retention_days: Mapped[int | None]
    #: The last day on which an entry is received in time.
    deadline: Mapped[date | None]
    #: Counts the changes of its rules (`core/models/trust.py`).
    version: Mapped[int] = mapped_column(server_default=text("1"))
    #: Since when no entries are accepted; None while it is open.
    closed_at: Mapped[datetime | None]


class Profile(Keyed, Base):
    """A person who may sign in."""

    __tablename__ = "profiles"

    email: Mapped[str]
    display_name: Mapped[str] = mapped_column(server_default=text("''"))
    role: Mapped[str] = mapped_column(server_default=text("'uploader'"))
    password_hash: Mapped[str | None]
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    is_demo: Mapped[bool] = mapped_column(server_default=text("false"))
    session_version: Mapped[int] = mapped_column(server_default=text("1"))
    last_sign_in_at: Mapped[datetime | None]
    #: Whether Supabase Auth has yet to be told of the role, or that the account was closed or opened.
    auth_due: Mapped[bool] = mapped_column(server_default=text("false"))
    #: A key of `web.templating.THEMES`; None: as the browser's cookie says.
    theme: Mapped[str | None]
    #: The columns of the last export that the person chose any for.
    export_columns: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    #: The language of mails to the person; None: English.
    language: Mapped[str | None]
    #: Keys of `NoticeKind`; None: the usual ones.
    notices: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    #: The columns of the list of entries that the person chose last.
    list_columns: Mapped[list[str] | None] = mapped_column(ARRAY(Text))


class BrowserSession(Keyed, Base):
    """A session of a browser; only the hash of the cookie's secret is stored."""

    __tablename__ = "sessions"

    profile_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    secret_hash: Mapped[str] = mapped_column(unique=True)
    #: The account's number at sign-in; raising that one ends the session.
    session_version: Mapped[int]
    last_seen_at: Mapped[CreatedAt]
    #: When the person last gave the password.
    confirmed_at: Mapped[CreatedAt]
    ended_at: Mapped[datetime | None]
    address_family: Mapped[str] = mapped_column(server_default=text("''"))
    user_agent: Mapped[str] = mapped_column(server_default=text("''"))


class AuthSession(Keyed, Base):
    """The grant of Supabase Auth for a browser's session, with which Auth is asked again while it lasts."""

    __tablename__ = "auth_sessions"

    profile_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    #: None between the password and the code of a second factor.
    session_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), unique=True
    )
    #: Encrypted under a key that SECRET_KEY gives.
    sealed_refresh_token: Mapped[str]
    #: When Auth has to be asked again.
    expires_at: Mapped[datetime]
    tried_at: Mapped[datetime | None]
    #: Since when Auth has given no answer.
    away_since: Mapped[datetime | None]


class SecondFactor(Base):
    """The authenticator of a person."""

    __tablename__ = "second_factors"

    profile_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True)
    #: Encrypted under a key that SECRET_KEY gives.
    sealed_secret: Mapped[str]
    #: None until the person has shown that the authenticator works.
    confirmed_at: Mapped[datetime | None]
    #: The 30 seconds of the last code that was used: no code is good twice.
    last_step: Mapped[BigInt] = mapped_column(server_default=text("0"))
    created_at: Mapped[CreatedAt]


class RecoveryCode(Base):
    """A code that signs in once in place of one of the authenticator; only its hash is stored."""

    __tablename__ = "recovery_codes"

    id: Mapped[UuidKey]
    profile_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    code_hash: Mapped[str]
    used_at: Mapped[datetime | None]


class AccountToken(Keyed, Base):
    """An invitation or a password reset; only the token's hash is stored."""

    __tablename__ = "account_tokens"

    profile_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    purpose: Mapped[str]
    token_hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class ResetRequest(Queued, Keyed, Base):
    """A request for a password reset by mail, kept until the mail is sent."""

    __tablename__ = "reset_requests"

    #: None for an address without an account, for which nothing is sent.
    profile_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("profiles.id", ondelete="CASCADE"), unique=True
    )
    #: Of the page on which it was asked for.
    language: Mapped[str]


class ApiToken(Keyed, Base):
    """A key for the JSON API; only its hash is stored."""

    __tablename__ = "api_tokens"

    profile_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    name: Mapped[str]
    token_hash: Mapped[str] = mapped_column(unique=True)
    last_used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    #: Keys of `services.accounts.token_scopes.Scope`.
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{read,write,uploads}'"))

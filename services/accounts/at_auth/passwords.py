"""Passwords that Supabase Auth keeps: check them and replace them."""

from __future__ import annotations

import uuid
from contextlib import suppress

from core.auth.people import Grant
from core.errors import (
    AuthRefusedError,
    AuthUnavailableError,
    InvalidInputError,
    SignInError,
    WrongPasswordError,
)
from services.accounts.at_auth.grants import auth_of, is_of
from services.accounts.passwords import require_acceptable
from services.context import Context
from services.messages.account import AccountRefused

#: Bytes that count: Auth hashes with bcrypt, which reads no more.
MOST_BYTES = 72


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
    """Replace the password at Auth, end what else is signed in there, and return what the new one grants.

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

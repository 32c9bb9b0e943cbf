"""Passwords: the rules for new ones, and scrypt hashes by Werkzeug."""

from __future__ import annotations

from functools import lru_cache

from werkzeug.security import check_password_hash, generate_password_hash

from core.errors import InvalidInputError
from services.accounts.password_strength import require_strong
from services.messages.account import AccountRefused

MIN_LENGTH = 12
#: Limits the work of hashing, so that long passwords cannot be used to overload the server.
MAX_LENGTH = 200


def require_acceptable(password: str, email: str) -> None:
    """Raise InvalidInputError for a password that a person chose and that is too weak."""
    if len(password) < MIN_LENGTH:
        raise InvalidInputError(AccountRefused.PASSWORD_TOO_SHORT, limit=MIN_LENGTH)
    if len(password) > MAX_LENGTH:
        raise InvalidInputError(AccountRefused.PASSWORD_TOO_LONG, limit=MAX_LENGTH)
    if password.casefold() in (email.casefold(), email.casefold().partition("@")[0]):
        raise InvalidInputError(AccountRefused.PASSWORD_IS_ADDRESS)
    require_strong(password, email)


def hash_new_password(password: str, email: str) -> str:
    """Return the hash of a password that a person chose. Raises InvalidInputError if it is too weak."""
    require_acceptable(password, email)
    return hash_password(password)


def hash_password(password: str) -> str:
    """Return the hash of a password that nobody chose: that of a demo account."""
    return generate_password_hash(password, method="scrypt")


def password_fits(password_hash: str | None, password: str) -> bool:
    """Return whether the password matches the hash, in constant time.

    An account without a password takes the same time and never matches.
    """
    if len(password) > MAX_LENGTH:
        return False
    fits = check_password_hash(password_hash or _hash_of_nobody(), password)
    return fits and password_hash is not None


@lru_cache(maxsize=1)
def _hash_of_nobody() -> str:
    return generate_password_hash("nobody signs in with this", method="scrypt")

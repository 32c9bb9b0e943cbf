"""Passwords: scrypt hashes by Werkzeug, and what a new one must be."""

from __future__ import annotations

from functools import lru_cache

from werkzeug.security import check_password_hash, generate_password_hash

from core.errors import InvalidInputError
from services.messages.account import AccountRefused

MIN_LENGTH = 12
#: Hashing a book would be a way to keep the server busy.
MAX_LENGTH = 200


def hash_new_password(password: str, email: str) -> str:
    """Hash a password that a person chose. Raises InvalidInputError for one that is too easy."""
    if len(password) < MIN_LENGTH:
        raise InvalidInputError(AccountRefused.PASSWORD_TOO_SHORT, limit=MIN_LENGTH)
    if len(password) > MAX_LENGTH:
        raise InvalidInputError(AccountRefused.PASSWORD_TOO_LONG, limit=MAX_LENGTH)
    if password.casefold() in (email.casefold(), email.casefold().partition("@")[0]):
        raise InvalidInputError(AccountRefused.PASSWORD_IS_ADDRESS)
    if len(set(password)) < 4:
        raise InvalidInputError(AccountRefused.PASSWORD_REPEATS)
    return generate_password_hash(password, method="scrypt")


def password_fits(password_hash: str | None, password: str) -> bool:
    """Compare in constant time; an account without a password costs the same time and never fits."""
    if len(password) > MAX_LENGTH:
        return False
    fits = check_password_hash(password_hash or _hash_of_nobody(), password)
    return fits and password_hash is not None


@lru_cache(maxsize=1)
def _hash_of_nobody() -> str:
    return generate_password_hash("nobody signs in with this", method="scrypt")

"""Passwords: scrypt hashes by Werkzeug, and what a new one must be."""

from __future__ import annotations

from functools import lru_cache

from werkzeug.security import check_password_hash, generate_password_hash

from core.errors import InvalidInputError

MIN_LENGTH = 12
#: Hashing a book would be a way to keep the server busy.
MAX_LENGTH = 200


def hash_new_password(password: str, email: str) -> str:
    """Hash a password that a person chose. Raises InvalidInputError for one that is too easy."""
    if len(password) < MIN_LENGTH:
        raise InvalidInputError(f"The password needs at least {MIN_LENGTH} characters.")
    if len(password) > MAX_LENGTH:
        raise InvalidInputError(f"The password may have at most {MAX_LENGTH} characters.")
    if password.casefold() in (email.casefold(), email.casefold().partition("@")[0]):
        raise InvalidInputError("The password must not be the e-mail address.")
    if len(set(password)) < 4:
        raise InvalidInputError("The password repeats too few characters.")
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

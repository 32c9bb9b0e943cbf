"""Passwords: how strong they must be, and how they are kept."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from werkzeug.security import check_password_hash, generate_password_hash

from core.errors import InvalidInputError
from core.messages import MessageCode
from services.messages.office import AccountRefused

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


def secret_hash(secret: str) -> str:
    """Return the stored form of a random secret: 256 bits need no salt and no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


@lru_cache(maxsize=1)
def _hash_of_nobody() -> str:
    return hash_password("nobody signs in with this")


#: Of 0 to 4: "safely unguessable: moderate protection from offline slow-hash scenario" by zxcvbn's scale.
_ENOUGH = 3
#: zxcvbn's time grows with more than the square of the length; its first words make a password hard to guess.
_LOOKED_AT = 32
#: Signs that stand for letters. With its own table, up to four signs a letter, zxcvbn tries every combination:
#: that takes seconds for a password that has all the signs.
_SIGNS = {"a": ["4", "@"], "e": ["3"], "i": ["1", "!"], "o": ["0"], "s": ["$", "5"], "t": ["7"]}
#: What people here would try first; the lists of zxcvbn are English.
_LOCAL_WORDS = (Path(__file__).parent / "local_words.txt").read_text(encoding="utf-8").split()
_ADVICE: dict[str, MessageCode] = {
    "spatial": AccountRefused.PASSWORD_KEYBOARD,
    "repeat": AccountRefused.PASSWORD_REPEATS,
    "sequence": AccountRefused.PASSWORD_SEQUENCE,
    "date": AccountRefused.PASSWORD_DATE,
}


def require_strong(password: str, email: str) -> None:
    """Raise InvalidInputError, with advice, for a password that would be guessed early.

    These are common ones, names and words followed by digits, keyboard rows, dates.
    """
    local, _, domain = email.partition("@")
    own = [email, local, domain, *local.replace("-", ".").replace("_", ".").split("."), domain.partition(".")[0]]
    # Its lists take a while to load, and a password is rarely chosen.
    from zxcvbn import matching, zxcvbn

    matching.L33T_TABLE.clear()
    matching.L33T_TABLE.update(_SIGNS)
    found = zxcvbn(password[:_LOOKED_AT], user_inputs=[*own, *_LOCAL_WORDS])
    if found["score"] < _ENOUGH:
        longest = max(found["sequence"], key=lambda part: len(part["token"]))
        raise InvalidInputError(_ADVICE.get(longest["pattern"], AccountRefused.PASSWORD_COMMON))

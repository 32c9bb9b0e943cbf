"""What a token may be used for, within its owner's role."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from core.errors import InvalidInputError
from core.labels import LabelledEnum
from services.messages.account import AccountRefused

ScopeKey = Literal["read", "write", "uploads", "exports"]


class Scope(LabelledEnum):
    """Each operation of the API needs one of these."""

    READ = "read", "Read"
    WRITE = "write", "Decide and change"
    UPLOADS = "uploads", "Upload files"
    EXPORTS = "exports", "Export entries"


#: What a token does without anybody being asked for a password, though the site may ask for one.
STRONG = frozenset({Scope.WRITE, Scope.EXPORTS})
#: Days that a token may hold that was made without giving the password again.
UNASKED_DAYS = 30


def wants_password(keys: Iterable[str], days: int) -> bool:
    """Return whether who makes a token with these scopes, for so many days, gives their password again."""
    return days > UNASKED_DAYS or not STRONG.isdisjoint(keys)


def scopes_of(keys: Iterable[str]) -> frozenset[Scope]:
    """Return the scopes of these keys. Raises InvalidInputError for none, and for one that there is not."""
    try:
        found = frozenset(Scope(key) for key in keys)
    except ValueError as exc:
        raise InvalidInputError(AccountRefused.TOKEN_SCOPES) from exc
    if not found:
        raise InvalidInputError(AccountRefused.TOKEN_SCOPES)
    return found

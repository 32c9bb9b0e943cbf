"""Normalise the names of people for display."""

from __future__ import annotations

from core.errors import InvalidInputError
from services.messages.account import AccountRefused

MAX_LENGTH = 100


def normal_name(name: str) -> str:
    """Return the name on one line, without unprintable characters. Raises InvalidInputError if it is too long."""
    shown = "".join(char for char in " ".join(name.split()) if char.isprintable())
    if len(shown) > MAX_LENGTH:
        raise InvalidInputError(AccountRefused.NAME_TOO_LONG, limit=MAX_LENGTH)
    return shown

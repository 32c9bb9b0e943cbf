"""Names of people as pages show them."""

from __future__ import annotations

from core.errors import InvalidInputError

MAX_LENGTH = 100


def normal_name(name: str) -> str:
    """Return the name on one line, without signs that nobody can see. Raises InvalidInputError for a long one."""
    shown = "".join(char for char in " ".join(name.split()) if char.isprintable())
    if len(shown) > MAX_LENGTH:
        raise InvalidInputError(f"The name may have at most {MAX_LENGTH} characters.")
    return shown

"""Patterns that a form gives for the values of a field: checked when declared, and matched within a time."""

from __future__ import annotations

from functools import lru_cache

import regex

LONGEST = 200
#: A longer value matches no pattern.
LONGEST_VALUE = 1000
#: A pattern that takes longer matches nothing.
SECONDS = 0.05


def checked_pattern(pattern: str) -> str:
    """Return the pattern. Raises ValueError if it is too long or no regular expression."""
    if not pattern or len(pattern) > LONGEST:
        raise ValueError(f"a pattern has 1 to {LONGEST} characters")
    try:
        _compiled(pattern)
    except regex.error as exc:
        raise ValueError(f"no regular expression: {exc}") from exc
    return pattern


def matches(pattern: str, value: str) -> bool:
    """Whether the value matches the pattern as a whole; False if that cannot be told within `SECONDS`."""
    if len(value) > LONGEST_VALUE:
        return False
    try:
        return _compiled(pattern).fullmatch(value, timeout=SECONDS) is not None
    except TimeoutError:
        return False


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)

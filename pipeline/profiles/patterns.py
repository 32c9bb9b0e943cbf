"""Patterns that a form gives for the values of a field: bounded when declared, and matched within a time."""

from __future__ import annotations

import re
from functools import lru_cache

import regex

LONGEST = 200
#: A pattern is no longer than this where what it repeats by number is written out: it is compiled so.
LONGEST_WRITTEN_OUT = 10_000
#: A longer value matches no pattern.
LONGEST_VALUE = 1000
#: A pattern that takes longer matches nothing.
SECONDS = 0.05
#: A group other than plain, named, atomic, looking around or without case: comments, flags and calls of groups,
#: with which parentheses no longer tell what is repeated.
_OTHER_GROUP = re.compile(r"\(\?(?![:=!>]|<[=!]|P?<\w{1,40}>|i[:)])")
#: A set, which may hold named ones ("[:alpha:]") and is the rest where it is not closed, an escaped character, a
#: number of repetitions, any other one.
_PART = re.compile(
    r"\[\^?+\]?+(?>(?:\\.|\[:\w++:\]|[^\]\\])*)(?:\]|\\?\Z)|\\.|\{(?P<least>\d*+)(?P<more>,(?P<most>\d*+))?\}|.",
    re.DOTALL,
)


def checked_pattern(pattern: str) -> str:
    """Return the pattern; it is not compiled. Raises ValueError if compiling it may take much."""
    if not pattern or len(pattern) > LONGEST:
        raise ValueError(f"a pattern has 1 to {LONGEST} characters")
    if _OTHER_GROUP.search(pattern):
        raise ValueError("a pattern has no flags but (?i), no comments and no calls of groups")
    if written_out(pattern) > LONGEST_WRITTEN_OUT:
        raise ValueError(f"a pattern repeats no more than {LONGEST_WRITTEN_OUT} characters in all")
    return pattern


def compiled(pattern: str) -> regex.Pattern[str]:
    """Raises ValueError for what is no regular expression."""
    try:
        return _compiled(pattern)
    except regex.error as exc:
        raise ValueError(f"no regular expression: {exc}") from exc


def matches(pattern: str, value: str) -> bool:
    """Whether the value matches the pattern as a whole; False if that cannot be told within `SECONDS`."""
    if len(value) > LONGEST_VALUE:
        return False
    try:
        return _compiled(pattern).fullmatch(value, timeout=SECONDS) is not None
    except TimeoutError:
        return False


def written_out(pattern: str) -> int:
    """Return how many characters a pattern has at most where each repetition by number is written out."""
    open_groups, last = [0], 0
    for part in _PART.finditer(pattern):
        if part[0] == "(":
            open_groups.append(0)
        elif part[0] == ")" and len(open_groups) > 1:
            last = open_groups.pop() + 1
            open_groups[-1] += last
        elif part["least"] or part["more"]:
            times = max(int(part["least"] or 0), int(part["most"] or 0), 1)
            open_groups[-1] += last * (times - 1)
            last *= times
        else:
            last = 1
            open_groups[-1] += 1
    return sum(open_groups)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)

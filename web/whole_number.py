"""Whole numbers that people and programs send: only those that the database's integer columns hold."""

from __future__ import annotations

from flask import abort

#: First number that the columns cannot hold.
LIMIT = 2**31
_LONGEST = 32


def whole_number(text: str) -> int:
    """Return the number, for `type=` of a form's or an address's values. Raises ValueError for any other text.

    Aborts with 400 for a number beyond the limit: nothing has such an id, version or place.
    """
    if len(text) > _LONGEST:
        abort(400)
    number = int(text)
    if not -LIMIT <= number < LIMIT:
        abort(400)
    return number

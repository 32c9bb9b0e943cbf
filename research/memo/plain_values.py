"""Coerce values from JSON, older records and other origins to text, integers and lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any


def given(one: object, kind: type) -> dict[str, Any]:
    """Return the fields of the dataclass `kind` that are present and not None."""
    found = {}
    for field in fields(kind):
        value = one.get(field.name) if isinstance(one, Mapping) else getattr(one, field.name, None)
        if value is not None:
            found[field.name] = value
    return found


def text_of(value: object) -> str:
    """Return text unchanged, "" for None, the value of an enum member, `str()` of anything else."""
    plain = getattr(value, "value", value)
    return plain if isinstance(plain, str) else "" if plain is None else str(plain)


def items_of(value: object) -> list[Any]:
    """Return the members of an iterable except None; empty for text, mappings and other types."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return []
    return [one for one in value if one is not None]


def texts_of(value: object) -> list[str]:
    """Return the members of a list as text, omitting blank ones."""
    return [text for one in items_of(value) if (text := text_of(one)).strip()]


def pairs_of(value: object) -> list[tuple[str, Any]]:
    """Return the items of a mapping; empty for other types."""
    if not isinstance(value, Mapping):
        return []
    return [(text_of(name), one) for name, one in value.items() if name is not None]


def whole(value: object, otherwise: int = 0) -> int:
    """Return the value as an integer, or `otherwise` if it is not a number."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else otherwise

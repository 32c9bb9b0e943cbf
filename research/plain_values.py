"""Values as they come from JSON, older records and other hands: text, whole numbers, lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any


def given(one: object, kind: type) -> dict[str, Any]:
    """The fields of the dataclass `kind` that are there and say something."""
    found = {}
    for field in fields(kind):
        value = one.get(field.name) if isinstance(one, Mapping) else getattr(one, field.name, None)
        if value is not None:
            found[field.name] = value
    return found


def text_of(value: object) -> str:
    """Text as it is, nothing as none, anything else as it is written."""
    plain = getattr(value, "value", value)
    return plain if isinstance(plain, str) else "" if plain is None else str(plain)


def items_of(value: object) -> list[Any]:
    """The members of a list or its like; text and mappings are no lists."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return []
    return [one for one in value if one is not None]


def texts_of(value: object) -> list[str]:
    """The members of a list as text, empty ones left out."""
    return [text for one in items_of(value) if (text := text_of(one)).strip()]


def pairs_of(value: object) -> list[tuple[str, Any]]:
    """Names and values of a mapping."""
    if not isinstance(value, Mapping):
        return []
    return [(text_of(name), one) for name, one in value.items() if name is not None]


def whole(value: object, otherwise: int = 0) -> int:
    """A whole number; `otherwise` where there is none."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else otherwise

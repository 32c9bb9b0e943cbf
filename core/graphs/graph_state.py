"""Checks of a graph's state: only declared keys, only JSON types."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

Delta = TypeVar("Delta", bound=Mapping[str, Any])


def checked(node: str, delta: Delta, declared: Collection[str]) -> Delta:
    """Return the delta. Raises TypeError for a key LangGraph would silently drop or a value that is not JSON.

    The serializer does not reject objects: it stores their fields, a `SecretStr` in clear text.
    """
    for key, value in delta.items():
        if key not in declared:
            raise TypeError(f"{node} returned {key!r}, which its state does not declare")
        if not is_json(value):
            raise TypeError(f"{node} returned {key!r} with something that is not of a JSON type")
    return delta


def is_json(value: object) -> bool:
    """Whether the value consists of JSON types at every level; subclasses (enums, named tuples) do not count."""
    if value is None or type(value) in (str, int, float, bool):
        return True
    if type(value) is list:
        return all(is_json(item) for item in value)
    return type(value) is dict and _is_json_object(value)


def _is_json_object(value: Mapping[object, object]) -> bool:
    return all(type(key) is str and is_json(item) for key, item in value.items())

"""What a child answers: a value or an error, pickled; and the unpickling of it, which builds plain data only.

A child has parsed a stranger's file, so what it sends is not trusted: `pickle` alone would call anything.
"""

from __future__ import annotations

import io
import pickle
import sys
from dataclasses import is_dataclass
from enum import Enum, EnumType
from typing import Any, NamedTuple

from core.errors import AppError
from core.messages import Message

#: Packages of this program, whose plain data a reply may hold.
OURS = frozenset({"core", "pipeline", "research", "services", "tests"})
#: What NumPy names in a pickled array (its `ndarray.__reduce__` and `__reduce_ex__(5)`).
_ARRAYS = frozenset(
    {
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy._core.numeric", "_frombuffer"),
        ("numpy", "ndarray"),
        ("numpy", "dtype"),
    }
)
_BUILTINS = frozenset({"set", "frozenset", "complex", "bytearray", "slice", "range"})


class Value(NamedTuple):
    """A function's result."""

    result: object


class Refusal(NamedTuple):
    """An error of `core.errors` that a function raised."""

    error: AppError


class Failure(NamedTuple):
    """Any other exception: its type and stack. Its text is not told, because it may quote the file."""

    kind: str
    frames: str


Reply = Value | Refusal | Failure


class NotPlainError(Exception):
    """A reply names something that is no plain data."""


def pack(reply: Reply) -> bytes:
    """Return a reply as bytes. Raises what `pickle.dumps` raises."""
    return pickle.dumps(reply, protocol=5)


def unpack(packed: bytes | bytearray) -> Reply:
    """Return the reply that `pack` packed. Raises NotPlainError where it holds anything but plain data."""
    try:
        reply = _Plain(io.BytesIO(packed)).load()
    except NotPlainError:
        raise
    except Exception as exc:
        raise NotPlainError(f"not a reply: {type(exc).__name__}") from exc
    if not isinstance(reply, Value | Refusal | Failure):
        raise NotPlainError(f"not a reply: {type(reply).__name__}")
    return reply


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("builtins", "getattr"):
            return _member
        if (module, name) in _ARRAYS or (module == "builtins" and name in _BUILTINS):
            return super().find_class(module, name)
        # Only what is there already: an import would run code of the reply's choice.
        found = getattr(sys.modules.get(module), name, None) if module.split(".")[0] in OURS else None
        if isinstance(found, type) and (is_dataclass(found) or issubclass(found, _PLAIN)):
            return found
        raise NotPlainError(f"{module}.{name}")


def _member(kind: object, name: object) -> Enum:
    """Return the member of an enumeration: Python 3.11.0 to 3.11.3 pickle it as `getattr` of its class."""
    if isinstance(kind, EnumType) and isinstance(name, str) and name in kind.__members__:
        member: Enum = kind.__members__[name]
        return member
    raise NotPlainError(f"getattr of {kind!r}")


_PLAIN = (tuple, Enum, AppError, Message)

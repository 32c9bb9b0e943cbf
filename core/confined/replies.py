"""What a child answers: a value or an error, written as plain data; and the reading of it, which calls nothing.

A child has parsed a stranger's file, so what it sends is not trusted. The bytes are a pickle of Python's own plain
types alone, which needs no name of a class or function; the reading refuses every name. Objects of ours are tuples
in it that begin with their kind: (kind, (module, name of the class), what it holds). They are made here, field by
field, of named tuples, dataclasses, enumerations and errors of this program, and of arrays of numbers.
"""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from core.errors import AppError

#: Packages of this program, whose plain data a reply may hold.
OURS = frozenset({"core", "pipeline", "research", "services", "tests"})
#: What is written as it is.
_ATOMS = frozenset({str, int, float, bool, bytes, bytearray, type(None), pickle.PickleBuffer})
#: Kinds of tuples in a reply.
_TUPLE, _NAMED, _DATACLASS, _ENUM, _ERROR, _ARRAY, _SET, _FROZENSET, _RANGE = range(9)
#: Kinds of numbers of an array, as NumPy names them: truth values, whole numbers with and without sign, floats.
_NUMBERS = "biuf"


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
    """A reply is or names something that is no plain data."""


def pack(reply: Reply) -> bytes:
    """Return a reply as bytes. Raises TypeError for what is no plain data."""
    return pickle.dumps(_written(reply), protocol=5)


def unpack(packed: bytes | bytearray) -> Reply:
    """Return the reply that `pack` packed. Raises NotPlainError where it holds anything but plain data."""
    try:
        reply = _Reading(len(packed)).read(_Plain(io.BytesIO(packed)).load())
    except NotPlainError:
        raise
    except Exception as exc:
        raise NotPlainError(f"not a reply: {type(exc).__name__}") from exc
    if not isinstance(reply, Value | Refusal | Failure):
        raise NotPlainError(f"not a reply: {type(reply).__name__}")
    return reply


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise NotPlainError(f"{module}.{name}")


def _written(value: Any) -> Any:
    """Return a value in Python's own types; tuples begin with their kind."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is list:
        return [one if type(one) in _ATOMS else _written(one) for one in value]
    if kind is dict:
        return {_written(key): _written(one) for key, one in value.items()}
    if kind is tuple:
        return (_TUPLE, *map(_written, value))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return (_NAMED, _name_of(kind), *[one if type(one) in _ATOMS else _written(one) for one in value])
    return _written_object(value)


def _written_object(value: Any) -> Any:
    kind = type(value)
    if isinstance(value, Enum):
        return (_ENUM, _name_of(kind), value.name)
    if is_dataclass(kind):
        held = {one.name: _written(getattr(value, one.name)) for one in fields(kind)}
        return (_DATACLASS, _name_of(kind), held)
    if isinstance(value, AppError):
        return (_ERROR, _name_of(kind), _written(value.args), _written(vars(value)))
    if isinstance(value, np.ndarray) and value.dtype.kind in _NUMBERS:
        return (_ARRAY, value.dtype.str, value.shape, pickle.PickleBuffer(np.ascontiguousarray(value).data))
    if kind in (set, frozenset):
        return (_SET if kind is set else _FROZENSET, *map(_written, value))
    if kind is range:
        return (_RANGE, value.start, value.stop, value.step)
    for plain in (str, int, float):
        if isinstance(value, plain):
            return plain(value)
    raise TypeError(f"no plain data: {kind.__module__}.{kind.__qualname__}")


_names: dict[type, tuple[str, str]] = {}


def _name_of(kind: type) -> tuple[str, str]:
    """Return module and name; always the same tuple, which a pickle writes once."""
    return _names.setdefault(kind, (kind.__module__, kind.__qualname__))


class _Reading:
    """The reading of one reply.

    What was written takes a byte at least for every part. So a reply that holds more parts than bytes holds one
    part many times, and is refused before it grows.
    """

    def __init__(self, size: int) -> None:
        self._parts = size
        self._made: Mapping[int, Callable[[tuple[Any, ...]], Any]] = {
            _TUPLE: lambda held: tuple(map(self.read, held)),
            _NAMED: self._named,
            _DATACLASS: self._dataclass,
            _ENUM: self._enum,
            _ERROR: self._error,
            _ARRAY: _array,
            _SET: lambda held: set(map(self.read, held)),
            _FROZENSET: lambda held: frozenset(map(self.read, held)),
            _RANGE: lambda held: range(*held),
        }

    def read(self, written: Any) -> Any:
        """Return the value that `_written` wrote so."""
        kind = type(written)
        if kind in _ATOMS:
            return written
        self._parts -= len(written)
        if self._parts < 0:
            raise NotPlainError("more parts than bytes")
        if kind is list:
            return [one if type(one) in _ATOMS else self.read(one) for one in written]
        if kind is dict:
            return {self.read(key): self.read(one) for key, one in written.items()}
        if kind is not tuple:
            raise NotPlainError(f"not plain: {kind.__name__}")
        return self._made[written[0]](written[1:])

    def _named(self, held: tuple[Any, ...]) -> Any:
        kind = _class_of(held[0], tuple)
        values = [one if type(one) in _ATOMS else self.read(one) for one in held[1:]]
        if len(values) != len(kind._fields):
            raise NotPlainError(f"{kind.__qualname__} of {len(values)} values")
        return tuple.__new__(kind, values)

    def _dataclass(self, held: tuple[Any, ...]) -> Any:
        name, values = held
        kind = _class_of(name, object)
        is_ours = is_dataclass(kind)
        if not is_ours or values.keys() != {one.name for one in fields(kind)}:
            raise NotPlainError(f"not a {name}")
        made = object.__new__(kind)
        for field, value in values.items():
            object.__setattr__(made, field, self.read(value))
        return made

    def _enum(self, held: tuple[Any, ...]) -> Any:
        name, member = held
        return _class_of(name, Enum).__members__[member]

    def _error(self, held: tuple[Any, ...]) -> Any:
        name, args, attributes = held
        kind = _class_of(name, AppError)
        made = kind.__new__(kind)
        made.args = self.read(args)
        vars(made).update({str(key): self.read(value) for key, value in attributes.items()})
        return made


def _array(held: tuple[Any, ...]) -> Any:
    kind, shape, data = held
    numbers = np.dtype(str(kind))
    if numbers.kind not in _NUMBERS or numbers.hasobject:
        raise NotPlainError(f"an array of {kind}")
    return np.frombuffer(bytearray(data) if type(data) is bytes else data, numbers).reshape(shape)


def _class_of(name: tuple[str, str], base: type) -> Any:
    """Return a class of ours that is loaded already: an import would run code of the reply's choice."""
    module, called = name
    found = getattr(sys.modules.get(module), called, None) if module.split(".")[0] in OURS else None
    if not (isinstance(found, type) and issubclass(found, base)):
        raise NotPlainError(f"{module}.{called}")
    return found

"""Replies of a child: a value or an error, written as plain data and read without calling anything.

A child has parsed a stranger's file, so its reply is not trusted. A reply is a JSON text and, beside it, the
floats of its lists and its byte strings, both in the order of the text. The text is [classes, reply]: classes are
[module, name], and whatever is not a string, number, boolean or null is an array that begins with its kind. There
are no JSON objects, whose keys an attacker could choose. The parts of the text are counted before it is parsed,
and none can be used twice. Objects are made here, field by field: named tuples, dataclasses, enums, a few errors
of this program, and arrays of numbers.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.error_codes import Cost
from core.errors import AppError, DocumentError, InvalidInputError, TooCostlyError
from core.messages import Message, code_of

#: Packages of this program, whose plain data a reply may hold.
OURS = frozenset({"core", "pipeline", "research", "services", "tests"})
#: The errors that parsers raise on purpose. Others concern rows, leases or services, which no child uses.
TOLD = (DocumentError, InvalidInputError)
#: Bytes of the text, and parts: values in it and floats beside it. A part takes some 90 bytes, a byte of the text
#: at most four and once more as many in its strings. A page with 100,000 lines of a drawing has 400,000 parts.
MOST_TEXT, MOST_PARTS = 32 << 20, 4_000_000
#: Most keys and set members that are not strings: an attacker could choose them to have the same hash.
_MOST_NUMBERED = 20_000
#: Beyond this, different integers may have the same hash.
_LARGEST_KEY = 1 << 60
#: Most characters of a failure's class name, of its stack, and of an error's message.
_MOST_KIND, _MOST_FRAMES, _MOST_SAID = 200, 20_000, 1 << 20
#: From this number of values of one kind on, they are written together.
_MANY = 8
#: Types that are written unchanged.
_ATOMS = frozenset({str, int, float, bool, type(None)})
_ONLY_FLOATS = {float}
#: Kinds of arrays in a reply.
_LIST, _TUPLE, _ROWS, _FLOATS, _FLOAT_TUPLE, _DICT, _SET, _FROZENSET = range(8)
_NAMED, _DATACLASS, _ENUM, _ERROR, _ARRAY, _BYTES, _BYTEARRAY = range(8, 15)
#: Kinds of numbers of an array, as NumPy names them: truth values, whole numbers with and without sign, floats.
_NUMBERS = "biuf"
#: Bytes of a float. Other bytes begin at multiples of it, since arrays of numbers are read in place.
_ALIGNED = 8


class CallResult(NamedTuple):
    """A function's result."""

    result: object


class Refusal(NamedTuple):
    """An error of `TOLD` that a function raised."""

    error: DocumentError | InvalidInputError


class CallFailure(NamedTuple):
    """Any other exception: its type and stack. Its text is not sent, because it may quote the file."""

    kind: str
    frames: str


Reply = CallResult | Refusal | CallFailure


class NotPlainError(Exception):
    """A reply holds or names something other than plain data."""


def pack(reply: Reply) -> tuple[bytes, bytes, bytes]:
    """Return a reply as its text, and the floats and the bytes beside it.

    Raises TypeError for anything but plain data, TooCostlyError for a reply that is too large to be read.
    """
    writing = _Writing()
    written = writing.write(reply)
    text = _WRITER.encode([list(writing.classes), written])
    packed = text.encode("utf-8", "surrogatepass")
    if len(packed) > MOST_TEXT or _parts_of(text) + len(writing.floats) > MOST_PARTS:
        raise TooCostlyError(Cost.OUTPUT, megabytes=MOST_TEXT >> 20)
    return packed, writing.floats.tobytes(), b"".join(writing.beside)


def unpack(packed: Sequence[bytes | bytearray]) -> Reply:
    """Return the reply that `pack` packed. Raises NotPlainError where it holds anything but plain data."""
    try:
        reply = _read(*packed)
    except NotPlainError:
        raise
    except Exception as exc:
        raise NotPlainError(f"not a reply: {type(exc).__name__}") from exc
    if isinstance(reply, CallFailure) and not _is_told(reply):
        raise NotPlainError("a failure that is no short text")
    if not (
        isinstance(reply, CallResult | CallFailure)
        or (isinstance(reply, Refusal) and isinstance(reply.error, TOLD))
    ):
        raise NotPlainError(f"not a reply: {type(reply).__name__}")
    return reply


def _is_told(failure: CallFailure) -> bool:
    return all(
        isinstance(told, str) and len(told) <= most
        for told, most in zip(failure, (_MOST_KIND, _MOST_FRAMES), strict=True)
    )


def call_failure(error: Exception, frames: str) -> CallFailure:
    """Return the report of an exception, with only its innermost frames if there are many."""
    return CallFailure(type(error).__name__[:_MOST_KIND], frames[-_MOST_FRAMES:])


def _read(packed: bytes | bytearray, floats: bytes | bytearray, beside: bytes | bytearray) -> Any:
    if len(packed) > MOST_TEXT:
        raise NotPlainError(f"a text of {len(packed)} bytes")
    text = packed.decode("utf-8", "surrogatepass")
    if (parts := _parts_of(text) + len(floats) // _ALIGNED) > MOST_PARTS:
        raise NotPlainError(f"{parts} parts")
    numbers = array("d", floats)
    classes, written = _READER.decode(text)
    del text
    return _Reading([_class_of(module, name) for module, name in classes], numbers, beside).read(written)


def _parts_of(text: str) -> int:
    """Return an upper bound of the number of values: each begins an array or object, or follows a comma."""
    return sum(map(text.count, "[{,:"))


def _no_object(pairs: list[tuple[str, Any]]) -> Any:
    raise NotPlainError(f"an object of {len(pairs)}")


_WRITER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
_READER = json.JSONDecoder(object_pairs_hook=_no_object)


class _Writing:
    """Encodes one reply."""

    def __init__(self) -> None:
        #: Module and name of each class, in the order of their numbers.
        self.classes: dict[tuple[str, str], int] = {}
        #: What lies beside the text.
        self.floats = array("d")
        self.beside: list[bytes | memoryview] = []

    def write(self, value: Any) -> Any:
        """Return a value in its JSON form."""
        kind = type(value)
        if kind in _ATOMS:
            return value
        if kind is list:
            return self._list(value)
        if kind is tuple:
            if value and set(map(type, value)) == _ONLY_FLOATS:
                return [_FLOAT_TUPLE, self._floats(value)]
            return [_TUPLE, *self._each(value)]
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return [_NAMED, self._class(kind), *self._each(value)]
        if kind is dict:
            return [_DICT, self._list(_keys(value)), self._list([*value.values()])]
        return self._object(value)

    def _each(self, values: Sequence[Any]) -> list[Any]:
        return [one if type(one) in _ATOMS else self.write(one) for one in values]

    def _list(self, values: list[Any]) -> list[Any]:
        if len(values) >= _MANY and len(kinds := set(map(type, values))) == 1:
            (kind,) = kinds
            if kind is float:
                return [_FLOATS, self._floats(values)]
            if issubclass(kind, tuple) and len(set(map(len, values))) == 1 and values[0]:
                return self._rows(kind, values)
        return [_LIST, *self._each(values)]

    def _rows(self, kind: type[Any], rows: list[Any]) -> list[Any]:
        """Encode tuples of one length by columns, most of which hold values of one kind."""
        named = None if kind is tuple else self._class(kind)
        return [_ROWS, named, *(self._list([*column]) for column in zip(*rows, strict=True))]

    def _object(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, Enum):
            return [_ENUM, self._class(kind), value.name]
        if is_dataclass(kind):
            return [_DATACLASS, self._class(kind), *self._each([getattr(value, one.name) for one in fields(kind)])]
        if isinstance(value, TOLD):
            return [_ERROR, self._class(kind), value.detail, self.write(value.message)]
        if isinstance(value, np.ndarray) and value.dtype.kind in _NUMBERS:
            numbers = np.ascontiguousarray(value).reshape(-1).view(np.uint8).data
            return [_ARRAY, value.dtype.str, [*value.shape], self._bytes(numbers)]
        if kind in (bytes, bytearray):
            return [_BYTES if kind is bytes else _BYTEARRAY, self._bytes(memoryview(value))]
        if kind in (set, frozenset):
            return [_SET if kind is set else _FROZENSET, self._list(_keys(value))]
        for plain in (str, int, float):
            if isinstance(value, plain):
                return plain(value)
        raise TypeError(f"no plain data: {kind.__module__}.{kind.__qualname__}")

    def _class(self, kind: type) -> int:
        return self.classes.setdefault((kind.__module__, kind.__qualname__), len(self.classes))

    def _floats(self, values: Sequence[float]) -> int:
        """Put floats beside the text; returns how many."""
        self.floats.extend(values)
        return len(values)

    def _bytes(self, held: memoryview) -> int:
        """Put bytes beside the text; returns how many."""
        self.beside += [held, bytes(-held.nbytes % _ALIGNED)]
        return held.nbytes


def _keys(values: Mapping[Any, Any] | set[Any] | frozenset[Any]) -> list[Any]:
    keys = [*values]
    for key in keys:
        if not _may_be_key(key):
            raise TypeError(f"no plain data: {type(key).__qualname__} as key")
    return keys


def _may_be_key(key: Any) -> bool:
    return type(key) is str or isinstance(key, Enum) or (type(key) is int and abs(key) < _LARGEST_KEY)


class _Reading:
    """Decodes one reply."""

    def __init__(self, classes: list[Any], floats: array[float], beside: bytes | bytearray) -> None:
        self._classes = classes
        self._numbers, self._beside = floats, memoryview(beside)
        #: How many of each have been read.
        self._number = self._at = 0
        self._numbered = _MOST_NUMBERED

    def read(self, written: Any) -> Any:
        """Return the value that `_Writing.write` wrote so."""
        if type(written) in _ATOMS:
            return written
        kind, *held = written
        return _MADE[kind](self, *held)

    def _each(self, held: Sequence[Any]) -> list[Any]:
        return [one if type(one) in _ATOMS else self.read(one) for one in held]

    def _rows(self, named: int | None, *columns: Any) -> list[Any]:
        rows = zip(*map(self._list, columns), strict=True)
        if named is None:
            return [*rows]
        kind = self._class(named, tuple)
        if len(columns) != len(kind._fields):
            raise NotPlainError(f"{kind.__qualname__} of {len(columns)} values")
        return [tuple.__new__(kind, row) for row in rows]

    def _list(self, written: Any) -> list[Any]:
        read = self.read(written)
        if type(read) is not list:
            raise NotPlainError(f"not a list: {type(read).__name__}")
        return read

    def _floats(self, count: int) -> list[float]:
        """Take the next floats beside the text."""
        found = self._numbers[self._number : self._number + count].tolist()
        if count < 0 or len(found) != count:
            raise NotPlainError(f"{count} floats of {len(found)}")
        self._number += count
        return found

    def _dict(self, keys: Any, values: Any) -> dict[Any, Any]:
        return dict(zip(self._keys(keys), self._list(values), strict=True))

    def _keys(self, written: Any) -> list[Any]:
        keys = self._list(written)
        if not all(map(_may_be_key, keys)):
            raise NotPlainError("keys that are neither texts nor small numbers")
        self._numbered -= sum(type(key) is not str for key in keys)
        if self._numbered < 0:
            raise NotPlainError(f"more than {_MOST_NUMBERED} keys that are no texts")
        return keys

    def _named(self, named: int, *held: Any) -> Any:
        kind = self._class(named, tuple)
        if len(held) != len(kind._fields):
            raise NotPlainError(f"{kind.__qualname__} of {len(held)} values")
        return tuple.__new__(kind, self._each(held))

    def _dataclass(self, named: int, *held: Any) -> Any:
        kind = self._class(named, object)
        made = object.__new__(kind)
        for field, value in zip(fields(kind), self._each(held), strict=True):
            object.__setattr__(made, field.name, value)
        return made

    def _enum(self, named: int, member: str) -> Any:
        return self._class(named, Enum).__members__[member]

    def _error(self, named: int, detail: Any, message: Any) -> AppError:
        kind, told = self._class(named, TOLD), self.read(message)
        if type(detail) is not str or len(detail) > _MOST_SAID or not (told is None or _is_message(told)):
            raise NotPlainError(f"a {kind.__qualname__} that says nothing")
        made: AppError = kind.__new__(kind)
        made.detail, made.message = detail, told
        made.args = (detail or made.help_message,)
        return made

    def _array(self, numbers: str, shape: list[int], size: int) -> Any:
        kind = np.dtype(str(numbers))
        if kind.kind not in _NUMBERS or kind.hasobject:
            raise NotPlainError(f"an array of {numbers}")
        found: NDArray[Any] = np.ndarray(shape, kind, self._bytes(size))
        if found.nbytes != size:
            raise NotPlainError(f"{size} bytes for {found.nbytes}")
        return found

    def _bytes(self, size: int) -> memoryview:
        """Take the next bytes beside the text."""
        found = self._beside[self._at : self._at + size]
        if size < 0 or found.nbytes != size:
            raise NotPlainError(f"{size} bytes of {found.nbytes}")
        self._at += size + -size % _ALIGNED
        return found

    def _class(self, named: int, base: type | tuple[type, ...]) -> Any:
        kind = self._classes[named]
        if not issubclass(kind, base):
            raise NotPlainError(f"{kind.__module__}.{kind.__qualname__}")
        return kind


#: How each kind of array is decoded. Not an attribute of a decoder, which would then refer to itself and keep a
#: page's picture until garbage collection.
_MADE: Sequence[Callable[..., Any]] = (
    lambda reading, *held: reading._each(held),
    lambda reading, *held: tuple(reading._each(held)),
    _Reading._rows,
    _Reading._floats,
    lambda reading, count: tuple(reading._floats(count)),
    _Reading._dict,
    lambda reading, members: set(reading._keys(members)),
    lambda reading, members: frozenset(reading._keys(members)),
    _Reading._named,
    _Reading._dataclass,
    _Reading._enum,
    _Reading._error,
    _Reading._array,
    lambda reading, size: bytes(reading._bytes(size)),
    lambda reading, size: bytearray(reading._bytes(size)),
)


def _is_message(told: Any) -> bool:
    """Whether `told` is a message of a code of this version, with its parameters.

    Raises TypeError and ValueError where these are not JSON.
    """
    if not isinstance(told, Message) or not isinstance(told.code, str) or not isinstance(told.params, dict):
        return False
    code = code_of(told.code)
    if code is None or told.params.keys() != code.places:
        return False
    return len(json.dumps(told.params, allow_nan=False)) <= _MOST_SAID


def _class_of(module: str, name: str) -> type:
    """Return a class of ours that is loaded already: an import would run code of the reply's choice."""
    found = getattr(sys.modules.get(module), name, None) if module.split(".")[0] in OURS else None
    if not isinstance(found, type):
        raise NotPlainError(f"{module}.{name}")
    return found

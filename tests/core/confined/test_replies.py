"""A reply comes back as it was given, and what a child makes up builds plain data and nothing else."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

from core.confined import replies
from core.confined.replies import Failure, NotPlainError, Refusal, Value, pack, unpack
from core.error_codes import Cost
from core.errors import TooCostlyError


class Spot(NamedTuple):
    x: float
    text: str


@dataclass
class Sheet:
    spots: list[Spot]
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fixed:
    kind: Cost
    held: tuple[int, ...]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, 2.5, True, "é", b"bytes", bytearray(b"more")],
        (1, ("nested", [(), {}])),
        {("a", 1): {"b"}, Cost.TIME: frozenset({1, 2})},
        Spot(0.5, "here"),
        [Sheet([Spot(1.0, "a"), Spot(2.0, "b")], {"n": Fixed(Cost.MEMORY, (1, 2))})] * 3,
        range(3, 9, 2),
    ],
)
def test_what_is_given_comes_back(value: object) -> None:
    found = unpack(pack(Value(value)))
    assert found == Value(value)
    assert isinstance(found, Value) and type(found.result) is type(value)


@pytest.mark.parametrize("kind", ["uint8", "bool", "float32", "int64"])
def test_arrays_come_back_and_may_be_changed(kind: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(kind)[:, ::2]
    found = unpack(pack(Value([array])))
    assert isinstance(found, Value) and isinstance(found.result, list)
    (back,) = found.result
    assert back.dtype == array.dtype and np.array_equal(back, array)
    back[0, 0] = 1


def test_errors_come_back() -> None:
    found = unpack(pack(Refusal(TooCostlyError(Cost.TIME, seconds=3))))
    assert isinstance(found, Refusal) and type(found.error) is TooCostlyError
    assert found.error.message is not None and found.error.message.params == {"seconds": 3}
    assert unpack(pack(Failure("ValueError", "frames"))) == Failure("ValueError", "frames")


def test_what_is_no_plain_data_is_not_packed() -> None:
    with pytest.raises(TypeError, match="no plain data"):
        pack(Value(object()))
    with pytest.raises(TypeError, match="no plain data"):
        pack(Value(np.array([object()])))


class Called:
    """Pickled as a call of something, and what is set on its result."""

    def __init__(self, function: object, arguments: tuple[object, ...], state: object = None) -> None:
        self._call = function, arguments, state

    def __reduce__(self) -> Any:
        return self._call


#: `Spot` with an attribute set on the class itself: the opcode BUILD on a name, not on an instance.
ON_A_CLASS = b"\x80\x04c" + f"{__name__}\nSpot\n".encode() + b"N}\x8c\x05wrong\x88s\x86b."


@pytest.mark.parametrize(
    "packed",
    [
        ON_A_CLASS,
        pickle.dumps(Spot(1.0, "a")),
        pickle.dumps(Value(Cost.TIME)),
        pickle.dumps(Called(bytearray, (3_000_000_000,))),
        pickle.dumps(Called(frozenset, (range(30_000_000),))),
        pickle.dumps(np.array([1, 2])),
        pickle.dumps(np.dtype("O")),
        pickle.dumps(Called(getattr, (Cost, "mro"))),
    ],
    ids=["class", "named tuple", "reply", "bytearray", "frozenset", "array", "dtype", "getattr"],
)
def test_no_name_is_looked_up(packed: bytes) -> None:
    with pytest.raises(NotPlainError):
        unpack(packed)
    assert not hasattr(Spot, "wrong")


HERE = (__name__, "Spot")


@pytest.mark.parametrize(
    "written",
    [
        (replies._NAMED, HERE, 1.0),
        (replies._NAMED, (__name__, "Sheet"), 1.0, "a"),
        (replies._NAMED, ("builtins", "tuple"), 1.0),
        (replies._DATACLASS, (__name__, "Sheet"), {"spots": []}),
        (replies._DATACLASS, (__name__, "Sheet"), {"spots": [], "notes": {}, "more": 1}),
        (replies._DATACLASS, ("core.config", "Settings"), {}),
        (replies._DATACLASS, ("core.confined.child", "os"), {}),
        (replies._ENUM, ("core.error_codes", "Cost"), "NOTHING"),
        (replies._ENUM, HERE, "_make"),
        (replies._ERROR, ("builtins", "SystemExit"), (replies._TUPLE,), {}),
        (replies._ARRAY, "|O", (1,), bytes(8)),
        (replies._ARRAY, "<f8", (1 << 40,), bytes(8)),
        (replies._ARRAY, "<U4", (1,), bytes(16)),
        (99, "unknown"),
        ("no kind",),
        (),
    ],
)
def test_what_is_not_as_it_is_written_is_refused(written: object) -> None:
    reply = (replies._NAMED, ("core.confined.replies", "Value"), written)
    with pytest.raises(NotPlainError):
        unpack(pickle.dumps(reply, protocol=5))


def test_one_part_many_times_does_not_grow() -> None:
    laugh: list[Any] = ["ha"] * 10
    for _ in range(30):
        laugh = [laugh] * 10
    reply = (replies._NAMED, ("core.confined.replies", "Value"), laugh)
    with pytest.raises(NotPlainError, match="more parts"):
        unpack(pickle.dumps(reply, protocol=5))


def test_what_lies_too_deep_is_refused() -> None:
    packed = b"\x80\x05" + b"]" * 200_000 + b"N" + b"a" * 200_000 + b"."
    with pytest.raises(NotPlainError):
        unpack(packed)

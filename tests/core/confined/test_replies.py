"""A reply comes back as it was given, and what a child makes up builds plain data and nothing else."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

from core.config import ROOT
from core.confined import replies
from core.confined.replies import CallFailure, CallResult, NotPlainError, Refusal, call_failure, pack, unpack
from core.error_codes import Cost
from core.errors import (
    AppError,
    ConfigurationError,
    DamagedDocumentError,
    DocumentError,
    EmptyDocumentError,
    InvalidInputError,
    LeaseLostError,
    NotFoundError,
    TooCostlyError,
    UnavailableError,
)
from core.messages import Message


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
        {7: {"b"}, Cost.TIME: frozenset({1, 2}), "": {}},
        [float("inf"), -0.0, 1, True, "half \ud800 of a letter"],
        [0.1 * n for n in range(20)],
        [(0.1, float(n), -1.0) for n in range(20)],
        [(n, "é" * n, None, (n,)) for n in range(20)],
        [Spot(float(n), "text") for n in range(20)],
        [()] * 20,
        Spot(0.5, "here"),
        [Sheet([Spot(1.0, "a"), Spot(2.0, "b")], {"n": Fixed(Cost.MEMORY, (1, 2))})] * 3,
    ],
)
def test_what_is_given_comes_back(value: object) -> None:
    found = unpack(pack(CallResult(value)))
    assert found == CallResult(value)
    assert isinstance(found, CallResult) and type(found.result) is type(value)


@pytest.mark.parametrize("kind", ["uint8", "bool", "float32", "int64"])
def test_arrays_come_back_and_may_be_changed(kind: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(kind)[:, ::2]
    found = unpack([bytearray(part) for part in pack(CallResult([b"odd", array]))])
    assert isinstance(found, CallResult) and isinstance(found.result, list)
    _, back = found.result
    assert back.dtype == array.dtype and np.array_equal(back, array)
    back[0, 0] = 1


def test_a_picture_is_freed_when_nobody_holds_it_any_longer() -> None:
    class Held(bytearray):
        """Bytes that can be watched."""

    text, floats, beside = pack(CallResult(np.zeros((40, 30, 3), np.uint8)))
    held = Held(beside)
    watched = weakref.ref(held)
    gc.disable()
    try:
        reply = unpack((text, floats, held))
        del held
        assert watched() is not None
        del reply
        assert watched() is None
    finally:
        gc.enable()


def test_what_is_no_plain_data_is_not_packed() -> None:
    with pytest.raises(TypeError, match="no plain data"):
        pack(CallResult(object()))
    with pytest.raises(TypeError, match="no plain data"):
        pack(CallResult(np.array([object()])))
    with pytest.raises(TypeError, match="as key"):
        pack(CallResult({(1, 2): 3}))


SPOT, SHEET, REPLY = (__name__, "Spot"), (__name__, "Sheet"), ("core.confined.replies", "CallResult")


def told(
    written: object, *, classes: Sequence[object] = (), floats: bytes = b"", beside: bytes = b""
) -> tuple[bytes, bytes, bytes]:
    """An answer as a child would make it up, whose classes are `classes` and, as the last, the reply."""
    said = [[*classes, REPLY], [replies._NAMED, len(classes), written]]
    return json.dumps(said).encode(), floats, beside


def test_what_is_made_up_as_it_is_written_is_read() -> None:
    """Or the tests below would say nothing."""
    written = [replies._NAMED, 0, 1.0, "a"]
    assert unpack(told(written, classes=[SPOT])) == CallResult(Spot(1.0, "a"))


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ([replies._NAMED, 0, 1.0], SPOT),
        ([replies._NAMED, 0, 1.0, "a"], SHEET),
        ([replies._NAMED, 0, 1.0], ("builtins", "tuple")),
        ([replies._NAMED, 0, 1.0], ("core.confined.children", "os")),
        ([replies._NAMED, 7, 1.0, "a"], SPOT),
        ([replies._ROWS, 0, [replies._LIST, 1]], SPOT),
        ([replies._ROWS, 0, [replies._LIST, 1], [replies._LIST, 1, 2]], SPOT),
        ([replies._ROWS, 0, "ab", "cd"], SPOT),
        ([replies._DATACLASS, 0, [replies._LIST]], SHEET),
        ([replies._DATACLASS, 0, [replies._LIST], [replies._LIST], 1], SHEET),
        ([replies._DATACLASS, 0], ("core.config", "Settings")),
        ([replies._ENUM, 0, "NOTHING"], ("core.error_codes", "Cost")),
        ([replies._ENUM, 0, "_make"], SPOT),
        ([replies._ERROR, 0, "", None], ("builtins", "SystemExit")),
        ([replies._ARRAY, "|O", [1], 8], SPOT),
        ([replies._ARRAY, "<f8", [1 << 40], 8], SPOT),
        ([replies._ARRAY, "|u1", [1, 4], 8], SPOT),
        ([replies._ARRAY, "<U4", [1], 16], SPOT),
        ([replies._BYTES, 17], SPOT),
        ([replies._BYTES, -1], SPOT),
        ([replies._FLOATS, 3], SPOT),
        ([replies._FLOATS, -1], SPOT),
        ([replies._LIST, [replies._FLOATS, 2], [replies._FLOATS, 1]], SPOT),
        ([replies._LIST, [replies._BYTES, 16], [replies._BYTES, 16]], SPOT),
        ([replies._DICT, [replies._LIST, "a"], [replies._LIST]], SPOT),
        ([replies._DICT, [replies._LIST, 1.0], [replies._LIST, 1]], SPOT),
        ([replies._DICT, [replies._LIST, 1 << 61], [replies._LIST, 1]], SPOT),
        ([replies._SET, [replies._LIST, [replies._TUPLE, 1]]], SPOT),
        ({"a": 1}, SPOT),
        ([99, "unknown"], SPOT),
        (["no kind"], SPOT),
        ([], SPOT),
    ],
)
def test_what_is_not_as_it_is_written_is_refused(written: object, named: tuple[str, str]) -> None:
    with pytest.raises(NotPlainError):
        unpack(told(written, classes=[named], floats=bytes(16), beside=bytes(16)))


def test_what_lies_too_deep_is_refused() -> None:
    """In lists, and as a key of a key."""
    for begin in ("[", f"[{replies._DICT},[{replies._LIST},"):
        for depth in (900, 300_000):
            with pytest.raises(NotPlainError):
                unpack((f"[[],{begin * depth}".encode(), b"", b""))
            with pytest.raises(NotPlainError):
                unpack((f"[[],{begin * depth}{']' * begin.count('[') * depth}]".encode(), b"", b""))


#: Run in a process of its own, which may take little: reading what a child says must not take more.
IN_LITTLE = """
import resource, sys
from core.confined.replies import NotPlainError, unpack
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + {megabytes} * 2**20,) * 2)
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
try:
    unpack({said})
except NotPlainError as refused:
    print(refused)
"""


@pytest.mark.parametrize(
    ("said", "megabytes", "why"),
    [
        ('(b"[[]," + b"[]," * 5_000_000 + b"[]]", b"", b"")', 100, "parts"),
        ('(b"[[]," + b"{}," * 5_000_000 + b"{}]", b"", b"")', 100, "parts"),
        ('(b"[" * 5_000_000, b"", b"")', 100, "parts"),
        ('(b"[[],1" + b" " * 2**26 + b"]", b"", b"")', 300, "bytes"),
        ('(b"[[],[3,4194304]]", bytes(2**25), b"")', 100, "parts"),
        ('(b"[[],[" + b"9" * 5_000_000 + b"]]", b"", b"")', 100, "ValueError"),
        ('(b"[[],[13,99999999999]]", b"", bytes(8))', 100, "bytes"),
        # Texts of equal hash are a matter of luck; numbers and floats are not.
        (
            '(b"[[],[5,[0," + b",".join(b"%d" % (k * (2**61 - 1)) for k in range(20_000)) + b"],[0]]]", b"", b"")',
            100,
            "keys",
        ),
        ('(b"[[],[6,[0," + b",".join(b"%d" % k for k in range(20_001)) + b"]]]", b"", b"")', 100, "keys"),
    ],
    ids=["lists", "objects", "depth", "text", "floats", "digits", "length", "one hash", "numbered keys"],
)
def test_what_takes_much_is_refused_before_it_does(said: str, megabytes: int, why: str) -> None:
    program = IN_LITTLE.format(said=said, megabytes=megabytes + 128, seconds=20)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0 and why in done.stdout, (done.stdout, done.stderr)


def test_more_than_is_read_is_not_written() -> None:
    for much in ([None] * replies.MOST_PARTS, [0.5] * replies.MOST_PARTS, "x" * replies.MOST_TEXT):
        with pytest.raises(TooCostlyError):
            pack(CallResult(much))


def test_the_largest_honest_answers_are_read() -> None:
    """A page of a drawing with 100,000 lines, and the text of a file of 1000 pages as blocks."""
    drawing = [(float(n), 0.5, 1.5, float(-n)) for n in range(100_000)]
    text = [Spot(0.0, "A sentence of a book, of some words. " * 20) for _ in range(20_000)]
    for value in (drawing, text):
        assert unpack(pack(CallResult(value))) == CallResult(value)


@pytest.mark.parametrize(
    "error",
    [
        TooCostlyError(Cost.TIME, seconds=3),
        DamagedDocumentError("what a parser says"),
        EmptyDocumentError(),
        InvalidInputError("a form"),
    ],
)
def test_errors_of_documents_and_input_come_back(error: DocumentError | InvalidInputError) -> None:
    found = unpack(pack(Refusal(error)))
    assert isinstance(found, Refusal) and type(found.error) is type(error)
    assert vars(found.error) == vars(error) and found.error.args == error.args


@pytest.mark.parametrize("kind", [LeaseLostError, NotFoundError, UnavailableError, ConfigurationError])
def test_no_other_error_comes_back(kind: type[AppError]) -> None:
    with pytest.raises(TypeError):
        pack(Refusal(kind("of a child")))  # type: ignore[arg-type]
    said = [
        [("core.confined.replies", "Refusal"), (kind.__module__, kind.__name__)],
        [replies._NAMED, 0, [replies._ERROR, 1, "", None]],
    ]
    with pytest.raises(NotPlainError):
        unpack((json.dumps(said).encode(), b"", b""))


@pytest.mark.parametrize(
    ("code", "params"),
    [
        ("no_such_code", {}),
        ("cost_time", {}),
        ("cost_time", {"seconds": 1, "more": 2}),
        ("cost_time", {"seconds": b"1"}),
        ("cost_time", {"seconds": float("nan")}),
        ("cost_time", {"seconds": "1" * 2_000_000}),
    ],
)
def test_an_error_says_what_this_program_can_say(code: str, params: dict[str, object]) -> None:
    error = TooCostlyError("")
    error.message = Message(code, params)
    with pytest.raises(NotPlainError):
        unpack(pack(Refusal(error)))


def test_a_failure_is_told_in_few_words() -> None:
    deep = call_failure(type("E" * 1000, (Exception,), {})(), "frame\n" * 100_000)
    assert unpack(pack(deep)) == deep
    with pytest.raises(NotPlainError):
        unpack(pack(CallFailure("E", "frame\n" * 100_000)))

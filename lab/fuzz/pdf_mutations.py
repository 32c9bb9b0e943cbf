"""Mutations of a PDF's objects, dictionaries and streams."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from random import Random

from lab.fuzz.mutations import HUGE, Mutation, flipped, replaced

_OBJECT = re.compile(rb"\d+ 0 obj\b.*?endobj\s*", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_KEY = rb"/[A-Za-z]+"
#: Keys that a key may be renamed to.
_KEYS = (
    b"/Kids",
    b"/Parent",
    b"/Length",
    b"/Filter",
    b"/Contents",
    b"/SMask",
    b"/Resources",
    b"/N",
    b"/AP",
    b"/V",
)


def without_an_object(rng: Random, data: bytes) -> bytes:
    """Remove an object."""
    begin, end = _one(rng, data, _OBJECT)
    return data[:begin] + data[end:]


def with_an_object_repeated(rng: Random, data: bytes) -> bytes:
    """Write an object once more at its place or at the end, up to a hundred times."""
    begin, end = _one(rng, data, _OBJECT)
    again = data[begin:end] * rng.choice((1, 3, 100))
    return data[:end] + again + data[end:] if rng.random() < 0.5 else data + again


def with_an_object_of_another_number(rng: Random, data: bytes) -> bytes:
    """Give an object the number of another."""
    begin, _ = _one(rng, data, _OBJECT)
    return data[:begin] + re.sub(rb"^\d+", b"%d" % rng.randrange(1, 30), data[begin:], count=1)


def with_a_wrong_length(rng: Random, data: bytes) -> bytes:
    """Change the length of a stream."""
    return replaced(rng, data, rb"/Length \d+", b"/Length %d" % rng.choice(HUGE))


def with_a_wrong_value(rng: Random, data: bytes) -> bytes:
    """Replace the number after a key by a huge one, or by another kind of object."""
    value = rng.choice((b"%d" % rng.choice(HUGE), b"[" * 50, b"<<>>", b"null", b"(text)", b"/Name", b"[1 0 R]"))
    return replaced(rng, data, rb"(?<=[A-Za-z] )-?[\d.]+", value)


def with_a_wrong_reference(rng: Random, data: bytes) -> bytes:
    """Let a reference lead to another object: missing ones, parents, itself."""
    return replaced(rng, data, rb"\d+ 0 R", b"%d 0 R" % rng.choice((0, 1, 2, 3, 4, 5, 6, 9, 12, 99_999)))


def with_a_key_renamed(rng: Random, data: bytes) -> bytes:
    """Rename a key, or a name that is a value."""
    return replaced(rng, data, _KEY, rng.choice(_KEYS))


def with_a_stream_of_garbage(rng: Random, data: bytes) -> bytes:
    """Change what a stream unpacks to, and pack it again."""
    begin, end = _one(rng, data, _STREAM, 1)
    try:
        plain, packed = zlib.decompress(data[begin:end]), True
    except zlib.error:
        plain, packed = data[begin:end], False
    if not plain:
        return flipped(rng, data)
    garbage = rng.choice((flipped(rng, plain), rng.randbytes(len(plain) % 10_000), plain * rng.choice((2, 20))))
    return data[:begin] + (zlib.compress(garbage) if packed else garbage) + data[end:]


def with_other_operators(rng: Random, data: bytes) -> bytes:
    """Replace an operator of a page's content, where that is not packed."""
    operator = rng.choice(
        (b"q", b"Do", b"Tj", b"BT", b"W n", b"gs", b"sh", b"cm", b"BI", b"ID", b"d1", b"re f", b"EMC")
    )
    return replaced(rng, data, rb"(?<=[\s\])>])(?:Tj|TJ|Td|Tm|re|l|c|m|f|S|Q|q|cm|Do|ET|BT|n)(?=\s)", operator)


def _one(rng: Random, data: bytes, pattern: re.Pattern[bytes], group: int = 0) -> tuple[int, int]:
    """Return where one match begins and ends; all of the data where there is none."""
    start = rng.randrange(len(data))
    found = pattern.search(data, start) or pattern.search(data)
    return found.span(group) if found else (0, len(data))


#: What fits a PDF.
PDF: Sequence[Mutation] = (
    without_an_object,
    with_an_object_repeated,
    with_an_object_of_another_number,
    with_a_wrong_length,
    with_a_wrong_value,
    with_a_wrong_reference,
    with_a_key_renamed,
    with_a_stream_of_garbage,
    with_other_operators,
)

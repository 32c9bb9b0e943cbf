"""Mutations of bytes, whatever they are of. Each takes a source of chance and bytes, and returns other bytes."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from random import Random

Mutation = Callable[[Random, bytes], bytes]

#: What numbers are replaced by.
HUGE = (0, -1, 65_535, 65_536, 2**31 - 1, -(2**31), 2**32 - 1, 10**12, 10**40)


def flipped(rng: Random, data: bytes) -> bytes:
    """Change some bits anywhere."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 3, 10, 100))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def cut_off(rng: Random, data: bytes) -> bytes:
    """Cut the end off."""
    return data[: rng.randrange(1, len(data) + 1)]


def without_a_piece(rng: Random, data: bytes) -> bytes:
    """Remove a piece."""
    begin, end = _piece(rng, data)
    return data[:begin] + data[end:]


def with_a_piece_repeated(rng: Random, data: bytes) -> bytes:
    """Repeat a piece up to a thousand times."""
    begin, end = _piece(rng, data)
    return data[:end] + data[begin:end] * rng.choice((1, 2, 10, 1000)) + data[end:]


def with_a_piece_elsewhere(rng: Random, data: bytes) -> bytes:
    """Write a piece over another."""
    begin, end = _piece(rng, data)
    place = rng.randrange(len(data))
    return data[:place] + data[begin:end] + data[place + end - begin :]


def with_noise(rng: Random, data: bytes) -> bytes:
    """Write noise over a piece."""
    begin, end = _piece(rng, data)
    return data[:begin] + rng.randbytes(end - begin) + data[end:]


def with_a_binary_number_changed(rng: Random, data: bytes) -> bytes:
    """Write a large or small number over two or four bytes, in either order."""
    layout = rng.choice((">I", "<I", ">H", "<H"))
    size = struct.calcsize(layout)
    place = rng.randrange(max(len(data) - size, 1))
    most = 256**size - 1
    number = rng.choice((0, 1, most, most // 2, most // 2 + 1, rng.randrange(most)))
    return data[:place] + struct.pack(layout, number) + data[place + size :]


def with_a_written_number_changed(rng: Random, data: bytes) -> bytes:
    """Replace a number that is written in digits by a huge, negative or wrong one."""
    return replaced(rng, data, rb"\d+", b"%d" % rng.choice(HUGE))


def replaced(rng: Random, data: bytes, pattern: bytes, by: bytes) -> bytes:
    """Replace one of the first thousands of matches of a pattern, beginning anywhere."""
    start = rng.randrange(len(data))
    found = re.compile(pattern).search(data, start) or re.compile(pattern).search(data)
    return data[: found.start()] + by + data[found.end() :] if found else flipped(rng, data)


def spliced(rng: Random, data: bytes, other: bytes) -> bytes:
    """Return the beginning of one file with the end, or a piece, of another."""
    place = rng.randrange(len(data))
    begin, end = _piece(rng, other)
    return data[:place] + (other[begin:] if rng.random() < 0.5 else other[begin:end] + data[place:])


def _piece(rng: Random, data: bytes) -> tuple[int, int]:
    begin = rng.randrange(len(data))
    return begin, min(len(data), begin + rng.choice((1, 4, 16, 64, 256, 1024, 8192)))


#: What fits any file.
ANY: Sequence[Mutation] = (
    flipped,
    cut_off,
    without_a_piece,
    with_a_piece_repeated,
    with_a_piece_elsewhere,
    with_noise,
    with_a_binary_number_changed,
    with_a_written_number_changed,
)

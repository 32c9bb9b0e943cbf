"""Long data that is packed piece by piece, so that drawing a bomb takes little memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator


def repeated(piece: bytes, times: int) -> Iterator[bytes]:
    """Yield so many repetitions of a piece, about a megabyte at a time."""
    at_once = max(1, min(times, (1 << 20) // max(len(piece), 1)))
    block = piece * at_once
    for _ in range(times // at_once):
        yield block
    if rest := times % at_once:
        yield piece * rest


def deflated(pieces: Iterable[bytes], level: int = 9) -> bytes:
    """Return the zlib stream of the pieces (RFC 1950). A piece that comes again at once is packed only once."""
    machine = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    out, last, packed, checksum = [b"\x78\xda"], b"", b"", 1
    for piece in pieces:
        if piece is not last:
            # After a full flush nothing refers to what came before, so that what follows can be repeated.
            last, packed = piece, machine.compress(piece) + machine.flush(zlib.Z_FULL_FLUSH)
        out.append(packed)
        checksum = zlib.adler32(piece, checksum)
    return b"".join([*out, machine.flush(), checksum.to_bytes(4, "big")])


def zeros(size: int) -> bytes:
    """Return the zlib stream of so many zero bytes."""
    return deflated(repeated(b"\0", size))

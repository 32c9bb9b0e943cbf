"""Limit the decompressed size of a PDF's streams before MuPDF unpacks them."""

from __future__ import annotations

import re
import zlib

from core.errors import UnpacksTooLargeError
from core.mupdf import pymupdf
from pipeline.mupdf.library import Data

#: Deflate's maximum ratio (zlib technical details); streams shorter than the limit over this cannot exceed it.
_BEST_RATIO = 1032
_STEP = 1 << 20
#: A stream's filters, however the key is spelled (PDF 32000-1, 7.3.5), that are not simply the name of one. The
#: dictionary of a stream is never packed itself, so its key can be seen in the file's bytes.
_MANY_FILTERS = re.compile(rb"/(?:F|#46)(?:i|#69)(?:l|#6[cC])(?:t|#74)(?:e|#65)(?:r|#72)(?![\s\0]*/)")


def check_streams(document: pymupdf.Document, data: Data, limit: int) -> None:
    """Raise UnpacksTooLargeError if the deflated streams of a document unpack to more than `limit` bytes.

    `data` is the whole file.
    """
    # All streams together, deflated once, cannot exceed the limit: only those deflated twice can.
    least = 2 if len(data) * _BEST_RATIO <= limit else 1
    if least == 2 and not _MANY_FILTERS.search(data):
        return
    unpacked = 0
    for xref in range(1, document.xref_length()):
        if document.xref_is_stream(xref):
            unpacked += _unpacked_size(document, xref, limit - unpacked, least)


def _unpacked_size(document: pymupdf.Document, xref: int, limit: int, least: int) -> int:
    """Return the unpacked size of a stream; 0 if it is deflated less than `least` times or too short to matter."""
    filters = re.findall(r"/(\w+)", _filters(document, xref))
    if len(filters) < least or any(name not in ("FlateDecode", "Fl") for name in filters):
        return 0
    raw = document.xref_stream_raw(xref) or b""
    if len(filters) == 1 and len(raw) * _BEST_RATIO <= limit:
        return 0
    for _ in filters[:-1]:
        raw = _unpacked(raw, limit)
    return _measured(raw, limit)


def _filters(document: pymupdf.Document, xref: int) -> str:
    """Return a stream's filters as written, also where they are in a separate object."""
    kind, value = document.xref_get_key(xref, "Filter")
    return str(document.xref_object(int(value.split()[0]), compressed=True) if kind == "xref" else value)


def _unpacked(raw: bytes, limit: int) -> bytes:
    try:
        data = zlib.decompressobj().decompress(raw, limit + 1)
    except zlib.error:
        return b""
    if len(data) > limit:
        raise UnpacksTooLargeError("a stream within a stream")
    return data


def _measured(raw: bytes, limit: int) -> int:
    """Return the number of bytes that `raw` unpacks to, without storing them."""
    machine = zlib.decompressobj()
    size = 0
    try:
        while raw and not machine.eof:
            size += len(machine.decompress(raw, _STEP))
            raw = machine.unconsumed_tail
            if size > limit:
                raise UnpacksTooLargeError("a stream")
    except zlib.error:
        return size
    return size

"""Find PDF files that were put one behind the other in one file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.config import FileBounds
from core.errors import DocumentError
from pipeline.mupdf.file import open_pdf

_HEADER, _END = b"%PDF-", b"%%EOF"
#: Bytes that may stand between the end of one file and the header of the next: line ends, a printer's commands.
_BETWEEN = 1024
#: A header within a stream, as of an attached file, is no beginning: it stands behind one of these.
_WITHIN = (b"stream", b" obj")
#: Files that are told apart; what is behind the last of them belongs to it.
_MOST = 200


class Row(NamedTuple):
    """The documents of a file, each a PDF of its own; one that is the whole file where there are no others."""

    documents: list[bytes]
    #: Number of those that cannot be read.
    unread: int = 0


def documents_in_row(data: bytes, bounds: FileBounds) -> Row:
    """Return the documents in a PDF's bytes.

    A later version that was appended to a document (PDF 32000-1, 7.5.6) is none of its own, even where its writer
    repeated the header: it cannot be opened without what stands before it.
    """
    starts = [0, *_beginnings(data)]
    if len(starts) == 1:
        return Row([data])
    pieces = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    pieces = list(dict.fromkeys(pieces))
    if len(pieces) == 1:
        return Row(pieces)
    sound = [_is_sound(piece, bounds) for piece in pieces]
    if _is_sound(data, bounds) and not all(sound):
        # The places that it gives are of the whole file: it is one document, in several versions.
        return Row([data], 0 if b"/Prev" in pieces[-1] else len(pieces) - 1)
    readable = [piece for piece in pieces if _can_be_read(piece, bounds)]
    if len(readable) < 2 and _can_be_read(data, bounds):
        return Row([data], 0 if all(b"/Prev" in piece for piece in pieces[1:]) else len(pieces) - 1)
    return Row(readable, len(pieces) - len(readable)) if readable else Row([data])


def _beginnings(data: bytes) -> Iterator[int]:
    """Yield where a header stands shortly behind the end of a file."""
    at, found = data.find(_HEADER) + len(_HEADER), 0
    while found < _MOST and (at := data.find(_HEADER, at)) >= 0:
        end = data.rfind(_END, max(0, at - _BETWEEN), at)
        if end >= 0 and not any(word in data[end:at] for word in _WITHIN):
            found += 1
            yield at
        at += len(_HEADER)


def _is_sound(data: bytes, bounds: FileBounds) -> bool:
    """Whether it can be read without being repaired."""
    try:
        with open_pdf(data) as file:
            file.check(bounds)
            return not file.is_repaired()
    except DocumentError:
        return False


def _can_be_read(data: bytes, bounds: FileBounds) -> bool:
    try:
        with open_pdf(data) as file:
            file.check(bounds)
            return True
    except DocumentError:
        return False

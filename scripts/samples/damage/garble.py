"""Re-encodes the text layer: the page looks the same, its text extracts as shifted characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pymupdf

_TARGET = re.compile(rb"(<[0-9A-Fa-f]+>\s*<[0-9A-Fa-f]+>\s*|<[0-9A-Fa-f]+>\s*)<([0-9A-Fa-f]{4})>")


def garble_text_layer(data: bytes, rng: Random) -> bytes:
    """Shift every character that the fonts' ToUnicode maps give."""
    shift = rng.choice((-29, -29, 3, 31, 1))
    return _rewrite_maps(data, lambda code: max(1, code + shift))


def spaces_to_zero_width(data: bytes) -> bytes:
    """Make the text layer say U+200B where a space is, as some browsers print."""
    return _rewrite_maps(data, lambda code: 0x200B if code == 0x20 else code)


def _rewrite_maps(data: bytes, move: Callable[[int], int]) -> bytes:
    doc = pymupdf.open("pdf", data)
    maps = (doc.xref_get_key(xref, "ToUnicode") for xref in range(1, doc.xref_length()))
    for target in sorted({int(value.split()[0]) for kind, value in maps if kind == "xref"}):
        doc.update_stream(target, _rewritten(doc.xref_stream(target), move))
    result: bytes = doc.tobytes(garbage=4, deflate=True, no_new_id=True)
    return result


def _rewritten(cmap: bytes, move: Callable[[int], int]) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        return match.group(1) + b"<%04X>" % move(int(match.group(2), 16))

    head, *sections = re.split(rb"(?=begin(?:bfchar|bfrange))", cmap)
    return head + b"".join(_TARGET.sub(one, section) for section in sections)

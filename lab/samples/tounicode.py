"""The maps that say which character each glyph of a font stands for; changing them changes only the text layer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core.confined.mupdf import pymupdf

_SECTION = re.compile(rb"\d+ beginbf(char|range)(.*?)endbf(?:char|range)\s*", re.S)
_HEX = re.compile(rb"<([0-9A-Fa-f]+)>")
#: The fonts draw these pairs with one glyph, and the library maps it to the rarer character.
_COMMON = {
    0xA0: 0x20,
    0xAD: 0x2D,
    0x2011: 0x2D,
    0x37E: 0x3B,
    0x387: 0xB7,
    0x2126: 0x3A9,
    0x2206: 0x394,
    0x3BC: 0xB5,
}


def rewrite(data: bytes, move: Callable[[int], int]) -> bytes:
    """Give every character of the text layer another code."""
    doc = pymupdf.open("pdf", data)
    maps = (doc.xref_get_key(xref, "ToUnicode") for xref in range(1, doc.xref_length()))
    for target in sorted({int(value.split()[0]) for kind, value in maps if kind == "xref"}):
        doc.update_stream(target, _rewritten(doc.xref_stream(target), move))
    result: bytes = doc.tobytes(garbage=4, deflate=True, no_new_id=True)
    return result


def to_common(code: int) -> int:
    """The character that a writer types where two share a glyph."""
    return _COMMON.get(code, code)


def _rewritten(cmap: bytes, move: Callable[[int], int]) -> bytes:
    codes = {glyph: move(code) for glyph, code in _codes(cmap)}
    lines = [b"<%04x> <%04X>\n" % (glyph, code) for glyph, code in sorted(codes.items())]
    blocks = [lines[start : start + 100] for start in range(0, len(lines), 100)]
    chars = b"".join(b"%d beginbfchar\n%sendbfchar\n" % (len(block), b"".join(block)) for block in blocks)
    first = _SECTION.search(cmap)
    head = cmap[: first.start()] if first else cmap
    tail = _SECTION.sub(b"", cmap[first.start() :]) if first else b""
    return head + chars + tail


def _codes(cmap: bytes) -> Iterator[tuple[int, int]]:
    """Glyph and character of every entry; ligatures, which stand for several characters, are left out."""
    for kind, body in _SECTION.findall(cmap):
        numbers = [int(part, 16) for part in _HEX.findall(body)]
        step = 2 if kind == b"char" else 3
        for group in zip(*(numbers[i::step] for i in range(step)), strict=True):
            if group[-1] <= 0xFFFF:
                for offset in range(group[-2] - group[0] + 1 if step == 3 else 1):
                    yield group[0] + offset, group[-1] + offset

"""Mutations of what is checked by sums or packed, with the sums made right again: Word files, PNGs."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from random import Random

from lab.fuzz.mutations import ANY, HUGE, Mutation, flipped, replaced


def with_a_part_changed(rng: Random, data: bytes) -> bytes:
    """Change the XML of one part of a Word file."""
    parts = _parts(data)
    xml = [name for name in parts if name.endswith((".xml", ".rels")) and parts[name]]
    if not xml:
        return flipped(rng, data)
    name = rng.choice(("word/document.xml", *xml)) if "word/document.xml" in xml else rng.choice(xml)
    parts[name] = rng.choice((*ANY, *_XML))(rng, parts[name])
    return _zipped(parts)


def without_a_part(rng: Random, data: bytes) -> bytes:
    """Remove a part of a Word file, or give it the content of another."""
    parts = _parts(data)
    if not parts:
        return flipped(rng, data)
    name, other = rng.choice(list(parts)), rng.choice(list(parts))
    if rng.random() < 0.5:
        del parts[name]
    else:
        parts[name] = parts[other]
    return _zipped(parts)


def _parts(data: bytes) -> dict[str, bytes]:
    """The parts of a Word file; none where it cannot be unpacked any more."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, NotImplementedError, RuntimeError):
        return {}


def _zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def _with_an_element_repeated(rng: Random, xml: bytes) -> bytes:
    start = rng.randrange(len(xml))
    found = re.compile(rb"<w:(\w+)[ >].*?</w:\1>", re.DOTALL).search(xml, start)
    return (
        xml[: found.start()] + found[0] * rng.choice((2, 50)) + xml[found.end() :] if found else flipped(rng, xml)
    )


def _with_another_element(rng: Random, xml: bytes) -> bytes:
    names = (
        b"p",
        b"r",
        b"t",
        b"tbl",
        b"tr",
        b"tc",
        b"body",
        b"hyperlink",
        b"drawing",
        b"footnoteReference",
        b"sym",
    )
    return replaced(rng, xml, rb"(?<=<w:)\w+|(?<=</w:)\w+", rng.choice(names))


def _with_another_attribute(rng: Random, xml: bytes) -> bytes:
    return replaced(rng, xml, rb'(?<==")[^"]*', b"%d" % rng.choice(HUGE))


_XML: Sequence[Mutation] = (_with_an_element_repeated, _with_another_element, _with_another_attribute)


def with_a_chunk_changed(rng: Random, data: bytes) -> bytes:
    """Change one chunk of a PNG, or what its data unpack to, and make its sum right."""
    place = 8
    chunks = []
    while place + 12 <= len(data):
        size = struct.unpack(">I", data[place : place + 4])[0]
        chunks.append((place, min(place + 8 + size, len(data) - 4)))
        place += 12 + size
    chunks = [(begin, end) for begin, end in chunks if end > begin + 8]
    if not chunks:
        return flipped(rng, data)
    begin, end = rng.choice(chunks)
    kind, body = data[begin + 4 : begin + 8], data[begin + 8 : end]
    if kind == b"IDAT" and rng.random() < 0.5:
        body = zlib.compress(flipped(rng, zlib.decompressobj().decompress(body)[:1_000_000] or b"\0"))
    else:
        body = rng.choice(ANY)(rng, body)
    summed = struct.pack(">I", zlib.crc32(kind + body))
    return data[:begin] + struct.pack(">I", len(body)) + kind + body + summed + data[end + 4 :]


#: What fits a Word file, and a PNG.
WORD: Sequence[Mutation] = (with_a_part_changed, with_a_part_changed, without_a_part)
PNG: Sequence[Mutation] = (with_a_chunk_changed,)

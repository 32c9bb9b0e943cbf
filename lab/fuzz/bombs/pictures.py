"""Pictures that decode to far more than they take, or never come to an end."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence

import pillow_heif
from PIL import Image

from lab.fuzz.packed import deflated, repeated, zeros

#: Their product is just under MAX_IMAGE_PIXELS.
_WIDTH, _HEIGHT = 10_000, 9_999


def png_of_sixteen_bits() -> bytes:
    """A PNG just under the limit of pixels, four colours of sixteen bits."""
    return _png(_WIDTH, _HEIGHT, 16, 6, (1 + 8 * _WIDTH) * _HEIGHT)


def png_interlaced() -> bytes:
    """A PNG just under the limit that is interlaced."""
    return _png(_WIDTH, _HEIGHT, 8, 6, (1 + 4 * _WIDTH) * _HEIGHT + 100_000, interlaced=1)


def png_of_grey_and_alpha() -> bytes:
    """A PNG just under the limit with grey and alpha."""
    return _png(_WIDTH, _HEIGHT, 8, 4, (1 + 2 * _WIDTH) * _HEIGHT)


def png_like_a_thread() -> bytes:
    """A PNG of one pixel's width."""
    return _png(1, 99_999_999, 8, 2, 4 * 99_999_999)


def png_of_packed_texts() -> bytes:
    """A PNG with a hundred packed texts and a profile, each of a gigabyte."""
    text = _chunk(b"zTXt", b"Comment\0\0" + zeros(1 << 30))
    profile = _chunk(b"iCCP", b"p\0\0" + zeros(1 << 30))
    international = _chunk(b"iTXt", b"Comment\0\1\0\0\0" + zeros(1 << 28))
    return _png(10, 10, 8, 0, 200, before=profile + text * 20 + international * 20)


def png_with_frames_after_it() -> bytes:
    """An animated PNG that promises four billion frames and has thousands."""
    control = _chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0))
    frame = struct.pack(">IIIIIHHBB", 0, 1000, 1000, 0, 0, 1, 1, 0, 0)
    frames = b"".join(_chunk(b"fcTL", frame) + _chunk(b"fdAT", bytes(4) + zeros(1_001_000)) for _ in range(3000))
    return _png(1000, 1000, 8, 0, 1_001_000, before=control, after=frames)


def png_of_a_million_chunks() -> bytes:
    """A PNG with a million empty chunks."""
    return _png(10, 10, 8, 0, 200, before=_chunk(b"tIME", b"") * 1_000_000)


def png_whose_data_go_on() -> bytes:
    """A PNG of ten pixels whose data unpack to four gigabytes."""
    return _png(10, 10, 8, 0, 4 << 30)


def _png(
    width: int, height: int, bits: int, colours: int, size: int,
    *, interlaced: int = 0, before: bytes = b"", after: bytes = b"",
) -> bytes:  # fmt: skip
    header = struct.pack(">IIBBBBB", width, height, bits, colours, 0, 0, interlaced)
    parts = [_chunk(b"IHDR", header), before, _chunk(b"IDAT", zeros(size)), after, _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def tiff_of_many_frames() -> bytes:
    """A TIFF of a thousand frames of ten million pixels each, which share their data."""
    packed = zeros(10_000_000)
    return _tiff([_entries(10_000, 1000, 8, packed)] * 1000, packed)


def tiff_of_frames_in_a_circle() -> bytes:
    """A TIFF whose last frame is followed by its first."""
    packed = zeros(10_000)
    return _tiff([_entries(100, 100, 8, packed)] * 3, packed, last=8)


def tiff_of_one_huge_strip() -> bytes:
    """A TIFF whose one strip promises four gigabytes."""
    return _tiff(
        [{**_entries(_WIDTH, _HEIGHT, 8, b"x" * 100), 279: 2**32 - 1, 278: 2**32 - 1, 259: 1}], b"x" * 100
    )


def tiff_just_under_the_limit() -> bytes:
    """A deflated TIFF just under the limit, in black and white by bytes."""
    packed = zeros(_WIDTH * _HEIGHT)
    return _tiff([_entries(_WIDTH, _HEIGHT, 8, packed)], packed)


def tiff_of_sixty_four_bits() -> bytes:
    """A TIFF of floating point numbers just under the limit."""
    packed = zeros(4 * _WIDTH * _HEIGHT)
    return _tiff([{**_entries(_WIDTH, _HEIGHT, 32, packed), 339: 3}], packed)


def tiff_of_tiny_tiles() -> bytes:
    """A TIFF of tiles of sixteen pixels, a million of them."""
    packed = zeros(256)
    entries = {**_entries(16_000, 6000, 8, packed), 322: 16, 323: 16, 324: 8, 325: len(packed)}
    return _tiff([{tag: entries[tag] for tag in entries if tag not in (273, 278, 279)}], packed)


def tiff_of_thousands_of_samples() -> bytes:
    """A TIFF with sixty-five thousand samples a pixel."""
    packed = zeros(1000)
    return _tiff([{**_entries(5000, 5000, 8, packed), 277: 65_535}], packed)


def tiff_of_a_long_directory() -> bytes:
    """A TIFF whose tags promise arrays of four billion values."""
    packed = zeros(10_000)
    body = _tiff([_entries(100, 100, 8, packed)], packed)
    odd = b"".join(
        struct.pack("<HHII", tag, kind, 2**32 - 1, 8) for tag in range(700, 20_000, 7) for kind in (2, 12)
    )
    count = (len(odd) // 12) % 65_536
    return body[:4] + struct.pack("<I", len(body)) + body[8:] + struct.pack("<H", count) + odd + bytes(4)


def _entries(width: int, height: int, bits: int, packed: bytes) -> dict[int, int]:
    """Tags of a deflated picture in grey: size, bits, packing, ink; place, samples, rows, bytes of the strip."""
    return {256: width, 257: height, 258: bits, 259: 8, 262: 1, 273: 8, 277: 1, 278: height, 279: len(packed)}


def _tiff(frames: Sequence[dict[int, int]], packed: bytes, last: int = 0) -> bytes:
    """Return a TIFF of these directories over the same data; `last` is the place that the last one names."""
    first = 8 + len(packed) + len(packed) % 2
    out = [b"II*\0", struct.pack("<I", first), packed, b"\0" * (len(packed) % 2)]
    place = first
    for number, entries in enumerate(frames, 1):
        place += 2 + 12 * len(entries) + 4
        rows = (struct.pack("<HHII", tag, 4, 1, value) for tag, value in sorted(entries.items()))
        after = (first if last else 0) if number == len(frames) else place
        out += [struct.pack("<H", len(entries)), *rows, struct.pack("<I", after)]
    return b"".join(out)


def jpeg_of_thousands_of_scans() -> bytes:
    """A progressive JPEG of fifty million pixels with four thousand scans."""
    data = _saved(Image.new("L", (64, 64), 128), "JPEG", progressive=True)
    frame, scan = data.index(b"\xff\xc2"), data.index(b"\xff\xda")
    larger = data[: frame + 5] + struct.pack(">HH", 7000, 7000) + data[frame + 9 : scan]
    refine = b"\xff\xda\x00\x08\x01\x01\x00\x01\x05\x00" + b"\x00" * 20
    return larger + data[scan:-2] + refine * 4000 + b"\xff\xd9"


def jpeg_just_under_the_limit() -> bytes:
    """A JPEG of some kilobytes whose frame promises just under the limit, four colours."""
    data = bytearray(_saved(Image.new("CMYK", (64, 64)), "JPEG"))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">HH", _HEIGHT, _WIDTH)
    return bytes(data)


def jpeg_of_endless_segments() -> bytes:
    """A JPEG with twenty thousand segments of a profile and of metadata before its frame."""
    data = _saved(Image.new("L", (64, 64), 128), "JPEG")
    profile = b"\xff\xe2" + struct.pack(">H", 600) + b"ICC_PROFILE\0\x01\xff" + bytes(584)
    exif = b"\xff\xe1" + struct.pack(">H", 600) + b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + bytes(582)
    return data[:2] + (profile + exif) * 20_000 + data[2:]


def jpeg_turned_in_a_circle() -> bytes:
    """A JPEG whose Exif directory follows and holds itself."""
    data = _saved(Image.new("L", (640, 640), 128), "JPEG")
    rows = struct.pack("<HHII", 0x0112, 3, 1, 6) + struct.pack("<HHII", 0x8769, 4, 1, 8)
    exif = b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", 2) + rows + struct.pack("<I", 8)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


def webp_of_the_largest_size() -> bytes:
    """A WebP whose header promises 16,383 by 6,103 pixels without loss."""
    return _webp(
        b"VP8L" + struct.pack("<I", 1000) + b"\x2f" + struct.pack("<I", 16_382 | 6_102 << 14) + bytes(995)
    )


def webp_of_one_colour() -> bytes:
    """A WebP just under the limit, of one colour."""
    return _saved(Image.new("RGB", (9_999, 10_000)), "WEBP", quality=1, method=0)


def webp_of_many_frames() -> bytes:
    """An animation on a canvas of ninety million pixels, with frames of one pixel."""
    still = _saved(Image.new("RGB", (2, 2)), "WEBP", lossless=True)[12:]
    canvas = struct.pack("<I", 0x12) + (9_999).to_bytes(3, "little") + (8_999).to_bytes(3, "little")
    frame = bytes(6) + (1).to_bytes(3, "little") * 2 + b"\x01\0\0\0" + still
    frames = (b"ANMF" + struct.pack("<I", len(frame)) + frame + b"\0" * (len(frame) % 2)) * 5000
    return _webp(b"VP8X" + struct.pack("<I", 10) + canvas + b"ANIM" + struct.pack("<I", 6) + bytes(6) + frames)


def _webp(body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def heic_that_promises_much() -> bytes:
    """A HEIC whose properties promise four billion pixels a side."""
    return _resized(_small_heic(), 2**32 - 1, 2**32 - 1)


def heic_just_under_the_limit() -> bytes:
    """A HEIC whose properties promise a size just under the limit for a picture of 64 pixels."""
    return _resized(_small_heic(), _WIDTH, _HEIGHT)


def heic_of_boxes_without_end() -> bytes:
    """A HEIC of a hundred thousand boxes within each other, and one whose size is none."""
    kind = struct.pack(">I", 24) + b"ftypheic\0\0\0\0mif1heic"
    deep = b"".join(struct.pack(">I", 2**31 - 1 - 12 * n) + b"meta\0\0\0\0" for n in range(100_000))
    return kind + deep


def heic_of_a_million_items() -> bytes:
    """A HEIC whose directory promises sixty-five thousand items at one place."""
    kind = struct.pack(">I", 24) + b"ftypheic\0\0\0\0mif1heic"
    rows = b"".join(struct.pack(">HHHII", n, 0, 1, 0, 2**32 - 1) for n in range(65_535))
    place = struct.pack(">I", 16 + len(rows)) + b"iloc\0\0\0\0\x44\x00\xff\xff" + rows
    return kind + struct.pack(">I", 12 + len(place)) + b"meta\0\0\0\0" + place


def _small_heic() -> bytes:
    pillow_heif.register_heif_opener(thumbnails=False)
    return _saved(Image.new("RGB", (64, 64), "white"), "HEIF")


def _resized(data: bytes, width: int, height: int) -> bytes:
    """Return the file with the size in its properties replaced ("ispe", ISO/IEC 23008-12, 6.5.3)."""
    place = data.index(b"ispe") + 8
    return data[:place] + struct.pack(">II", width, height) + data[place + 8 :]


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def deflated_noise_as_png() -> bytes:
    """A PNG in which every line has another filter, so that none can be skipped."""
    lines = (bytes((number % 5,)) for number in range(_HEIGHT))
    body = deflated(line + b"\x01\x02\x03" * _WIDTH for line in lines)
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", _WIDTH, _HEIGHT, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def palette_with_transparency() -> bytes:
    """A PNG of a palette with transparent colours just under the limit, which is widened to four colours."""
    palette = _chunk(b"PLTE", bytes(768)) + _chunk(b"tRNS", bytes(256))
    return _png(_WIDTH, _HEIGHT, 8, 3, (1 + _WIDTH) * _HEIGHT, before=palette)


def raw_bits_as_png() -> bytes:
    """A PNG of single bits just under the limit, with a profile of repeated nonsense."""
    profile = _chunk(b"iCCP", b"p\0\0" + deflated(repeated(b"acsp", 1_000_000)))
    return _png(_WIDTH, _HEIGHT, 1, 0, 1251 * _HEIGHT, before=profile)

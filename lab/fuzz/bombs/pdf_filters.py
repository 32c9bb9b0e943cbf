"""PDFs whose streams unpack to far more than they take, by every filter and by several at once."""

from __future__ import annotations

import base64
import zlib

from lab.fuzz.packed import deflated, repeated, zeros
from lab.fuzz.pdf_file import HELVETICA, one_page

_FONT = b"/Font<</F 5 0 R>>"
_GIGABYTE = 1 << 30


def huge_text_stream() -> bytes:
    """A content stream of two thirds of a megabyte that unpacks to text of hundreds of megabytes."""
    text = repeated(b"BT /F 9 Tf 50 50 Td (My father drives the night bus) Tj ET\n", 10_000_000)
    return one_page(deflated(text, 1), _FONT, HELVETICA, packing=b"/Filter/FlateDecode")


def hex_then_flate() -> bytes:
    """A gigabyte of zeros, deflated and written in hexadecimal digits."""
    return _packed(zeros(_GIGABYTE).hex().encode() + b">", b"/AHx/Fl")


def base85_then_flate() -> bytes:
    """A gigabyte of zeros, deflated and written in base 85."""
    return _packed(base64.a85encode(zeros(_GIGABYTE)) + b"~>", b"/A85/Fl")


def flate_in_flate() -> bytes:
    """Three gigabytes of spaces, deflated twice."""
    return _packed(zlib.compress(deflated(repeated(b" ", 3 * _GIGABYTE), 1), 9), b"/FlateDecode/FlateDecode")


def flate_many_times() -> bytes:
    """Half a gigabyte of spaces, deflated twelve times."""
    data = deflated(repeated(b" ", _GIGABYTE // 2))
    for _ in range(11):
        data = zlib.compress(data, 9)
    return _packed(data, b"/FlateDecode" * 12)


def flate_alone() -> bytes:
    """Two gigabytes of spaces, deflated once."""
    return _packed(deflated(repeated(b" ", 2 * _GIGABYTE), 1), b"/FlateDecode")


def filter_by_reference() -> bytes:
    """A gigabyte of spaces, deflated twice, whose filters are in an object of their own."""
    data = zlib.compress(deflated(repeated(b" ", _GIGABYTE)), 9)
    return one_page(data, b"", b"[/FlateDecode/FlateDecode]", packing=b"/Filter 5 0 R")


def filter_in_escaped_letters() -> bytes:
    """The same with the letters of the key and of the filters escaped."""
    data = zlib.compress(deflated(repeated(b" ", _GIGABYTE)), 9)
    return one_page(data, packing=b"/#46#69lter[/#46#6cateDecode/F#6c]")


def lzw() -> bytes:
    """An LZW stream of codes that stand for ever longer runs."""
    return _packed(_lzw_of_spaces(600_000), b"/LZWDecode")


def lzw_in_flate() -> bytes:
    """An LZW stream of gigabytes, deflated."""
    return _packed(zlib.compress(_lzw_of_spaces(1_000_000), 9), b"/FlateDecode/LZWDecode")


def _lzw_of_spaces(codes: int) -> bytes:
    """Return LZW codes that each name the entry they make themselves (PDF 32000-1, 7.4.4): ever longer runs."""
    bits, out, made = [(256, 9), (32, 9)], bytearray(), 258
    held, count = 0, 0
    for _ in range(codes):
        width = 9 if made < 511 else 10 if made < 1023 else 11 if made < 2047 else 12
        bits.append((made, width))
        made += 1
        if made == 4000:
            bits += [(256, 12), (32, 9)]
            made = 258
    for code, width in bits:
        held, count = held << width | code, count + width
        while count >= 8:
            count -= 8
            out.append(held >> count & 255)
        held &= (1 << count) - 1
    return bytes(out)


def run_length() -> bytes:
    """Five megabytes of runs of 128 spaces."""
    return _packed(b"\x81 " * 2_500_000 + b"\x80", b"/RunLengthDecode")


def run_length_in_flate() -> bytes:
    """Runs of gigabytes, deflated."""
    return _packed(deflated(repeated(b"\x81 ", 20_000_000), 1), b"/FlateDecode/RunLengthDecode")


def a_thousand_filters() -> bytes:
    """A stream with a thousand filters that change little."""
    return _packed(b"20" * 5_000_000 + b">", b"/AHx" + b"/RL" * 1000)


def filter_that_is_its_own_stream() -> bytes:
    """A stream whose filter and length are the stream itself."""
    return one_page(b"q Q", b"", packing=b"/Filter 4 0 R/Length 4 0 R/DecodeParms 4 0 R")


def predictor_of_huge_columns() -> bytes:
    """A predictor whose rows are two billion columns wide."""
    parameters = b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647/Colors 1/BitsPerComponent 8>>"
    return one_page(zeros(100_000_000), packing=parameters)


def predictor_of_many_colours() -> bytes:
    """A predictor with so many colours that a row has more bits than a number holds."""
    parameters = (
        b"/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 1000000/Colors 2147483/BitsPerComponent 16>>"
    )
    return one_page(zeros(100_000_000), packing=parameters)


def unknown_and_missing_filters() -> bytes:
    """Filters of no name, null and numbers."""
    return one_page(b"q Q", packing=b"/Filter[null 12 /Nothing <<>> [/Fl] (Fl)]")


def _packed(data: bytes, filters: bytes) -> bytes:
    return one_page(data, packing=b"/Filter[%s]" % filters)

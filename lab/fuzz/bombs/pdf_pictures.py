"""PDFs with pictures that are just under the limit of pixels, or promise more than they hold."""

from __future__ import annotations

import struct

from lab.fuzz.packed import deflated, repeated, zeros
from lab.fuzz.pdf_file import CATALOG, image, one_page, page_of_image, pdf, stream

#: Their product is just under MAX_IMAGE_PIXELS.
_WIDTH, _HEIGHT = 10_000, 9_999
_PIXELS = _WIDTH * _HEIGHT
_FLATE = b"/Filter/FlateDecode"


def grey_just_under_the_limit() -> bytes:
    """A picture in grey, eight bits."""
    return _large(b"/DeviceGray", 8, _PIXELS)


def one_bit_just_under_the_limit() -> bytes:
    """A picture in black and white."""
    return _large(b"/DeviceGray", 1, 1250 * _HEIGHT)


def colour_of_sixteen_bits() -> bytes:
    """A picture in colour, sixteen bits a colour."""
    return _large(b"/DeviceRGB", 16, 6 * _PIXELS)


def cmyk_just_under_the_limit() -> bytes:
    """A picture in four inks of sixteen bits."""
    return _large(b"/DeviceCMYK", 16, 8 * _PIXELS)


def device_n_just_under_the_limit() -> bytes:
    """A picture in eight inks whose mixture a program calculates for every pixel."""
    inks = b"".join(b"/Ink%d " % number for number in range(8))
    tint = stream(
        b"{ 2 copy mul sqrt 5 1 roll pop pop pop pop pop pop pop dup dup }",
        b"/FunctionType 4/Domain[0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1]/Range[0 1 0 1 0 1]",
    )
    return _large(b"[/DeviceN[%s]/DeviceRGB 6 0 R]" % inks, 8, 8 * _PIXELS, tint)


def indexed_just_under_the_limit() -> bytes:
    """A picture of indices into a palette of indices."""
    inner = b"[/Indexed/DeviceCMYK 255<%s>]" % (b"00ff7f10" * 256)
    return _large(b"[/Indexed %s 255 <%s>]" % (inner, b"7f" * 256), 8, _PIXELS)


def lab_just_under_the_limit() -> bytes:
    """A picture in L*a*b*, which is converted pixel by pixel."""
    return _large(b"[/Lab<</WhitePoint[0.9 1 1.1]/Range[-128 127 -128 127]>>]", 16, 6 * _PIXELS)


def _large(colours: bytes, bits: int, size: int, *more: bytes) -> bytes:
    entries = b"/ColorSpace%s/BitsPerComponent %d%s" % (b" " + colours, bits, _FLATE)
    return page_of_image(image(zeros(size), _WIDTH, _HEIGHT, entries), *more)


def picture_with_a_large_soft_mask() -> bytes:
    """A picture of one pixel with a soft mask just under the limit, and with another behind that."""
    grey = b"/ColorSpace/DeviceGray/BitsPerComponent 8" + _FLATE
    mask = image(zeros(_PIXELS), _WIDTH, _HEIGHT, grey + b"/SMask 7 0 R/Matte[1 1 1]")
    last = image(zeros(_PIXELS), _WIDTH, _HEIGHT, grey)
    return page_of_image(image(zeros(1), 1, 1, grey + b"/SMask 6 0 R"), mask, last)


def mask_that_is_its_own_mask() -> bytes:
    """A picture whose soft mask is the picture."""
    entries = b"/ColorSpace/DeviceGray/BitsPerComponent 8/SMask 5 0 R/Mask 5 0 R" + _FLATE
    return page_of_image(image(zeros(1_000_000), 1000, 1000, entries))


def hairline_of_a_hundred_million_pixels() -> bytes:
    """A picture of one pixel's height."""
    entries = b"/ColorSpace/DeviceRGB/BitsPerComponent 16" + _FLATE
    return page_of_image(image(zeros(6 * 99_999_999), 99_999_999, 1, entries))


def large_picture_shown_often() -> bytes:
    """A picture just under the limit, shown two thousand times."""
    entries = b"/ColorSpace/DeviceRGB/BitsPerComponent 8/Interpolate true" + _FLATE
    return page_of_image(image(zeros(3 * _PIXELS), _WIDTH, _HEIGHT, entries), times=2000)


def forty_large_pictures() -> bytes:
    """Forty pictures just under the limit on one page."""
    entries = b"/ColorSpace/DeviceGray/BitsPerComponent 8" + _FLATE
    packed = zeros(_PIXELS)
    pictures = [image(packed, _WIDTH, _HEIGHT, entries) for _ in range(40)]
    names = b"".join(b"/I%d %d 0 R" % (number, number + 5) for number in range(40))
    shown = b"".join(b"q 612 0 0 792 0 0 cm /I%d Do Q " % number for number in range(40))
    return one_page(shown, b"/XObject<<%s>>" % names, *pictures)


def stencil_masks() -> bytes:
    """A stencil just under the limit, painted a hundred times through a pattern."""
    stencil = image(zeros(1250 * _HEIGHT), _WIDTH, _HEIGHT, b"/ImageMask true/BitsPerComponent 1" + _FLATE)
    tile = stream(
        b"0 0 1 1 re f", b"/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 2 2]/XStep 2/YStep 2/Resources<<>>"
    )
    painted = b"q /Pattern cs /P scn 612 0 0 792 0 0 cm /I Do Q " * 100
    return one_page(painted, b"/XObject<</I 5 0 R>>/Pattern<</P 6 0 R>>", stencil, tile)


def size_beyond_numbers() -> bytes:
    """Pictures whose sizes multiply to more than a number holds, are negative or missing."""
    sizes = ((2**31 - 1, 2**31 - 1), (65_536, 65_536), (-5, 10), (0, 0), (3, 2**40))
    entries = b"/ColorSpace/DeviceCMYK/BitsPerComponent 16" + _FLATE
    pictures = [image(zeros(1000), width, height, entries) for width, height in sizes]
    names = b"".join(b"/I%d %d 0 R" % (number, number + 5) for number in range(len(sizes)))
    shown = b"".join(b"q 612 0 0 792 0 0 cm /I%d Do Q " % number for number in range(len(sizes)))
    return one_page(shown, b"/XObject<<%s>>" % names, *pictures)


def depth_beyond_reason() -> bytes:
    """A picture of 2,147,483,647 bits a colour, and a Decode array of a million numbers."""
    entries = b"/ColorSpace/DeviceGray/BitsPerComponent 2147483647/Decode[%s]%s" % (b"0 1 " * 500_000, _FLATE)
    return page_of_image(image(zeros(1_000_000), 1000, 1000, entries))


def jpx_that_promises_much() -> bytes:
    """A JPEG 2000 codestream of some bytes, of four billion pixels a side in tiles of one pixel."""
    side = 2**32 - 1
    size = struct.pack(">HIIIIIIIIH", 0, side, side, 0, 0, 1, 1, 0, 0, 3) + b"\x0f\x01\x01" * 3
    coding = b"\xff\x52\x00\x0c\x00\x00\xff\xff\x01\x05\x04\x04\x00\x00"
    data = b"\xff\x4f\xff\x51" + struct.pack(">H", len(size) + 2) + size + coding
    data += b"\xff\x5c\x00\x13\x40" + bytes(16) + b"\xff\x90\x00\x0a\x00\x00\x00\x00\x00\x00\x00\x01\xff\x93"
    entries = b"/ColorSpace/DeviceRGB/Filter/JPXDecode"
    # In the dictionary it is small, so that no check of the dictionary finds it.
    return page_of_image(image(data + bytes(1000) + b"\xff\xd9", 10, 10, entries))


def jpx_just_under_the_limit() -> bytes:
    """The same header with 10,000 by 9,999 pixels in one tile."""
    size = struct.pack(">HIIIIIIIIH", 0, _WIDTH, _HEIGHT, 0, 0, _WIDTH, _HEIGHT, 0, 0, 4) + b"\x0f\x01\x01" * 4
    coding = b"\xff\x52\x00\x0c\x00\x00\xff\xff\x01\x05\x04\x04\x00\x00"
    data = b"\xff\x4f\xff\x51" + struct.pack(">H", len(size) + 2) + size + coding
    data += b"\xff\x5c\x00\x13\x40" + bytes(16) + b"\xff\x90\x00\x0a\x00\x00\x00\x00\x00\x00\x00\x01\xff\x93"
    return page_of_image(image(data + bytes(1000) + b"\xff\xd9", _WIDTH, _HEIGHT, b"/Filter/JPXDecode"))


def jbig2_that_promises_much() -> bytes:
    """A JBIG2 page of four billion pixels a side, and regions as large."""
    page = struct.pack(">IBBBI", 0, 48, 0, 1, 19) + struct.pack(">IIIIBH", 2**32 - 2, 2**32 - 2, 0, 0, 0, 0)
    body = struct.pack(">IIIIB", 2**31 - 1, 2**31 - 1, 0, 0, 0) + bytes(1000)
    region = struct.pack(">IBBBI", 1, 38, 0, 1, len(body)) + body
    entries = b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode"
    return page_of_image(image(page + region, 10, 10, entries))


def jbig2_of_a_thousand_regions() -> bytes:
    """A JBIG2 page just under the limit, over which a thousand generic regions of no data are laid."""
    page = struct.pack(">IBBBI", 0, 48, 0, 1, 19) + struct.pack(">IIIIBH", _WIDTH, _HEIGHT, 0, 0, 0, 0)
    body = struct.pack(">IIIIB", _WIDTH, _HEIGHT, 0, 0, 0) + b"\x00\x03\xff\xfd\xff\x02\xfe\xfe\xfe" + bytes(20)
    regions = b"".join(struct.pack(">IBBBI", n, 38, 0, 1, len(body)) + body for n in range(1, 1001))
    entries = b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode"
    return page_of_image(image(page + regions, _WIDTH, _HEIGHT, entries))


def ccitt_of_huge_columns() -> bytes:
    """A fax of two billion columns and rows, of a few bytes."""
    parameters = b"/DecodeParms<</K -1/Columns 2147483646/Rows 2147483646>>"
    entries = b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode" + parameters
    return page_of_image(image(b"\xff" * 2000, 1000, 1000, entries))


def ccitt_in_flate() -> bytes:
    """A fax of white lines for ever, deflated."""
    parameters = b"/DecodeParms[null<</K -1/Columns 60000>>]"
    entries = b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter[/Fl/CCF]" + parameters
    return page_of_image(image(deflated(repeated(b"\xff", 50_000_000)), 60_000, 1600, entries))


def dct_that_promises_much() -> bytes:
    """A JPEG of a few bytes whose frame has 65,500 pixels a side and four colours."""
    tables = b"\xff\xdb\x00\x43\x00" + b"\x01" * 64
    frame = (
        b"\xff\xc2\x00\x14\x08"
        + struct.pack(">HH", 65_500, 65_500)
        + b"\x04"
        + b"".join(bytes((number, 0x44, 0)) for number in range(1, 5))
    )
    huffman = b"\xff\xc4\x00\x14\x00\x01" + bytes(15) + b"\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00" + bytes(100)
    data = b"\xff\xd8" + tables + frame + huffman + scan * 50 + b"\xff\xd9"
    return page_of_image(image(data, 10, 10, b"/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode"))


def a_thousand_pages_of_a_large_picture() -> bytes:
    """A thousand pages that all show one picture just under the limit."""
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 1005))
    show = stream(b"q 612 0 0 792 0 0 cm /I Do Q")
    picture = image(zeros(3 * _PIXELS), _WIDTH, _HEIGHT, b"/ColorSpace/DeviceRGB/BitsPerComponent 8" + _FLATE)
    leaf = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R/Resources<</XObject<</I 4 0 R>>>>>>"
    return pdf([CATALOG, b"<</Type/Pages/Kids[%s]/Count 1000>>" % kids, show, picture, *[leaf] * 1000])

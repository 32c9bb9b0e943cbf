"""PDFs with functions, colour spaces and profiles that never come to an end."""

from __future__ import annotations

import struct

from lab.fuzz.packed import deflated, repeated, zeros
from lab.fuzz.pdf_file import image, one_page, page_of_image, stream

_FLATE = b"/Filter/FlateDecode"


def calculator_of_a_million_steps() -> bytes:
    """A calculator function of a million operators, for each pixel of a picture."""
    program = b"{ " + b"dup mul sqrt " * 300_000 + b"}"
    return _tinted(stream(program, b"/FunctionType 4/Domain[0 1]/Range[0 1]"))


def calculator_of_nested_blocks() -> bytes:
    """A calculator function of a hundred thousand nested conditions."""
    depth = 100_000
    program = b"{ " + b"true { " * depth + b"} { } ifelse " * depth + b"}"
    return _tinted(stream(program, b"/FunctionType 4/Domain[0 1]/Range[0 1]"))


def calculator_of_copies() -> bytes:
    """A calculator function that copies and rolls its stack by the largest numbers."""
    program = b"{ dup 2147483647 copy 2147483647 -2147483648 roll 1e38 index 99 0 idiv }"
    return _tinted(stream(program, b"/FunctionType 4/Domain[0 1]/Range[0 1]"))


def sampled_function_of_a_huge_size() -> bytes:
    """A sampled function of eight inputs with fifty thousand samples each."""
    size = b"/Size[%s]/BitsPerSample 32/Order 3" % (b"50000 " * 8)
    return _tinted(
        stream(zeros(1_000_000), b"/FunctionType 0/Domain[%s]/Range[0 1]%s%s" % (b"0 1 " * 8, size, _FLATE))
    )


def sampled_function_just_under_the_limit() -> bytes:
    """A sampled function of fifty million samples of a megabyte in the file."""
    size = b"/Size[50000000]/BitsPerSample 32"
    return _tinted(stream(zeros(200_000_000), b"/FunctionType 0/Domain[0 1]/Range[0 1]%s%s" % (size, _FLATE)))


def stitching_of_itself() -> bytes:
    """A stitching function whose parts are itself."""
    return _tinted(
        b"<</FunctionType 3/Domain[0 1]/Functions[6 0 R 6 0 R 6 0 R]/Bounds[0.3 0.6]/Encode[0 1 0 1 0 1]>>"
    )


def stitching_that_branches() -> bytes:
    """Thirty levels of stitching functions, each of ten times the next."""
    levels = [
        b"<</FunctionType 3/Domain[0 1]/Functions[%s]/Bounds[%s]/Encode[%s]>>"
        % (b"%d 0 R " % number * 10, b" ".join(b"0.%d" % n for n in range(1, 10)), b"0 1 " * 10)
        for number in range(7, 36)
    ]
    return _tinted(*levels, b"<</FunctionType 2/Domain[0 1]/N 1>>")


def _tinted(*functions: bytes) -> bytes:
    """A picture whose every pixel is converted by the function, object 6."""
    space = b"/ColorSpace[/Separation/Ink/DeviceGray 6 0 R]/BitsPerComponent 8"
    return page_of_image(image(zeros(4_000_000), 2000, 2000, space + _FLATE), *functions)


def space_that_is_based_on_itself() -> bytes:
    """Colour spaces whose alternatives are each other."""
    first = b"[/Separation/A 6 0 R 8 0 R]"
    second = b"[/Indexed 5 0 R 255 7 0 R]"
    resources = b"/ColorSpace<</A 5 0 R/B 6 0 R>>"
    table, tint = stream(bytes(1024)), b"<</FunctionType 2/Domain[0 1]/N 1>>"
    return one_page(b"/A cs 0.5 scn 0 0 612 792 re f /B cs 3 scn f", resources, first, second, table, tint)


def nested_spaces() -> bytes:
    """Ten thousand separations, each with the next as its alternative."""
    spaces = [b"[/Separation/A %d 0 R 5 0 R]" % number for number in range(7, 10_006)]
    tint = b"<</FunctionType 2/Domain[0 1]/C0[0]/C1[1]/N 1>>"
    return one_page(b"/A cs 0.5 scn 0 0 612 792 re f", b"/ColorSpace<</A 6 0 R>>", tint, *spaces, b"/DeviceGray")


def many_inks() -> bytes:
    """A page of groups that blend sixty spot colours."""
    inks = b"".join(b"/C%d[/Separation/Ink%d/DeviceCMYK 5 0 R]" % (number, number) for number in range(60))
    tint = b"<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[1 1 1 1]/N 1>>"
    fill = b"".join(b"/C%d cs 0.5 scn 0 0 612 792 re f " % number for number in range(60))
    return one_page(
        b"/G gs " + fill * 500, b"/ColorSpace<<%s>>/ExtGState<</G<</OP true/op true/ca 0.5>>>>" % inks, tint
    )


def profile_of_endless_tags() -> bytes:
    """An ICC profile whose table promises four billion tags, and one of a hundred megabytes."""
    head = struct.pack(">I", 200) + b"lcms\x04\x20\0\0mntrRGB XYZ " + bytes(12) + b"acsp" + bytes(88)
    profile = stream(head + struct.pack(">I", 2**32 - 1) + b"A2B0" * 2000, b"/N 3")
    large = stream(deflated([head, *repeated(b"A2B0\0\0\0\1\xff\xff\xff\xff", 8_000_000)]), b"/N 3" + _FLATE)
    spaces = b"/ColorSpace<</A[/ICCBased 5 0 R]/B[/ICCBased 6 0 R]>>"
    return one_page(b"/A cs 1 0 1 scn 0 0 612 792 re f /B cs 1 0 1 scn 0 0 612 792 re f", spaces, profile, large)


def many_profiles() -> bytes:
    """Two thousand colour spaces, each of a profile of its own that is broken in the same place."""
    head = struct.pack(">I", 200) + b"lcms\x04\x20\0\0mntrGRAYXYZ " + bytes(12) + b"acsp" + bytes(88)
    profiles = [stream(head + struct.pack(">I", number), b"/N 1") for number in range(2000)]
    names = b"".join(b"/A%d[/ICCBased %d 0 R]" % (number, number + 5) for number in range(2000))
    fills = b"".join(b"/A%d cs 0.5 scn 0 0 9 9 re f " % number for number in range(2000))
    return one_page(fills, b"/ColorSpace<<%s>>" % names, *profiles)

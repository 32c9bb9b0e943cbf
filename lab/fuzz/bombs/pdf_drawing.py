"""PDFs of some kilobytes whose pages ask for endless drawing."""

from __future__ import annotations

from lab.fuzz.packed import deflated, repeated
from lab.fuzz.pdf_file import CATALOG, HELVETICA, form, one_page, pdf, stream

_FLATE = b"/Filter/FlateDecode"


def nested_forms() -> bytes:
    """Thirty forms, each of which draws the next one ten times."""
    return _chain(30, 10, b"")


def nested_groups() -> bytes:
    """A hundred transparency groups within each other, each of which needs a picture of the page."""
    return _chain(100, 1, b"/Group<</S/Transparency/I true/K true/CS/DeviceCMYK>>")


def nested_groups_that_branch() -> bytes:
    """Twenty transparency groups, each of which draws the next one eight times."""
    return _chain(20, 8, b"/Group<</S/Transparency/I true>>")


def _chain(levels: int, times: int, entries: bytes) -> bytes:
    forms = [
        form(b"/N Do " * times, b"/XObject<</N %d 0 R>>" % number, entries) for number in range(6, 5 + levels)
    ]
    leaf = form(b"0 0 612 792 re f", b"", entries)
    return one_page(b"/N Do", b"/XObject<</N 5 0 R>>", *forms, leaf)


def form_that_draws_itself() -> bytes:
    """A form that draws itself and a second one that draws the first."""
    first = form(b"/A Do /B Do", b"/XObject<</A 5 0 R/B 6 0 R>>")
    second = form(b"/A Do /A Do", b"/XObject<</A 5 0 R>>")
    return one_page(b"/A Do", b"/XObject<</A 5 0 R>>", first, second)


def nested_soft_masks() -> bytes:
    """Sixty groups, each drawn through a soft mask that is the next group, twice."""
    levels, group = 60, b"/Group<</S/Transparency/CS/DeviceGray>>"
    mask = b"/ExtGState<</G<</SMask<</S/Luminosity/G %d 0 R>>>>>>/XObject<</N %d 0 R>>"
    masks = [
        form(b"/G gs 0 0 612 792 re f /N Do", mask % (number, number), group) for number in range(6, 5 + levels)
    ]
    leaf = form(b"0.5 g 0 0 612 792 re f", b"", group)
    return one_page(b"/G gs 0 0 612 792 re f", mask % (5, 5), *masks, leaf)


def tiling_with_tiny_steps() -> bytes:
    """A pattern that is repeated every ten-thousandth of a point."""
    return one_page(_FILL, _PATTERN, _tile(b"0 0 0.1 0.1 re f", 0.0001))


def tiling_within_tilings() -> bytes:
    """Patterns of small steps whose cells are filled with the next pattern."""
    inner = b"/Pattern<</P %d 0 R>>"
    tiles = [_tile(_FILL, 0.5, inner % number) for number in range(6, 12)]
    return one_page(_FILL, _PATTERN, *tiles, _tile(b"0 0 1 1 re f", 0.5))


def tiling_with_a_huge_cell() -> bytes:
    """A pattern whose cell is a million points wide, in overlapping steps of one point."""
    return one_page(_FILL, _PATTERN, _tile(b"0 0 1000000 1000000 re f", 1, box=b"0 0 1000000 1000000"))


_FILL = b"/Pattern cs /P scn 0 0 612 792 re f"
_PATTERN = b"/Pattern<</P 5 0 R>>"


def _tile(content: bytes, step: float, resources: bytes = b"", box: bytes = b"0 0 1 1") -> bytes:
    head = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[%s]/XStep %f/YStep %f/Resources<<%s>>"
    return stream(content, head % (box, step, step, resources))


def dashes_of_a_tiny_pattern() -> bytes:
    """A line of a million points in dashes of a ten-thousandth of a point."""
    line = b"[0.0001 0.0001] 0 d 1 J 1 j 5 w 0 0 m 1000000 1000000 l S "
    return one_page(line * 50)


def dashes_on_curves() -> bytes:
    """Ten thousand dashed curves with round caps."""
    curve = b"0 0 m 300 900 600 -900 612 792 c S\n"
    return one_page(deflated([b"[0.01 0.01] 0 d 1 J 20 w\n", *repeated(curve, 10_000)]), packing=_FLATE)


def nested_clips() -> bytes:
    """Two hundred thousand clip paths within each other, none of them given up."""
    clip = b"q 306 396 m 600 396 l 306 700 l 10 20 l h W n\n"
    return one_page(deflated(repeated(clip, 200_000)), packing=_FLATE)


def clips_of_text() -> bytes:
    """A hundred thousand clips by letters."""
    clip = b"q BT /F 400 Tf 7 Tr 20 20 Td (WMW) Tj ET\n"
    return one_page(deflated(repeated(clip, 100_000)), b"/Font<</F 5 0 R>>", HELVETICA, packing=_FLATE)


def fills_of_the_whole_page() -> bytes:
    """Thirty million transparent fills of the page."""
    begin = b"/G gs "
    resources = b"/ExtGState<</G<</ca 0.5/BM/ColorBurn>>>>"
    fills = repeated(b"0 0 612 792 re f\n", 30_000_000)
    return one_page(deflated([begin, *fills], 1), resources, packing=_FLATE)


def one_endless_path() -> bytes:
    """A path of five million curves, filled at last."""
    return one_page(
        deflated([b"0 0 m\n", *repeated(b"9 999 999 9 0 0 c 5 5 l\n", 5_000_000), b"f*"], 1), packing=_FLATE
    )


def states_never_restored() -> bytes:
    """Ten million saved graphics states."""
    return one_page(deflated(repeated(b"q ", 10_000_000), 1), packing=_FLATE)


def marked_content_never_ended() -> bytes:
    """Three million nested pieces of marked content."""
    return one_page(deflated(repeated(b"/Span<</A(b)>>BDC ", 3_000_000), 1), packing=_FLATE)


def operands_without_operator() -> bytes:
    """Fifty million numbers, names and strings that no operator follows."""
    return one_page(deflated(repeated(b"1 /N (s) ", 15_000_000), 1), packing=_FLATE)


def array_never_ended() -> bytes:
    """Ten million array brackets in a content stream."""
    return one_page(deflated(repeated(b"[", 10_000_000), 1), packing=_FLATE)


def inline_images() -> bytes:
    """Two hundred thousand inline images over the whole page."""
    inline = b"q 612 0 0 792 0 0 cm BI /W 8 /H 8 /BPC 8 /CS /G ID " + bytes(64) + b" EI Q\n"
    return one_page(deflated(repeated(inline, 200_000), 1), packing=_FLATE)


def inline_image_that_promises_much() -> bytes:
    """An inline image whose header promises a hundred million pixels, and one of four billion."""
    head = b"q 612 0 0 792 0 0 cm BI /W %d /H %d /BPC 16 /CS /CMYK ID xxxx EI Q\n"
    return one_page(head % (10_000, 9_999) + head % (65_535, 65_535))


def shading_of_a_huge_domain() -> bytes:
    """A shading by a function of two numbers over a domain of billions."""
    shading = (
        b"/Shading<</S<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1000000000 0 1000000000]"
        b"/Matrix[1 0 0 1 0 0]/Function 5 0 R>>>>"
    )
    function = stream(b"{ sin exch cos 2 copy mul }", b"/FunctionType 4/Domain[0 1e9 0 1e9]/Range[0 1 0 1 0 1]")
    return one_page(b"/S sh " * 500, shading, function)


def shading_of_many_parts() -> bytes:
    """An axial shading whose function is stitched of fifty thousand."""
    parts = 50_000
    piece = b"<</FunctionType 2/Domain[0 1]/C0[0]/C1[1]/N 9>>"
    bounds = b" ".join(b"%f" % (number / parts) for number in range(1, parts))
    function = b"<</FunctionType 3/Domain[0 1]/Functions[%s]/Bounds[%s]/Encode[%s]>>" % (
        piece * parts,
        bounds,
        b"0 1 " * parts,
    )
    shading = b"/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 612 792]/Function 5 0 R>>>>"
    return one_page(b"/S sh " * 200, shading, function)


def shading_of_triangles() -> bytes:
    """A mesh of four million triangles, each over the whole page."""
    corner = b"\0\x00\x00\0\xff\xff\x80\0\xff\x00\x40"
    shading = (
        b"/ShadingType 4/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8"
        b"/Decode[0 612 0 792 0 1]/Filter/FlateDecode"
    )
    mesh = stream(deflated(repeated(corner, 1_000_000), 1), shading)
    return one_page(b"/S sh", b"/Shading<</S 5 0 R>>", mesh)


def shading_of_patches() -> bytes:
    """Half a million tensor patches that fold over themselves."""
    patch = b"\0" + bytes(range(0, 256, 8)) + b"\0\xff\0\xff"
    shading = (
        b"/ShadingType 7/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8"
        b"/Decode[0 612 0 792 0 1]/Filter/FlateDecode"
    )
    mesh = stream(deflated(repeated(patch, 500_000), 1), shading)
    return one_page(b"/S sh", b"/Shading<</S 5 0 R>>", mesh)


def a_thousand_pages_of_one_heavy_stream() -> bytes:
    """A thousand pages that all draw one stream of a million fills."""
    kids = b" ".join(b"%d 0 R" % number for number in range(4, 1004))
    heavy = stream(deflated(repeated(b"0 0 612 792 re f\n", 1_000_000)), _FLATE)
    leaf = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R>>"
    return pdf([CATALOG, b"<</Type/Pages/Kids[%s]/Count 1000>>" % kids, heavy, *[leaf] * 1000])


def contents_of_a_million_references() -> bytes:
    """A page whose content is one stream, named a million times."""
    leaf = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[%s]>>" % (b"4 0 R " * 1_000_000)
    fill = stream(b"0 0 612 792 re f")
    return pdf([CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 1>>", leaf, fill])

"""PDFs with endless text, and with fonts that are programs or tables without end."""

from __future__ import annotations

from random import Random

from lab.fuzz.packed import deflated, repeated
from lab.fuzz.pdf_file import HELVETICA, one_page, stream

_FONT = b"/Font<</F 5 0 R>>"
_FLATE = b"/Filter/FlateDecode"


def half_a_million_letters() -> bytes:
    """A page of five hundred thousand letters in small type."""
    lines = b"".join(_line(10, 785 - number * 1.5, b"word " * 200) for number in range(500))
    return _typed(b"/F 1 Tf " + lines)


def letters_just_under_the_limit() -> bytes:
    """A page of 99,000 words of one letter, each set by itself."""
    places = ((7 + (number % 300) * 2, 785 - (number // 300) * 2.3) for number in range(99_000))
    return _typed(
        b"/F 1 Tf " + b"".join(b"1 0 0 1 %.2f %.2f Tm (%c) Tj\n" % (x, y, 97 + int(x) % 26) for x, y in places)
    )


def letters_on_one_spot() -> bytes:
    """Ninety thousand letters, all at one place."""
    return _typed(b"/F 12 Tf " + b"1 0 0 1 300 400 Tm (e) Tj\n" * 90_000)


def words_in_one_line() -> bytes:
    """Ten thousand words, as many as a page may hold, in one line that runs off the page and back."""
    return _typed(b"/F 1 Tf 10 400 Td " + b"(word ) Tj -0.001 0 Td\n" * 10_000)


def words_in_every_direction() -> bytes:
    """Ten thousand words, as many as a page may hold, each turned a little more than the last."""
    turned = (b"0.8%05d 0.6%05d -0.6%05d 0.8%05d 300 400 Tm (word) Tj\n" % (n, n, n, n) for n in range(10_000))
    return _typed(b"/F 9 Tf " + b"".join(turned))


def labels_without_values() -> bytes:
    """Four thousand labels of a form, such as a reader of forms looks for, over each other and side by side."""
    labels = (b"Student Name:", b"School:", b"Grade:", b"Email:", b"Phone:", b"Father:")
    lines = (_line(10 + n % 7 * 90, 785 - n // 7 * 1.3, labels[n % 6]) for n in range(4000))
    return _typed(b"/F 3 Tf " + b"".join(lines))


def digits_of_a_page() -> bytes:
    """Ninety thousand digits, dots, hyphens and at-signs: telephone numbers and addresses that never end."""
    text = (b"1234567890-", b"555.0100.", b"a.b-c_d@e.f-", b"((((((((((", b"@@@@@@@@@@@", b"1 2 3 4 5 6 7 8 9 ")
    lines = (_line(10, 785 - n * 1.4, text[n % 6] * 16) for n in range(500))
    return _typed(b"/F 2 Tf " + b"".join(lines))


def words_just_under_the_limit() -> bytes:
    """Nearly ten thousand words in sixty long lines, which a reader of headers may take for a header."""
    lines = (_line(10, 780 - n * 12, b"Ana Lee %d " % n * 55) for n in range(60))
    return _typed(b"/F 0.9 Tf " + b"".join(lines))


def signs_in_long_words() -> bytes:
    """Words of nearly a thousand letters, digits and signs, such as addresses and numbers are made of."""
    pieces = (
        b"a@",
        b"1a",
        b"a.b@",
        b"1-",
        b"a1@.",
        b"(1)",
        b"http://a.",
        b"-a-",
        b"....a",
        b"A.",
        b"'s",
        b"1st",
        b"_",
    )
    lines = (_line(10, 785 - n * 8, (piece * 990)[:990]) for n in range(7) for piece in pieces)
    return _typed(b"/F 1 Tf " + b"".join(lines))


def one_word_of_ninety_thousand_letters() -> bytes:
    """A word without a space, of many accents by ToUnicode."""
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>"
    cmap = _cmap(b"2 beginbfchar <61> <0061> <62> <0301> endbfchar")
    return one_page(b"BT /F 1 Tf 10 400 Td (%s) Tj ET" % (b"ab" * 45_000), _FONT, font, stream(cmap))


def _line(x: float, y: float, text: bytes) -> bytes:
    return b"1 0 0 1 %.2f %.2f Tm (%s) Tj\n" % (x, y, text.replace(b"(", rb"\("))


def _typed(content: bytes) -> bytes:
    return one_page(deflated([b"BT ", content, b" ET"]), _FONT, HELVETICA, packing=_FLATE)


def type_three_that_shows_itself() -> bytes:
    """A font whose letters are text in the same font."""
    return _type_three(b"1000 0 d0 /F 1 Tf BT (aaaaaaaaaa) Tj ET", b"/Font<</F 5 0 R>>")


def type_three_of_nested_fonts() -> bytes:
    """Twelve fonts, each of whose letters is ten letters of the next one."""
    show = b"1000 0 d0 BT /F 1 Tf (aaaaaaaaaa) Tj ET"
    fonts: list[bytes] = []
    for level in range(12):
        deeper = b"/Font<</F %d 0 R>>" % (7 + 2 * level) if level < 11 else b""
        fonts += [_three(6 + 2 * level, deeper), stream(show if level < 11 else b"1000 0 d0 0 0 999 999 re f")]
    return one_page(b"BT /F 9 Tf 100 400 Td (aaaaaaaaaa) Tj ET", _FONT, *fonts)


def type_three_of_heavy_glyphs() -> bytes:
    """A letter that is a million fills, shown a thousand times."""
    glyph = stream(deflated([b"1000 0 d0\n", *repeated(b"0 0 900 900 re f\n", 1_000_000)], 1), _FLATE)
    return one_page(b"BT /F 90 Tf 10 400 Td (%s) Tj ET" % (b"a" * 1000), _FONT, _three(6, b""), glyph)


def _type_three(glyph: bytes, resources: bytes) -> bytes:
    return one_page(b"BT /F 9 Tf 100 400 Td (aaaaaaaaaa) Tj ET", _FONT, _three(6, resources), stream(glyph))


def _three(glyph: int, resources: bytes) -> bytes:
    return (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 97"
        b"/LastChar 97/Widths[1000]/Encoding<</Differences[97/a]>>/CharProcs<</a %d 0 R>>/Resources<<%s>>>>"
        % (glyph, resources)
    )


def to_unicode_of_huge_ranges() -> bytes:
    """A ToUnicode map of a hundred thousand ranges, each of all codes."""
    ranges = b"100 beginbfrange\n" + b"<00000000> <ffffffff> <0041>\n" * 100 + b"endbfrange\n"
    return _mapped(_cmap(ranges * 1000))


def to_unicode_of_long_strings() -> bytes:
    """A letter that stands for a text of half a million letters, shown a thousand times."""
    return _mapped(_cmap(b"1 beginbfchar <61> <%s> endbfchar" % (b"0041" * 500_000)))


def map_that_uses_itself() -> bytes:
    """A character map that is based on itself."""
    font = b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding 6 0 R/DescendantFonts[5 0 R]/ToUnicode 6 0 R>>"
    cmap = stream(_cmap(b"/A usecmap"), b"/Type/CMap/CMapName/A/UseCMap 6 0 R")
    return one_page(b"BT /F 9 Tf 100 400 Td (aaaa) Tj ET", _FONT, font, cmap)


def _mapped(cmap: bytes) -> bytes:
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>"
    packed = stream(deflated([cmap], 1), _FLATE)
    return one_page(b"BT /F 9 Tf 100 400 Td (%s) Tj ET" % (b"a" * 1000), _FONT, font, packed)


def _cmap(body: bytes) -> bytes:
    head = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
    space = b"1 begincodespacerange <00> <ff> endcodespacerange\n"
    return head + space + body + b"\nendcmap end end"


def differences_and_widths_without_end() -> bytes:
    """A font with a million names of letters and a million widths."""
    font = (
        b"<</Type/Font/Subtype/Type1/BaseFont/X/Encoding<</Differences[0 %s]>>/FirstChar 0/LastChar 2147483646"
        b"/Widths[%s]>>"
    )
    return one_page(b"BT /F 9 Tf (abc) Tj ET", _FONT, font % (b"/a" * 1_000_000, b"9 " * 1_000_000))


def widths_of_all_glyphs() -> bytes:
    """A composite font whose table of widths goes to the largest number."""
    font = b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[6 0 R]>>"
    inner = (
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
        b"/Supplement 0>>/W[%s]/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4>>>>"
    )
    return one_page(b"BT /F 9 Tf (abc) Tj ET", _FONT, font, inner % (b"0 2147483647 500 " * 200_000))


def font_programs_of_noise() -> bytes:
    """Embedded fonts of each kind that begin right and go on as noise."""
    rng = Random(13)
    heads = (
        b"\0\1\0\0\0\x20\1\0\0\4\0\0",
        b"%!PS-AdobeFont-1.0: A\neexec\n",
        b"OTTO\0\x20\0\0\0\0\0\0",
        b"\1\0\4\4",
    )
    keys = (b"FontFile2", b"FontFile", b"FontFile3/Subtype/OpenType", b"FontFile3")
    objects: list[bytes] = []
    for number, (head, key) in enumerate(zip(heads, keys, strict=True)):
        entry, _, rest = key.partition(b"/")
        descriptor = b"<</Type/FontDescriptor/FontName/A/Flags 4/%s %d 0 R>>" % (entry, 6 + 2 * number)
        objects.append(b"<</Type/Font/Subtype/TrueType/BaseFont/A/FontDescriptor%s>>" % descriptor)
        objects.append(stream(head + rng.randbytes(200_000), b"/" + rest if rest else b""))
    fonts = b"".join(b"/F%d %d 0 R" % (number, 5 + 2 * number) for number in range(4))
    shown = b"".join(b"BT /F%d 9 Tf 50 50 Td (abcdefg) Tj ET " % number for number in range(4))
    return one_page(shown, b"/Font<<%s>>" % fonts, *objects)

"""Fonts whose letters differ from what the file says, and letters that a typesetter has joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from hashlib import blake2b
from typing import Any, TypeVar

from core.confined.mupdf import pymupdf
from core.errors import DamagedDocumentError
from pipeline.mupdf.library import own_errors
from pipeline.mupdf.page_data import FontTruth

# Fonts whose letters differ from what the file says, and fonts for which the file says nothing.
#
# Text is taken from a PDF by the font's ToUnicode map (PDF 32000-1, 9.10.3), and drawn by its encoding and its
# program: if the two name different letters, a person sees other letters than a program reads.


V = TypeVar("V")

#: Most bytes of a map that are parsed.
_MOST_BYTES = 1 << 20
#: Most codes of one range that are examined: larger ranges are not letters of this alphabet.
_MOST_CODES = 256
#: Maps and font programs whose results are cached.
_MOST_KEPT = 64
_PLAIN = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#: Encodings that have these letters and digits at the places of ASCII (PDF 32000-1, annex D).
_BASES = ("/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding")
#: Standard fonts that draw signs.
_OF_SIGNS = ("Symbol", "ZapfDingbats")
_SYMBOLIC = 4
#: Where ASCII ends.
_BEYOND = 0x80
#: In a truncated file the last section extends to the end.
_SECTION = re.compile(rb"beginbf(char|range)(.*?)(?:endbf|\Z)", re.DOTALL)
_PAIR = re.compile(rb"<([0-9A-Fa-f]++)>\s*+<([0-9A-Fa-f]++)>")
_RANGE = re.compile(rb"<([0-9A-Fa-f]++)>\s*+<([0-9A-Fa-f]++)>\s*+(?:<([0-9A-Fa-f]++)>|\[([^\[\]]*+)\])")
_HEX = re.compile(rb"<([0-9A-Fa-f]++)>")
#: Letters and digits as maps write them.
_WRITTEN = {b"%04x" % ord(letter): letter for letter in _PLAIN}
#: Names of glyphs that are just numbers; MuPDF takes some of them for codes.
_COUNTED = re.compile(r"[A-Za-z]{0,3}\d+(?<!^u\d{4})(?<!^uni\d{4})")
_UNKNOWN = 0xFFFD
_DIFFERENCE = re.compile(r"/([^\s/\[\]()<>]+)|(\d{1,3})(?=[\s/])")


@dataclass(slots=True)
class FontLetters:
    """Results for the fonts of a document, each of which is examined once."""

    document: pymupdf.Document
    _contradicted: dict[int, bool] = field(default_factory=dict)
    _unnamed: dict[int, bool] = field(default_factory=dict)

    def of_page(self, page: pymupdf.Page) -> FontTruth:
        """Return the results for all fonts that a page refers to."""
        untold, contradicted = [], False
        for number, _, kind, *_ in self.document.get_page_fonts(page.number):
            if not number:
                continue
            if kind == "Type3":
                if self._is_unnamed(number):
                    untold.append(f"Type3 ({number} 0 R)")
            elif number not in self._contradicted:
                self._contradicted[number] = _is_contradicted(self.document, number)
            contradicted |= self._contradicted.get(number, False)
        return FontTruth(contradicted, frozenset(untold))

    def _is_unnamed(self, number: int) -> bool:
        if number not in self._unnamed:
            says = self.document.xref_get_key(number, "ToUnicode")[0] != "null"
            names = [] if says else list(_differences(self.document, number).values())
            unknown = sum(_letter_of(name) is None for name in names)
            self._unnamed[number] = not says and 2 * unknown >= len(names)
        return self._unnamed[number]


def _is_contradicted(document: pymupdf.Document, number: int) -> bool:
    """Whether the map of a font gives another letter or digit than the font draws."""
    kind, stream = document.xref_get_key(number, "ToUnicode")
    if kind != "xref":
        return False
    # A font that cannot be read is drawn as another one.
    with suppress(DamagedDocumentError), own_errors("a font cannot be read"):
        cmap = (document.xref_stream(int(stream.split()[0])) or b"")[:_MOST_BYTES]
        mapped = _mapped_letters(cmap)
        drawn = _drawn_letters(document, number, mapped)
        return any(mapped[code].lower() != letter.lower() for code, letter in drawn.items() if code in mapped)
    return False


def _by_content(work: Callable[[bytes], V]) -> Callable[[bytes], V]:
    """Cache the last results of this child by the digest of the bytes: files on one form share its fonts."""
    kept: dict[bytes, V] = {}

    @wraps(work)
    def of(data: bytes) -> V:
        key = blake2b(data).digest()
        if key not in kept:
            if len(kept) >= _MOST_KEPT:
                kept.pop(next(iter(kept)))
            kept[key] = work(data)
        return kept[key]

    return of


@_by_content
def _mapped_letters(cmap: bytes) -> dict[int, str]:
    """Return the codes that a map assigns to one of these letters or digits, with the letter."""
    mapped: dict[int, str] = {}
    for kind, body in _SECTION.findall(cmap.lower()):
        if kind == b"char":
            mapped |= {int(code, 16): _WRITTEN[text] for code, text in _PAIR.findall(body) if text in _WRITTEN}
        else:
            mapped |= _of_ranges(body)
    return mapped


def _of_ranges(body: bytes) -> dict[int, str]:
    mapped: dict[int, str] = {}
    for first, last, text, texts in _RANGE.findall(body):
        begin = int(first[-8:], 16)
        count = min(max(int(last[-8:], 16) - begin + 1, 0), _MOST_CODES)
        if not text:
            listed = enumerate(_HEX.findall(texts)[:count])
            mapped |= {begin + n: _WRITTEN[one] for n, one in listed if one in _WRITTEN}
        elif len(text) == 4 and (start := int(text, 16)) < _BEYOND:
            mapped |= {begin + n: chr(start + n) for n in range(count) if chr(start + n) in _PLAIN}
    return mapped


def _drawn_letters(document: pymupdf.Document, number: int, mapped: dict[int, str]) -> dict[int, str]:
    """Return the codes whose glyph is known to be a letter or digit, with the letter."""
    if document.xref_get_key(number, "Subtype")[1] == "/Type0":
        return _of_program(document, number, mapped)
    embedded = any(
        document.xref_get_key(number, f"FontDescriptor/{key}")[0] != "null"
        for key in ("FontFile", "FontFile2", "FontFile3")
    )
    flags = document.xref_get_key(number, "FontDescriptor/Flags")[1]
    if embedded and document.xref_get_key(number, "Subtype")[1] == "/TrueType" and int(flags) & _SYMBOLIC:
        # Readers ignore its encoding (PDF 32000-1, 9.6.6.4).
        return {}
    letters = {ord(letter): letter for letter in _PLAIN} if _has_base(document, number, embedded) else {}
    for code, name in _differences(document, number).items():
        letters.pop(code, None)
        if (letter := _letter_of(name)) is not None and letter in _PLAIN:
            letters[code] = letter
    return letters


def _has_base(document: pymupdf.Document, number: int, embedded: bool) -> bool:
    """Whether a simple font, apart from its differences, has letters and digits at their ASCII codes."""
    encoding = document.xref_get_key(number, "Encoding")
    if encoding[0] == "name":
        return encoding[1] in _BASES
    base = document.xref_get_key(number, "Encoding/BaseEncoding")
    if base[0] == "name":
        return base[1] in _BASES
    return not embedded and document.xref_get_key(number, "BaseFont")[1].lstrip("/") not in _OF_SIGNS


def _differences(document: pymupdf.Document, number: int) -> dict[int, str]:
    """Return the names of glyphs that an encoding gives to codes (PDF 32000-1, 9.6.6.1)."""
    kind, written = document.xref_get_key(number, "Encoding/Differences")
    if kind == "xref":
        written = document.xref_object(int(written.split()[0]), compressed=True)
    elif kind != "array":
        return {}
    names: dict[int, str] = {}
    code = 0
    for name, begin in _DIFFERENCE.findall(written):
        if begin:
            code = int(begin)
        else:
            names[code] = name
            code += 1
    return names


def _letter_of(name: str) -> str | None:
    if _COUNTED.fullmatch(name):
        return None
    found = pymupdf.mupdf.fz_unicode_from_glyph_name(name)
    return None if found == _UNKNOWN else chr(found)


def _of_program(document: pymupdf.Document, number: int, mapped: dict[int, str]) -> dict[int, str]:
    """Return the result of `_drawn_letters` for a font whose codes are glyph numbers, by its program."""
    if document.xref_get_key(number, "Encoding")[1] != "/Identity-H" or not mapped:
        return {}
    descendant = _descendant(document, number)
    if not descendant or document.xref_get_key(descendant, "CIDToGIDMap")[0] == "xref":
        return {}
    program = document.extract_font(number)[3]
    if not program:
        return {}
    glyphs = _glyphs(program)
    if all(glyphs.get(letter, code) == code for code, letter in mapped.items()):
        return {}
    return {glyph: letter for letter, glyph in glyphs.items()}


@_by_content
def _glyphs(program: bytes) -> dict[str, int]:
    """Return the glyph numbers of these letters and digits that a font program names."""
    font = pymupdf.Font(fontbuffer=program)
    return {letter: glyph for letter in _PLAIN if (glyph := font.has_glyph(ord(letter)))}


def _descendant(document: pymupdf.Document, number: int) -> int:
    written = document.xref_get_key(number, "DescendantFonts")[1]
    found = re.search(r"(?<!\d)(\d+) 0 R", written)
    return int(found[1]) if found else 0


# Restore the Unicode of letters that a typesetter has joined.
#
# Arabic, Hebrew and Indic letters are drawn with glyphs that have no character of their own: initial, medial and
# final forms, ligatures. The ToUnicode CMaps (PDF 32000-1, 9.10.3) of a PDF that MuPDF writes lack them, so that
# another letter is read. The typesetter knows the letters of each glyph.


#: Scripts whose letters are joined, reordered or given marks: Hebrew to Myanmar, Khmer and its neighbours, Indic
#: extensions, and the forms of Hebrew and Arabic.
JOINED = re.compile("[\u0590-\u109f\u1780-\u1cff\ua800-\uabff\ufb1d-\ufdff\ufe70-\ufefc]")
#: Pairs in one `bfchar` section of a CMap (Adobe Technical Note 5014).
_MOST_PAIRS = 100
_CMAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{}endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


class Glyphs(pymupdf.mupdf.FzDevice2):  # type: ignore[misc]
    """A device that records the letters of each glyph."""

    def __init__(self) -> None:
        super().__init__()
        self.use_virtual_fill_text()
        #: Letters by the font's name and the glyph's number.
        self.letters: dict[str, dict[int, str]] = {}

    def draw(self, story: pymupdf.Story, device: pymupdf.DeviceWrapper) -> None:
        """Draw a placed story on another device, and record its letters; a story can be drawn only once."""
        mupdf = pymupdf.mupdf
        everything = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
        drawing = mupdf.FzDisplayList(everything)
        story.draw(pymupdf.DeviceWrapper(mupdf.fz_new_list_device(drawing)))
        for target in (self, device.this):
            mupdf.fz_run_display_list(drawing, target, mupdf.FzMatrix(), everything, mupdf.FzCookie())

    def fill_text(self, _context: Any, text: Any, *_looks: Any) -> None:
        """Record the letters of one text: an item without a glyph belongs to the glyph before it."""
        span = text.head
        while span:
            of_font = self.letters.setdefault(pymupdf.mupdf.ll_fz_font_name(span.font), {})
            items = pymupdf.mupdf.FzTextSpan(span)
            glyph, letters = -1, ""
            for number in range(span.len):
                item = items.items(number)
                if item.gid >= 0:
                    of_font.setdefault(glyph, letters)
                    glyph, letters = item.gid, ""
                letters += chr(item.ucs) if item.ucs > 0 else ""
            of_font.setdefault(glyph, letters)
            span = span.next


def with_letters(pdf: bytes, letters: Mapping[str, Mapping[int, str]]) -> bytes:
    """Return a PDF of MuPDF's writer with ToUnicode maps for the glyphs of joined letters."""
    with pymupdf.open("pdf", pdf) as document:
        for number in range(1, document.xref_length()):
            kind, name = document.xref_get_key(number, "BaseFont")
            mark, stream = document.xref_get_key(number, "ToUnicode")
            of_font = letters.get(_plain(name)) if kind == "name" and mark == "xref" else None
            if of_font and any(JOINED.search(text) for text in of_font.values()):
                document.update_stream(int(stream.split()[0]), _cmap(of_font))
        return bytes(document.tobytes())


def _plain(name: str) -> str:
    return re.sub(r"#([0-9A-Fa-f]{2})", lambda code: chr(int(code[1], 16)), name.removeprefix("/"))


def _cmap(of_font: Mapping[int, str]) -> bytes:
    pairs = [
        f"<{glyph:04x}> <{text.encode('utf-16-be').hex()}>"
        for glyph, text in sorted(of_font.items())
        if text and 0 <= glyph <= 0xFFFF
    ]
    sections = (pairs[at : at + _MOST_PAIRS] for at in range(0, len(pairs), _MOST_PAIRS))
    return _CMAP.format(
        "".join(f"{len(section)} beginbfchar\n" + "\n".join(section) + "\nendbfchar\n" for section in sections)
    ).encode("ascii")

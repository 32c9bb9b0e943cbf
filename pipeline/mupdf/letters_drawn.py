"""Give the letters that a typesetter has joined their Unicode back.

Arabic, Hebrew and Indic letters are drawn with glyphs that stand for no character by themselves: forms at the
beginning, in the middle and at the end of a word, ligatures. Of these a PDF that MuPDF writes says nothing in its
ToUnicode CMaps (PDF 32000-1, 9.10.3), and another letter is read. The typesetter knows what each glyph is drawn
for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.mupdf import pymupdf

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
    """A device that notes which letters each glyph is drawn for."""

    def __init__(self) -> None:
        super().__init__()
        self.use_virtual_fill_text()
        #: By the font's name and the glyph's number, the letters.
        self.letters: dict[str, dict[int, str]] = {}

    def draw(self, story: pymupdf.Story, device: pymupdf.DeviceWrapper) -> None:
        """Draw what a story has placed to another device, and note its letters; a story is drawn but once."""
        mupdf = pymupdf.mupdf
        everything = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
        drawing = mupdf.FzDisplayList(everything)
        story.draw(pymupdf.DeviceWrapper(mupdf.fz_new_list_device(drawing)))
        for target in (self, device.this):
            mupdf.fz_run_display_list(drawing, target, mupdf.FzMatrix(), everything, mupdf.FzCookie())

    def fill_text(self, _context: Any, text: Any, *_looks: Any) -> None:
        """Note the letters of one text: an item without a glyph belongs to the glyph before it."""
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
    """Return a PDF of MuPDF's writer whose fonts of joined letters say what their glyphs stand for."""
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

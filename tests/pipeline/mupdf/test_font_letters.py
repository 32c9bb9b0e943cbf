"""Fonts that say other letters than they draw, and fonts of which nothing says what they draw."""

from __future__ import annotations

import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.page_data import FontTruth
from pipeline.reason_codes import ReasonCode
from pipeline.recognition.page_contents import read_pages
from tests.pipeline.recognition.test_page_contents import SETTINGS
from tests.support.reading.documents import ESSAY, essay_pdf

HEADER = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def {} endcmap end end"
#: Codes with what they are said to be, as maps write it.
RIGHT = "26 beginbfchar {} endbfchar".format(" ".join(f"<{c:02x}> <{c:04X}>" for c in range(0x30, 0x4A)))
SWAPPED = "2 beginbfchar <37> <0031> <31> <0037> endbfchar"
RANGE = "1 beginbfrange <41> <5a> <0042> endbfrange"
LIST = "1 beginbfrange <61> <63> [<0061> <0062> <0064>] endbfrange"
CASE = "1 beginbfrange <61> <7a> <0041> endbfrange"
LIGATURES = "3 beginbfchar <02> <00660069> <03> <2019> <41> <0041> endbfchar"
ENCODINGS = ("/WinAnsiEncoding", "<</Type/Encoding/BaseEncoding/MacRomanEncoding/Differences[1/fi/fl]>>")


def with_map(said: str, encoding: str = "/WinAnsiEncoding", pdf: bytes | None = None) -> bytes:
    """An essay in a simple font with a map of its own."""
    with pymupdf.open("pdf", pdf or essay_pdf()) as document:
        for font, *_ in document.get_page_fonts(0):
            number = document.get_new_xref()
            document.update_object(number, "<<>>")
            document.update_stream(number, HEADER.format(said).encode())
            document.xref_set_key(font, "ToUnicode", f"{number} 0 R")
            document.xref_set_key(font, "Encoding", encoding)
        return bytes(document.tobytes())


def fonts_of(pdf: bytes) -> FontTruth:
    with open_pdf(pdf) as file:
        return file.parts(1).fonts


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("said", "contradicts"),
    [(RIGHT, False), (CASE, False), (LIGATURES, False), (SWAPPED, True), (RANGE, True), (LIST, True)],
)
def test_a_map_is_held_against_the_encoding(said: str, encoding: str, contradicts: bool) -> None:
    assert fonts_of(with_map(said, encoding)).contradicted is contradicts


def test_a_glyphs_name_counts_where_the_encoding_differs() -> None:
    differing = "<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[55/one]>>"
    assert not fonts_of(with_map("1 beginbfchar <37> <0031> endbfchar", differing)).contradicted
    assert fonts_of(with_map("1 beginbfchar <37> <0037> endbfchar", differing)).contradicted


def set_in_glyphs(change: bool) -> bytes:
    """An essay in an embedded font whose codes are the numbers of its glyphs."""
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_font("F0", fontbuffer=pymupdf.Font("cjk").buffer)
        page.insert_text((72, 72), "Marisol Quintero 3 4 5 6", fontname="F0", fontsize=12)
        (font, *_), *_ = document.get_page_fonts(0)
        stream = int(document.xref_get_key(font, "ToUnicode")[1].split()[0])
        said = document.xref_stream(stream)
        shifted = said.replace(b"<0001> <005f> <0020>", b"<0001> <005f> <0021>")
        assert shifted != said
        document.update_stream(stream, shifted if change else said)
        return bytes(document.tobytes())


@pytest.mark.parametrize("change", [False, True])
def test_a_map_is_held_against_the_fonts_own_program(change: bool) -> None:
    assert fonts_of(set_in_glyphs(change)).contradicted is change


def test_a_font_that_is_damaged_or_has_no_map_is_none_of_these() -> None:
    assert fonts_of(essay_pdf()) == FontTruth()
    assert (
        fonts_of(with_map("2 beginbfchar <37> <00 endbfchar <<<< 1 beginbfrange <61> [ endbfrange")) == FontTruth()
    )


def test_where_other_letters_are_said_the_page_is_recognised_and_a_person_told() -> None:
    (page,) = read_pages(with_map(SWAPPED), SETTINGS, None, "rapidocr")
    assert (page.distrust, page.doubts) == ("contradicted", [ReasonCode.NOT_AS_SHOWN.value])
    assert "Quintero" in " ".join(word.text for word in page.words)
    (page,) = read_pages(with_map(RIGHT), SETTINGS, None, "rapidocr")
    assert (page.distrust, page.doubts) == (None, [])


def in_shapes(names: str, text: str = ESSAY, around: tuple[str, str] = ("", ""), said: str = "") -> bytes:
    """A text in a font of shapes (Type 3), whose glyphs are called `names` with their number."""
    letters = sorted(set(text))
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        shape = document.get_new_xref()
        document.update_object(shape, "<<>>")
        document.update_stream(shape, b"500 0 0 0 400 700 d1 0 0 400 700 re f")
        called = [names.format(n=n, c=f"uni{ord(c):04X}") for n, c in enumerate(letters, start=1)]
        shapes = "".join(f"/{name} {shape} 0 R" for name in called)
        font = document.get_new_xref()
        document.update_object(
            font,
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[.001 0 0 .001 0 0]/Resources<<>>"
            f"/CharProcs<<{shapes}>>/Encoding<</Type/Encoding/Differences[1{''.join('/' + n for n in called)}]>>"
            f"/FirstChar 1/LastChar {len(letters)}/Widths[{' 500' * len(letters)}]>>",
        )
        if said:
            number = document.get_new_xref()
            document.update_object(number, "<<>>")
            pairs = " ".join(f"<{n:02x}> <{ord(c):04x}>" for n, c in enumerate(letters, start=1))
            document.update_stream(number, HEADER.format(f"{len(letters)} beginbfchar {pairs} endbfchar").encode())
            document.xref_set_key(font, "ToUnicode", f"{number} 0 R")
        lines = [text[at : at + 70] for at in range(0, len(text), 70)]
        drawn = "".join(
            f"1 0 0 1 60 {720 - 16 * n} Tm <{''.join(f'{letters.index(c) + 1:02x}' for c in line)}> Tj "
            for n, line in enumerate(lines)
        )
        contents = document.get_new_xref()
        document.update_object(contents, "<<>>")
        document.update_stream(contents, f"BT /T 12 Tf {around[0]} {drawn} {around[1]} ET".encode())
        page.set_contents(contents)
        document.xref_set_key(page.xref, "Resources", f"<</Font<</T {font} 0 R>>>>")
        return bytes(document.tobytes())


@pytest.mark.parametrize(
    ("names", "said", "known"),
    [("a{n}", "", False), ("g{n}", "", False), ("{c}", "", True), ("a{n}", "map", True)],
)
def test_a_font_of_shapes_is_believed_where_it_says_its_letters(names: str, said: str, known: bool) -> None:
    assert (fonts_of(in_shapes(names, said=said)).unnamed == frozenset()) is known


@pytest.mark.parametrize(("names", "recognised"), [("a{n}", True), ("{c}", False)])
def test_a_page_in_shapes_without_letters_is_recognised(names: str, recognised: bool) -> None:
    (page,) = read_pages(in_shapes(names), SETTINGS, None, "rapidocr")
    assert (page.distrust is not None) is recognised


ALOUD = ("/Span <</ActualText (another text is read aloud)>> BDC", "EMC")


@pytest.mark.parametrize(("names", "expected"), [("{c}", ["Marisol", "Vega"]), ("g{n}", ["another", "text"])])
def test_what_is_read_aloud_counts_only_where_the_letters_are_unknown(names: str, expected: list[str]) -> None:
    with open_pdf(in_shapes(names, "Marisol Vega", ALOUD)) as file:
        assert [word[4] for line in file.parts(1).lines for word in line.words][:2] == expected

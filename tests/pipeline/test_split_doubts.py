"""Where it is doubtful which pages belong to an entry, all entries concerned need a person."""

from __future__ import annotations

import pytest

from pipeline.extraction.page_roles import PageRole
from pipeline.mupdf.page_data import PageMark
from pipeline.pages.page_model import Source
from pipeline.reason_codes import ReasonCode
from pipeline.splitting.document_analysis import analyse_outlines
from pipeline.splitting.outlines import PageOutline

NAMES = ["Ann Vega", "Leo Ortiz", "Mia Castro", "Tom Lind", "Eva Roth"]
#: H a front with a name, h one whose text goes on, S a header sheet, E an essay page, C a page without a name,
#: _ an empty sheet, L a sheet of nobody, F a form.
LETTERS = {
    "H": PageRole.HEADER,
    "h": PageRole.HEADER,
    "S": PageRole.HEADER,
    "F": PageRole.HEADER,
    "E": PageRole.ESSAY_PAGE,
    "C": PageRole.CONTINUATION,
    "_": PageRole.BLANK_SHEET,
    "L": PageRole.COVER_SHEET,
}
PROFILES = {"S": "ifi_2025", "F": "ifi_2026", "E": "ifi_2025_essay_page"}


def _outlines(stack: str, native: bool = True, marks: dict[int, PageMark] | None = None) -> list[PageOutline]:
    names = iter(NAMES)
    return [
        PageOutline(
            page_no=number,
            role=LETTERS[letter],
            profile=PROFILES.get(letter),
            width=612,
            height=792,
            source=Source.TEXT_LAYER if native else Source.OCR,
            native=native,
            has_widgets=False,
            name=next(names) if letter in "HhSF" else None,
            essay_words=0 if letter == "S" else 90,
            mark=(marks or {}).get(number, ""),
            runs_over=letter == "h" and native,
            is_full=letter == "h",
        )
        for number, letter in enumerate(stack, start=1)
    ]


def _doubtful(stack: str, native: bool = True, marks: dict[int, PageMark] | None = None) -> str:
    chunks = analyse_outlines(_outlines(stack, native, marks)).chunks
    return "".join("?" if ReasonCode.SPLIT_UNCERTAIN in chunk.doubts else "." for chunk in chunks)


@pytest.mark.parametrize(
    ("stack", "doubts"),
    [
        ("HHHCCC", "???"),
        ("HHHC_C", "???"),
        ("HHCC", "??"),
        ("hhhC", "???"),
        ("hhHCC", "???"),
        ("HCHHCC", ".??"),
        ("SSEE", "???"),
        ("SSE_", "??"),
    ],
)
def test_fronts_and_then_backs_are_doubtful(stack: str, doubts: str) -> None:
    assert _doubtful(stack) == doubts


@pytest.mark.parametrize(
    "stack",
    [
        "HCHCHC",
        "HHH",
        "HHHC",
        "HHHCC",
        "HCC",
        "HHCCC",
        "SESE",
        "SSE",
        "HC_HC_",
        "FFFF",
        "H_H_H_",
        "hhh",
        "LHCLLHC",
    ],
)
def test_ordinary_stacks_are_not(stack: str) -> None:
    assert "?" not in _doubtful(stack)


def test_recognised_pages_are_doubtful_only_where_several_backs_follow() -> None:
    assert _doubtful("hhhC", native=False) == "..."
    assert _doubtful("hhhCC", native=False) == "???"


def test_a_person_who_says_the_split_is_believed() -> None:
    chunks = analyse_outlines(_outlines("HHCC"), page_counts=[1, 3]).chunks
    assert [chunk.doubts for chunk in chunks] == [[], []]


def test_sheets_of_nobody_are_left_out_and_end_no_entry() -> None:
    chunks = analyse_outlines(_outlines("LLHCLLH")).chunks
    assert [(chunk.page_start, chunk.page_end, chunk.doubts) for chunk in chunks] == [(3, 4, []), (7, 7, [])]
    (chunk,) = analyse_outlines(_outlines("HLC")).chunks
    assert (chunk.page_start, chunk.page_end, chunk.doubts) == (1, 3, [ReasonCode.SPLIT_UNCERTAIN])


def test_a_file_of_such_sheets_alone_is_shown_to_a_person() -> None:
    (chunk,) = analyse_outlines(_outlines("LL")).chunks
    assert chunk.doubts == [ReasonCode.SPLIT_UNCERTAIN]


def test_a_document_of_its_own_begins_an_entry() -> None:
    assert _doubtful("HC", marks={2: PageMark.BEGINS}) == ".?"
    assert (
        _doubtful("H_C", marks={2: PageMark.BEGINS}) == ".."
    )  # the empty sheet begins it, and the page goes with it
    assert _doubtful("HH", marks={1: PageMark.CARRIES, 2: PageMark.BEGINS}) == "?."


def test_fronts_whose_text_goes_on_wait_for_the_pages_that_follow() -> None:
    for known in range(1, 7):
        made = analyse_outlines(_outlines("hhhCCC")[:known], whole=False).chunks
        assert not made
    assert len(analyse_outlines(_outlines("HHHH"), whole=False).chunks) == 3

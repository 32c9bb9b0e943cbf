"""Separators, class lists and covering letters belong to nobody; essays are none of these."""

from __future__ import annotations

import pytest

from pipeline.extraction.page_roles import PageRole, role_of
from pipeline.mupdf.page_data import PageMark
from pipeline.pages.page_model import Source
from tests.support.reading.paper import Set, page

LIST = [
    "Class list - Room 12 - Juniper School",
    "Teacher: Ms. Oakes  Grade 4",
    "1. Abigail Thornbury",
    "2. Marcus Ibekwe x",
    "3. Lucinda Prairie",
    "4. Owen Castellano x",
    "5. Yara Haddad",
]
HEADED = ["Juniper School, Room 9", "Student Name     Grade   Essay", *(line[3:] + "  4" for line in LIST[2:])]
NUMBERED = [f"{number}. {line[3:]}" for number, line in enumerate([*LIST[2:], *LIST[2:]], start=1)]
SHORT = ["Essays of our reading club", "No. Child Grade", "1 Odalys Brenner 5", "2 Theo Castellan 2"]
LETTER = [
    "Dear judges of the contest,",
    "enclosed are eleven essays of my class.",
    "With kind regards,",
    "W. Oakes",
]
DAD = ["Dear Dad,", "I love how you attach my wheels and wait.", "You are kind to all of us and to the dog too."]
POEM = ["My Dad", "1. He Works", "at the mill every day.", "2. He Sings", "when he thinks that nobody hears."]
BODY = ["He works at the mill every day of the week.", "On Sundays he takes me out to fish in the lake."]


def _set(lines: list[str], size: float = 10) -> list[Set]:
    return [(72, 80 + 22 * place, line, size) for place, line in enumerate(lines)]


@pytest.mark.parametrize(
    "lines",
    [
        ["PATCH T", "separator - start of a new document"],
        ["Patch Code 2"],
        ["PATCH"],
        ["Document separator", "Do not remove"],
        ["*ASN-004711*"],
        ["Hoja separadora"],
        ["End of this batch"],
        ["*** BATCH ENDS ***", "14 pages"],
        ["Fin del lote"],
        LIST,
        HEADED,
        NUMBERED,
        SHORT,
        SHORT[1:],
        LETTER,
    ],
)
@pytest.mark.parametrize("source", [Source.TEXT_LAYER, Source.OCR])
def test_such_a_sheet_belongs_to_nobody(lines: list[str], source: Source) -> None:
    assert role_of(page(1, _set(lines), source=source)).role is PageRole.COVER_SHEET


@pytest.mark.parametrize(
    "lines",
    [
        ["Marisol Vega", "Juniper School", "Grade 4", *BODY],
        DAD,
        POEM,
        BODY,
        ["THE END"],
        ["My dad put a patch on my knee."],
        ["MY DAD IS 40"],
        ["Dear Sir,", *BODY],
        [*LETTER, *(BODY * 10)],
        [*BODY, "The separator in his workshop makes a terrible noise."],
        ["Marisol Vega", "Grade 4"],
        [*SHORT, *BODY],
        ["Student: Marisol Vega  Grade: 4", "1. My Father", "2. Our House"],
    ],
)
def test_what_an_entrant_writes_is_no_such_sheet(lines: list[str]) -> None:
    assert role_of(page(1, _set(lines))).role is not PageRole.COVER_SHEET


def test_a_short_letter_that_carries_files_need_not_greet_the_office() -> None:
    content = page(1, _set(["From: W. Oakes", "Subject: Contest", "Attachments: entry.pdf"]))
    content.mark = PageMark.CARRIES
    assert role_of(content).role is PageRole.COVER_SHEET

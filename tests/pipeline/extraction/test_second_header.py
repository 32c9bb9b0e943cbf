"""A second child below the first one's essay, on a sheet without a form."""

from __future__ import annotations

from core.config import Settings
from core.confined.mupdf import pymupdf
from pipeline.extraction.page_roles import has_second_header, roles_of
from pipeline.recognition.page_contents import read_pages

SETTINGS = Settings(_env_file=None)
PROSE = [
    "My father drives a bus through the whole town and knows every stop by heart.",
    "When I was six he taught me how to swim in the lake behind our old house.",
    "He laughs at his own jokes and he is the best cook of our whole street.",
    "I want to be as patient as he is when I am grown up and have a family.",
]
FIRST = ["Name: Marisol Vega", "School: Juniper School", "Grade: 4"]
OTHER = ["Student Name: Theo Okafor", "School: Lantern Hill Elementary School", "Grade: Sixth"]


def _second(*blocks: list[str], gap: float = 60) -> bool:
    with pymupdf.open() as document:
        page, y = document.new_page(width=612, height=792), 60.0
        for number, block in enumerate(blocks):
            y += gap if number == 2 else 14
            for line in block:
                page.insert_text((72, y), line, fontsize=11, fontname="helv")
                y += 14
        data = bytes(document.tobytes())
    (roled,) = roles_of(read_pages(data, SETTINGS, None))
    return has_second_header(roled)


def test_another_child_below_the_essay_is_seen() -> None:
    assert _second(FIRST, PROSE, OTHER, PROSE)


def test_an_essay_that_is_signed_or_goes_on_is_one() -> None:
    assert not _second(FIRST, PROSE)
    assert not _second(FIRST, PROSE, FIRST)
    assert not _second(FIRST, PROSE, PROSE)
    assert not _second(FIRST, PROSE, ["Theo Okafor is my best friend and he says so too."])


def test_a_header_at_the_foot_of_its_essay_is_no_second_one() -> None:
    assert not _second([], PROSE, FIRST)
    assert _second([], PROSE, [*FIRST, *PROSE])


def test_what_follows_without_a_gap_is_of_the_essay() -> None:
    assert not _second(FIRST, PROSE, OTHER, PROSE, gap=14)

"""Where entries begin and end, from the roles of pages alone."""

from __future__ import annotations

from typing import cast

import pytest

from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.page_roles import PageRole, RoledPage
from pipeline.pages.page_model import PageContent, Source
from pipeline.profiles import all_profiles
from pipeline.schema import FieldReading
from pipeline.splitting.segment import split


def sheet(number: int, role: PageRole, name: str | None, words: int = 0) -> RoledPage:
    profiles = all_profiles()
    profile = profiles["ifi_2025_essay_page" if role is PageRole.ESSAY_PAGE else "ifi_2025"]
    reading = (
        FieldReading(value=name, confidence=0.9, source=Source.OCR, evidence=[], method="zone") if name else None
    )
    page = PageContent(number, 612, 792, source=Source.OCR)
    return RoledPage(page, cast(PageReading, None), role, profile, reading, 1, words)


def header(number: int, name: str | None) -> RoledPage:
    return sheet(number, PageRole.HEADER, name)


def essay(number: int, name: str | None) -> RoledPage:
    return sheet(number, PageRole.ESSAY_PAGE, name, 90)


def pages_of(*pages: RoledPage) -> list[list[int]]:
    return [[p.page.number for p in group.pages] for group in split(pages)]


@pytest.mark.parametrize(
    ("stack", "entries"),
    [
        (
            [header(1, "Ana Vega"), essay(2, "Ana Vega"), header(3, "Leo Ortiz"), essay(4, "Leo Ortiz")],
            [[1, 2], [3, 4]],
        ),
        (
            [essay(1, "Ana Vega"), header(2, "Ana Vega"), essay(3, "Leo Ortiz"), header(4, "Leo Ortiz")],
            [[1, 2], [3, 4]],
        ),
        ([essay(1, "Ana Vega"), header(2, None), header(3, "Leo Ortiz"), essay(4, None)], [[1, 2], [3, 4]]),
        ([essay(1, "Ana Vega"), header(2, "Leo Ortiz"), essay(3, "Leo Ortiz")], [[1], [2, 3]]),
        ([essay(1, "Ana Vega"), essay(2, "Leo Ortiz"), header(3, "Leo Ortiz")], [[1], [2, 3]]),
    ],
    ids=["in order", "the other way round", "both orders", "a header lost", "an essay alone"],
)
def test_sheets_of_a_pair_find_each_other(stack: list[RoledPage], entries: list[list[int]]) -> None:
    assert pages_of(*stack) == entries

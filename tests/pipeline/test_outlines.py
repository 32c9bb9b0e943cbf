"""Outlines of pages: ranges join to what one reading of the whole file gives, and no entry is found too early."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.pages.page_model import PageContent
from pipeline.splitting.document_analysis import analyse_outlines
from pipeline.splitting.outlines import RangeOutlines, join_outlines, outline_range, outlines_of
from tests.support.reading.paper import FORM_2026, HEADER, RULES, Set, essay, page


def header(number: int, name: str) -> PageContent:
    named: list[Set] = [(203, 116, name), *HEADER[1:]]
    return page(number, [*FORM_2026, *named])


#: Forms with rules on the backs that run over to another page, sheets with the essay behind them, blank sheets.
PAGES = [
    header(1, "Marisol Vega"),
    page(2, essay(60, 20)),
    page(3, RULES[:6]),
    page(4, RULES[6:]),
    page(5, ink=0.0),
    header(6, "Daniel Ortiz"),
    page(7, ink=0.0),
    page(8, essay(60, 20)),
    page(9, [*FORM_2026, *HEADER, *essay()]),
    page(10, RULES),
]


@pytest.mark.parametrize("cut", range(1, len(PAGES)))
def test_ranges_join_to_the_whole(cut: int) -> None:
    ranges = [outline_range(PAGES[:cut]), outline_range(PAGES[cut:])]
    stored = [RangeOutlines.model_validate(found.model_dump(mode="json")) for found in ranges]
    assert join_outlines(stored) == outlines_of(PAGES)


def test_single_pages_join_to_the_whole() -> None:
    assert join_outlines([outline_range([found]) for found in PAGES]) == outlines_of(PAGES)


@pytest.mark.parametrize("cut", range(len(PAGES)))
def test_later_pages_change_no_entry_that_was_found(cut: int) -> None:
    whole = analyse_outlines(outlines_of(PAGES)).chunks
    early = analyse_outlines(outlines_of(PAGES[:cut]), whole=False).chunks
    assert early == whole[: len(early)]
    assert len(whole) == 3


def test_blank_forms_are_one_entry_however_many_there_are() -> None:
    blank = outlines_of([page(1, FORM_2026), page(2, FORM_2026), page(3, FORM_2026)])
    assert analyse_outlines(blank[:2], whole=False).chunks == []
    assert len(analyse_outlines(blank).chunks) == 1


def test_how_a_page_was_turned_to_be_read_is_told() -> None:
    page = replace(PAGES[0], turned=270)
    assert [outline.turned for outline in outlines_of([page, PAGES[1]])] == [270, 0]

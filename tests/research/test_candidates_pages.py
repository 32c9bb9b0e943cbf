"""Pages that list several things in lists, tables, headings and prose, in two languages and many fields."""

from __future__ import annotations

import pytest

from research.markdown_text import without_marks
from tests.research.candidate_pages import Page, pages, score

LISTING = [*pages("seen"), *pages("aside")]
#: Without any item: advice, people, places, steps.
TRAPS = pages("trap")


@pytest.mark.parametrize("page", LISTING, ids=lambda page: page.name)
def test_items_have_no_cost_but_their_own_and_nothing_else_is_an_item(page: Page) -> None:
    scored = score(page)
    assert (scored.false, scored.wrong_costs) == ([], [])


@pytest.mark.parametrize("page", TRAPS, ids=lambda page: page.name)
def test_pages_without_items_have_none(page: Page) -> None:
    assert [candidate.name for candidate in page.candidates()] == []


@pytest.mark.parametrize("page", LISTING, ids=lambda page: page.name)
def test_what_is_told_stands_in_the_page_and_reads_without_the_marks_of_lists(page: Page) -> None:
    told = [value for one in page.candidates() for values in one.values.values() for value in values]
    assert told or not page.candidates()
    for value in told:
        assert value.verified
        assert value.quote in page.source.text
        assert not value.quote.startswith(("- ", "* ", "• ", "#"))
        assert value.value == without_marks(value.value)


def test_most_items_are_found() -> None:
    missed = sum(len(score(page).missed) for page in LISTING)
    assert missed <= 0.2 * sum(len(page.items) for page in LISTING)


def test_of_nearly_every_page_something_is_told() -> None:
    assert sum(not page.candidates() for page in LISTING) <= 1

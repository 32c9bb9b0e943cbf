"""Pages that list several things in lists, tables, headings and prose, in two languages and many fields."""

from __future__ import annotations

import pytest

from research.markdown_text import without_marks
from tests.research.candidate_pages import Page, Score, pages, score

SEEN = pages("seen")
ASIDE = pages("aside")
#: Without any item: advice, people, places, steps.
TRAPS = pages("trap")


@pytest.mark.parametrize("page", SEEN, ids=lambda page: page.name)
def test_items_with_their_costs_and_nothing_else(page: Page) -> None:
    assert score(page) == Score(missed=[], false=[], wrong_costs=[])


@pytest.mark.parametrize("page", TRAPS, ids=lambda page: page.name)
def test_pages_without_items_have_none(page: Page) -> None:
    assert [candidate.name for candidate in page.candidates()] == []


@pytest.mark.parametrize("page", SEEN, ids=lambda page: page.name)
def test_what_is_told_stands_in_the_page_and_reads_without_the_marks_of_lists(page: Page) -> None:
    told = [value for one in page.candidates() for values in one.values.values() for value in values]
    assert told
    for value in told:
        assert value.verified
        assert value.quote in page.source.text
        assert not value.quote.startswith(("- ", "* ", "• ", "| ", "#"))
        assert value.value == without_marks(value.value)


def test_pages_set_aside() -> None:
    scores = [score(page) for page in ASIDE]
    items = sum(len(page.items) for page in ASIDE)
    assert sum(len(one.missed) for one in scores) <= 0.4 * items
    assert [name for one in scores for name in one.false] == []
    assert [name for one in scores for name in one.wrong_costs] == []

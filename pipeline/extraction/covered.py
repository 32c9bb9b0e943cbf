"""Whether words that something was painted over may have been of a value."""

from __future__ import annotations

from itertools import pairwise

from pipeline.extraction.values.text import plain, squeezed
from pipeline.pages.page_model import PageContent
from pipeline.profiles import all_profiles
from pipeline.profiles.generation import by_generation

#: A number of so few digits may be a grade, unless the form prints it after the same word ("March 19").
_GRADE_DIGITS = 2


def covers_values(page: PageContent) -> bool:
    """Whether covered words of a page are others than forms print: an office may paint over last year's date."""
    words = ["", *(squeezed(word.text) for word in page.covered)]
    return any(not _is_printed(before, word) for before, word in pairwise(words))


def _is_printed(before: str, word: str) -> bool:
    if word.isdigit() and len(word) <= _GRADE_DIGITS:
        return bool(before) and (before, word) in _printed_pairs()
    return not word or word in _printed_words()


@by_generation
def _printed_pairs() -> frozenset[tuple[str, str]]:
    """Return each word that a form prints, with the one before it."""
    texts = (text for profile in all_profiles().values() for printed in profile.printed for text in printed.texts)
    lines = (["", *map(squeezed, plain(text).replace("/", " ").split())] for text in texts)
    return frozenset(pair for line in lines for pair in pairwise(line))


@by_generation
def _printed_words() -> frozenset[str]:
    return frozenset(word for _, word in _printed_pairs())

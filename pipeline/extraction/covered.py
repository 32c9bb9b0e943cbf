"""Whether words that something was painted over may have been of a value."""

from __future__ import annotations

from pipeline.extraction.values.text import plain, squeezed
from pipeline.pages.page_model import PageContent
from pipeline.profiles import all_profiles
from pipeline.profiles.generation import by_generation

#: A number of so few digits may be a grade, whatever numbers a form prints.
_GRADE_DIGITS = 2


def covers_values(page: PageContent) -> bool:
    """Whether covered words of a page are others than forms print: an office may paint over last year's date."""
    return any(not _is_printed(squeezed(word.text)) for word in page.covered)


def _is_printed(word: str) -> bool:
    return word in _printed_words() and not (word.isdigit() and len(word) <= _GRADE_DIGITS)


@by_generation
def _printed_words() -> frozenset[str]:
    texts = (text for profile in all_profiles().values() for printed in profile.printed for text in printed.texts)
    return frozenset(squeezed(word) for text in texts for word in plain(text).replace("/", " ").split()) | {""}

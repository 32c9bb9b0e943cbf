"""Set letters on pages: each begins a new one."""

from __future__ import annotations

from collections.abc import Sequence

from core.confined.children import confined
from pipeline.mupdf.typeset import typeset

#: Pages that one letter may have.
_MOST_PAGES = 20


@confined
def letter_pages(letters: Sequence[str]) -> bytes:
    """Return HTML texts as one PDF. Raises TooManyPagesError."""
    return typeset(letters, {}, _MOST_PAGES)

"""Show words of a source as a reader of the report should see them."""

from __future__ import annotations

import re

from research.markdown_text import without_marks
from research.markdown_text.printable import clean
from research.text.languages import is_word

_SOFT_HYPHEN = re.compile(r"\b(\w++)[-\u00ad‐][^\S\n]*+\n\s*+(\w++)")
#: A source's own reference numbers, which would look like the report's.
_OWN_NUMBERS = re.compile(r"(?>(?:(?<!\s)\s++)?)\[\s*+\d{1,3}(?>(?:\s*+[,;–-]\s*+\d{1,3})*)\s*+\]")
#: Marks of bold or italic letters whose partner stands in another sentence.
_STRAY = re.compile(r"\*{2,}|(?:^|(?<=\s))\*(?=\s|$)")


def shown(quote: str) -> str:
    """Return a quotation on one line, without marks of Markdown and reference numbers, divided words rejoined."""
    joined = " ".join(_SOFT_HYPHEN.sub(_rejoined, clean(quote)).split())
    return " ".join(_STRAY.sub("", without_marks(_OWN_NUMBERS.sub("", joined))).split())


def _rejoined(found: re.Match[str]) -> str:
    """Rejoin a word divided at a line's end; the hyphen stays if only the parts are words."""
    parts = (
        is_word(found[1].lower()) and is_word(found[2].lower()) and not is_word(f"{found[1]}{found[2]}".lower())
    )
    return f"{found[1]}-{found[2]}" if parts or found[2][:1].isupper() else found[1] + found[2]

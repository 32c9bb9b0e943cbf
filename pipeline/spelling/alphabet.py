"""Letters as they are compared: small, without accents."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=4096)
def folded(char: str) -> str:
    """The printable ASCII character it is compared as, "" where there is none."""
    if char in "’‘´`":
        return "'"
    bare = "".join(c for c in unicodedata.normalize("NFKD", char.lower()) if not unicodedata.combining(c))
    return bare if len(bare) == 1 and " " <= bare <= "~" else ""


def fold(text: str) -> str:
    """The text in characters as they are compared."""
    return "".join(folded(c) for c in text)


def letters(text: str) -> str:
    """Only its letters a-z."""
    return "".join(c for c in fold(text) if c in LETTERS)

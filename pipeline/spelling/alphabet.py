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


#: What `folded` says of each ASCII character: words are mostly ASCII, and lists of them are long.
_ASCII = {code: folded(chr(code)) for code in range(128)}
_NO_LETTERS = {code: None for code in range(128) if chr(code) not in LETTERS}


def fold(text: str) -> str:
    """The text in characters as they are compared."""
    return text.translate(_ASCII) if text.isascii() else "".join(folded(c) for c in text)


def letters(text: str) -> str:
    """Only its letters a-z."""
    return fold(text).translate(_NO_LETTERS)

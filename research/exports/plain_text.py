"""Text of unknown origin made fit to stand in any format."""

from __future__ import annotations

import re
import unicodedata

#: Invisible characters that turn the direction of writing and can make a text read as another.
_DIRECTION = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
#: What would read as a reference number of the document's own.
_FOREIGN_NUMBER = re.compile(r"\[(\s*\d{1,4}(?:\s*[,;–—-]\s*\d{1,4})*\s*)\]")


def clean(text: str) -> str:
    """Without what XML, PDF and a terminal cannot hold; tabs and line ends stay."""
    kept = (char for char in text.translate(_DIRECTION) if char in "\n\t" or _printable(char))
    return "".join(kept)


def without_numbers(text: str) -> str:
    """Bracketed numbers of a source's own as parentheses: `[n]` always means a reference of the document."""
    return _FOREIGN_NUMBER.sub(r"(\1)", clean(text))


def one_line(text: str) -> str:
    """Cleaned, with white space folded: for titles, headings and cells."""
    return " ".join(without_numbers(text).split())


def _printable(char: str) -> bool:
    return unicodedata.category(char) not in {"Cc", "Cs"} and ord(char) & 0xFFFE != 0xFFFE

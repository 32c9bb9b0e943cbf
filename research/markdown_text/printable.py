"""Clean text of unknown origin for use in any export format."""

from __future__ import annotations

import re
import unicodedata

#: Invisible characters that change the writing direction and can disguise a text.
_DIRECTION = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
#: Bracketed numbers that would look like the document's own reference numbers.
_FOREIGN_NUMBER = re.compile(r"\[(\s*\d{1,4}(?:\s*[,;–—-]\s*\d{1,4})*\s*)\]")


def clean(text: str) -> str:
    """Remove characters that XML, PDF or a terminal cannot represent; tabs and line feeds are kept."""
    kept = (char for char in text.translate(_DIRECTION) if char in "\n\t" or _printable(char))
    return "".join(kept)


def without_numbers(text: str) -> str:
    """Put a source's bracketed numbers in parentheses, since `[n]` denotes a reference of the document."""
    return _FOREIGN_NUMBER.sub(r"(\1)", clean(text))


def one_line(text: str) -> str:
    """Return the cleaned text on one line, for titles, headings and cells."""
    return " ".join(without_numbers(text).split())


def _printable(char: str) -> bool:
    return unicodedata.category(char) not in {"Cc", "Cs"} and ord(char) & 0xFFFE != 0xFFFE

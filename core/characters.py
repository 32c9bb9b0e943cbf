"""Characters that no stored text has: PostgreSQL refuses NUL, UTF-8 has no lone surrogates."""

from __future__ import annotations

import re

#: What ends a line beside the line feed: carriage returns, vertical tabs (Word's and Acrobat's soft return), form
#: feeds, next line, Unicode's separators of lines and paragraphs.
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
#: Control characters, halves of surrogate pairs and noncharacters of the basic plane.
_REFUSED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def storable(text: str) -> str:
    """Return a text without control characters, lone surrogates and noncharacters; lines end with a line feed."""
    if text.isprintable():
        return text
    return _REFUSED.sub("", _LINE_ENDS.sub("\n", text))


def escaped(text: str) -> str:
    """Return a text on one line in which characters that do not print, or that steer a terminal, are escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)

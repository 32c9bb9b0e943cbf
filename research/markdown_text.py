"""Plain text put into Markdown so that it reads as it is."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
#: What would begin a heading, list, rule or quotation at a line's start.
_LINE_START = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+=](?=\s|$|[-=])|\d{1,9}(?=[.)](?:\s|$)))", re.MULTILINE)


def as_markdown(text: str) -> str:
    """Escaped: no character of it is markup, and in a table's cell it stays one cell."""
    escaped = _ENTITY.sub("&amp;", _SPECIAL.sub(r"\\\1", text))
    return _LINE_START.sub(_inert, escaped)


def in_cell(text: str) -> str:
    """Escaped and on one line."""
    return as_markdown(" ".join(text.split()))


def _inert(found: re.Match[str]) -> str:
    mark = found[2]
    # A digit cannot be escaped; the full stop behind it can.
    return f"{found[1]}{mark}\\" if mark.isdigit() else f"{found[1]}\\{mark}"

"""Escape plain text as Markdown, and remove the marks of Markdown that a source has."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
#: Markdown syntax in a source: list marks, emphasis, links.
_LIST_MARK = re.compile(r"^\s*(?:[-*+\u2022\u00b7\u25aa\u2013]|\d{1,2}[.)])\s+")
_STRESS = re.compile(r"(\*\*|__|`|(?<![\w*])\*(?=\S)|(?<![\w_])_(?=\S))(\S(?:[^\n]{0,500}?\S)?)\1(?!\w)")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\((?:[^()\s]|\([^()\s]*\))+\)")
_ENTITY = re.compile(r"&(?=#?\w+;)")
#: Characters that at a line's start begin a heading, list, rule or quotation.
_LINE_START = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+=](?=\s|$|[-=])|\d{1,9}(?=[.)](?:\s|$)))", re.MULTILINE)


def as_markdown(text: str) -> str:
    """Escape text so that no character is markup, also within a table cell."""
    escaped = _ENTITY.sub("&amp;", _SPECIAL.sub(r"\\\1", text))
    return _LINE_START.sub(_inert, escaped)


def without_marks(text: str) -> str:
    """Return the text of a source's Markdown without marks of lists, emphasis and links."""
    return _STRESS.sub(r"\2", _LINK.sub(r"\1", _LIST_MARK.sub("", text)))


def in_cell(text: str) -> str:
    """Return the text escaped and on one line."""
    return as_markdown(" ".join(text.split()))


def _inert(found: re.Match[str]) -> str:
    mark = found[2]
    # A digit cannot be escaped, but the full stop after it can.
    return f"{found[1]}{mark}\\" if mark.isdigit() else f"{found[1]}\\{mark}"

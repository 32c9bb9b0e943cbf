"""Clean text of unknown origin for use in any format, escape it as Markdown, and remove the marks of Markdown."""

from __future__ import annotations

import re

#: Controls but tab and line feed, surrogates, the invisible characters that change the writing direction and can
#: disguise a text, and the two at the end of each plane that are no characters.
_UNWANTED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069"
    + "".join(map(chr, (plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF))))
    + "]"
)
#: Bracketed numbers that would look like the document's own reference numbers.
_FOREIGN_NUMBER = re.compile(r"\[(\s*\d{1,4}(?:\s*[,;–—-]\s*\d{1,4})*\s*)\]")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
#: Markdown syntax in a source: list marks, emphasis, links.
_LIST_MARK = re.compile(r"^\s*(?:[-*+\u2022\u00b7\u25aa\u2013]|\d{1,2}[.)])\s+")
_STRESS = re.compile(r"(\*\*|__|`|(?<![\w*])\*(?=\S)|(?<![\w_])_(?=\S))(\S(?:[^\n]{0,500}?\S)?)\1(?!\w)")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\((?:[^()\s]|\([^()\s]*\))+\)")
_ENTITY = re.compile(r"&(?=#?\w+;)")
#: What at a line's start begins a heading, list, rule or quotation; of a number, its full stop is escaped.
_LINE_START = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+=](?=\s|$|[-=]))|^(\s*\d{1,9})([.)])(?=\s|$)", re.MULTILINE)


def clean(text: str) -> str:
    """Remove characters that XML, PDF or a terminal cannot represent; tabs and line feeds are kept."""
    return _UNWANTED.sub("", text)


def without_numbers(text: str) -> str:
    """Put a source's bracketed numbers in parentheses, since `[n]` denotes a reference of the document."""
    return _FOREIGN_NUMBER.sub(r"(\1)", clean(text))


def one_line(text: str) -> str:
    """Return the cleaned text on one line, for titles, headings and cells."""
    return " ".join(without_numbers(text).split())


def as_markdown(text: str) -> str:
    """Escape text so that no character is markup, also within a table cell."""
    return _LINE_START.sub(r"\1\3\\\2\4", _ENTITY.sub("&amp;", _SPECIAL.sub(r"\\\1", text)))


def without_marks(text: str) -> str:
    """Return the text of a source's Markdown without marks of lists, emphasis and links."""
    return _STRESS.sub(r"\2", _LINK.sub(r"\1", _LIST_MARK.sub("", text)))


def in_cell(text: str) -> str:
    """Return the text escaped and on one line."""
    return as_markdown(" ".join(text.split()))

"""Parse Markdown by markdown-it: the bodies of documents, and foreign Markdown as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from urllib.parse import quote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from research.document import MARKER
from research.markdown_text.printable import clean

_MARKER = re.compile(MARKER)
#: Markup not allowed in a body: headings belong to the document, and images would be fetched from other hosts.
_OFF = ["image", "heading", "lheading", "reference", "html_block", "html_inline"]
_SCHEMES = frozenset({"http", "https"})
#: Longest heading or entry in characters; a line of a million brackets takes minutes to parse.
_LONGEST_INLINE = 5_000
_BREAKS = {"softbreak": " ", "hardbreak": "\n"}


def safe_url(url: str | None) -> str | None:
    """Return the URL quoted for a link, or None if it is not an absolute http(s) URL."""
    folded = "".join((url or "").split())
    try:
        parts = urlsplit(folded)
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or not parts.hostname or any(ord(char) < 32 for char in folded):
        return None
    return quote(folded, safe="%/:=&?~#+!$,;'@()*[]-._")


def blocks_of(body: str) -> list[Token]:
    """Return the block tokens of a body; a marker is an inline token "marker" with meta `key` and `claim`."""
    return body_parser().parse(clean(body))


def headings_of(text: str) -> list[tuple[int, int, int, str]]:
    """Return first line, line after, level and Markdown of each heading outside of lists, quotations and code.

    A heading of several lines counts as text: its underline was meant as a rule.
    """
    return [
        (token.map[0], token.map[1], int(token.tag[1:]), inline.content)
        for token, inline in pairwise(_parser("inline", "html_block").parse(text))
        if token.type == "heading_open" and token.level == 0 and token.map
        if inline.content and "\n" not in inline.content
    ]


def paragraphs_of(markdown: str) -> list[str]:
    """Return headings, paragraphs, list items, code blocks and table rows as plain text, in order.

    Syntax, URLs and images are dropped, so that quotations match the rendered text.
    """
    found: list[str] = []
    row: list[str] | None = None
    for token in _parser().parse(markdown):
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            found.append(" | ".join(row or []))
            row = None
        elif token.type in ("fence", "code_block"):
            found.append(token.content)
        elif token.type == "inline":
            (found if row is None else row).append(text_of(token.children or ()))
    return [text for text in found if text.strip(" |\n")]


def inline_text(markdown: str) -> str:
    """Return inline Markdown as plain text; HTML stays as it is written, and so does a text that is too long."""
    if len(markdown) > _LONGEST_INLINE:
        return markdown.strip()
    [inline] = _parser("html_inline").parseInline(markdown)
    return text_of(inline.children or ()).strip()


def text_of(tokens: Iterable[Token]) -> str:
    """Return the text of inline tokens."""
    shown = ("text", "code_inline")
    return "".join(token.content if token.type in shown else _BREAKS.get(token.type, "") for token in tokens)


@cache
def _parser(*off: str) -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").disable(list(off))


@cache
def body_parser() -> MarkdownIt:
    """Return the parser of documents' bodies."""
    parser = MarkdownIt("commonmark").enable("table").disable(_OFF)
    parser.validateLink = lambda url: safe_url(url) is not None  # type: ignore[method-assign]
    parser.inline.ruler.before("link", "marker", _marker)
    return parser


def _marker(state: StateInline, silent: bool) -> bool:
    found = _MARKER.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("marker", "", 0)
        token.meta = {"key": found["key"], "claim": found["claim"]}
        token.content = found[0]
    state.pos = found.end()
    return True

"""Parse a section's Markdown into tokens: without HTML, images and headings, and with marker tokens."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from research.document import MARKER
from research.exports.links import safe_url
from research.exports.plain_text import clean

_MARKER = re.compile(MARKER)
#: Markup not allowed in a body: headings belong to the document, and images would be fetched from other hosts.
_OFF = ["image", "heading", "lheading", "reference", "html_block", "html_inline"]


def blocks_of(body: str) -> list[Token]:
    """Return the block tokens of a body; a marker is an inline token "marker" with meta `key` and `claim`."""
    return _parser().parse(clean(body))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(_OFF)
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

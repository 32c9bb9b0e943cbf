"""Convert Markdown to plain text, without syntax, URLs and images, so that quotations match the rendered text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token


def paragraphs_of(markdown: str) -> list[str]:
    """Return headings, paragraphs, list items, code blocks and table rows as plain text, in order."""
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
            text = _plain(token.children or [])
            found.append(text) if row is None else row.append(text)
    return [text for text in found if text.strip(" |\n")]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def _plain(tokens: Sequence[Token]) -> str:
    parts = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type == "softbreak":
            parts.append(" ")
        elif token.type == "hardbreak":
            parts.append("\n")
    return "".join(parts)

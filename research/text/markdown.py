"""Markdown: escape plain text, and parse text, outline and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from research.document import MARKER

_MARKER = re.compile(MARKER)
#: Markup not allowed in a body: headings belong to the document, and images would be fetched from other hosts.
_OFF = ["image", "heading", "lheading", "reference", "html_block", "html_inline"]
_SCHEMES = frozenset({"http", "https"})
#: Longest heading or entry in characters; a line of a million brackets takes minutes to parse.
_LONGEST_INLINE = 5_000
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_BREAKS = {"softbreak": " ", "hardbreak": "\n"}


class MarkdownPart(NamedTuple):
    """A plain-text heading and the Markdown below it; level 0 for text before the first heading."""

    level: int
    heading: str
    body: str


class MarkdownOutline(NamedTuple):
    """A Markdown text split into parts."""

    #: "" if there is none.
    title: str
    #: In text order; the highest level is 1.
    parts: list[MarkdownPart]
    #: See `front_matter`.
    front: str
    #: Whether the title is a heading of the text.
    titled: bool


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


def markdown_blocks(body: str) -> list[Token]:
    """Return the block tokens of a body; a marker is an inline token "marker" with meta `key` and `claim`."""
    return body_parser().parse(clean_text(body))


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
            (found if row is None else row).append(tokens_text(token.children or ()))
    return [text for text in found if text.strip(" |\n")]


def inline_text(markdown: str) -> str:
    """Return inline Markdown as plain text; HTML, and a text that is too long, stay unchanged."""
    if len(markdown) > _LONGEST_INLINE:
        return markdown.strip()
    [inline] = _parser("html_inline").parseInline(markdown)
    return tokens_text(inline.children or ()).strip()


def tokens_text(tokens: Iterable[Token]) -> str:
    """Return the text of inline tokens."""
    shown = ("text", "code_inline")
    return "".join(token.content if token.type in shown else _BREAKS.get(token.type, "") for token in tokens)


def front_matter(text: str) -> str:
    """Return the YAML block at the start of a text, with delimiters and line endings; "" if there is none."""
    found = _FRONT_MATTER.match(text)
    return found[0] if found else ""


def title_in(front: str) -> str:
    """Return the title in a front matter; "" if there is none."""
    try:
        # BaseLoader keeps scalars as text.
        given = next(yaml.load_all(front, yaml.BaseLoader), None)  # nosec B506 - builds text, lists and dicts only
    except (yaml.YAMLError, RecursionError):
        return ""
    title = given.get("title") if isinstance(given, dict) else None
    return " ".join(title.split()) if isinstance(title, str) else ""


def markdown_outline(text: str) -> MarkdownOutline:
    """Return title, front matter and parts of a text."""
    text = text.removeprefix("\ufeff")
    front = front_matter(text)
    title = title_in(front)
    text = text[len(front) :].replace("\r\n", "\n").replace("\r", "\n")
    parts = [part for part in _parts(text) if part.heading or part.body]
    headed, below = _with_title(parts)
    # If the first heading repeats the title of the front matter, it is the title and not a section.
    titled = bool(headed) and (not title or " ".join(headed.split()).casefold() == title.casefold())
    if titled:
        title, parts = headed, below
    highest = min((part.level for part in parts if part.heading), default=1)
    levelled = [part._replace(level=max(1, part.level - highest + 1)) for part in parts]
    return MarkdownOutline(title, levelled, front, titled)


def _with_title(parts: list[MarkdownPart]) -> tuple[str, list[MarkdownPart]]:
    """Take the title from a single top-level heading that comes first; its body becomes a part without heading."""
    tops = [part for part in parts if part.level == 1 and part.heading]
    if len(tops) != 1 or len(parts) < 2 or tops[0] is not next(part for part in parts if part.heading):
        return "", parts
    place = parts.index(tops[0])
    below = [MarkdownPart(1, "", tops[0].body)] if tops[0].body else []
    return tops[0].heading, [*parts[:place], *below, *parts[place + 1 :]]


def _parts(text: str) -> Iterator[MarkdownPart]:
    """Split at the headings outside of lists, quotations and code.

    A heading of several lines counts as text: its underline was meant as a rule.
    """
    lines = text.split("\n")
    level, heading, at = 0, "", 0
    for token, inline in pairwise(_parser("inline", "html_block").parse(text)):
        is_heading = token.type == "heading_open" and token.level == 0 and "\n" not in inline.content
        if is_heading and inline.content and token.map:
            yield MarkdownPart(level, heading, "\n".join(lines[at : token.map[0]]).strip("\n").rstrip())
            level, heading, at = int(token.tag[1:]), inline_text(inline.content), token.map[1]
    yield MarkdownPart(level, heading, "\n".join(lines[at:]).strip("\n").rstrip())


@cache
def _parser(*off: str) -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").disable(list(off))


@cache
def body_parser() -> MarkdownIt:
    """Return the parser of documents' bodies."""
    parser = MarkdownIt("commonmark").enable("table").disable(_OFF)
    parser.validateLink = lambda url: safe_url(url) is not None  # type: ignore[method-assign]
    parser.inline.ruler.before("link", "marker", _marker)
    parser.core.ruler.at("inline", _in_pieces)
    return parser


def _in_pieces(state: StateCore) -> None:
    """Parse the text of each block, a long one in pieces, because the time grows faster than the length."""
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            for piece in text_pieces(token.content, _LONGEST_INLINE):
                children: list[Token] = []
                state.md.inline.parse(piece, state.md, state.env, children)
                token.children += children


def text_pieces(text: str, longest: int) -> Iterator[str]:
    """Yield the text in pieces of at most `longest` characters, cut after a space if one is near the end."""
    start = 0
    while len(text) - start > longest:
        space = text.rfind(" ", start + longest // 2, start + longest)
        end = start + longest if space < 0 else space + 1
        yield text[start:end]
        start = end
    yield text[start:]


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


# Clean text of unknown origin for any format, escape it as Markdown, and remove Markdown syntax.


#: Controls except tab and line feed, surrogates, invisible characters that change the writing direction and can
#: disguise a text, and the two noncharacters at the end of each plane.
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
#: Text at the start of a line that begins a heading, list, rule or quotation; of a number, the full stop is
#: escaped.
_LINE_START = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+=](?=\s|$|[-=]))|^(\s*\d{1,9})([.)])(?=\s|$)", re.MULTILINE)


def clean_text(text: str) -> str:
    """Remove characters that XML, PDF or a terminal cannot represent; tabs and line feeds are kept."""
    return _UNWANTED.sub("", text)


def without_numbers(text: str) -> str:
    """Put a source's bracketed numbers in parentheses, because `[n]` is a reference of the document."""
    return _FOREIGN_NUMBER.sub(r"(\1)", clean_text(text))


def clean_line(text: str) -> str:
    """Return the cleaned text on one line, for titles, headings and cells."""
    return " ".join(without_numbers(text).split())


def as_markdown(text: str) -> str:
    """Escape text so that no character is markup, also within a table cell."""
    return _LINE_START.sub(r"\1\3\\\2\4", _ENTITY.sub("&amp;", _SPECIAL.sub(r"\\\1", text)))


def without_marks(text: str) -> str:
    """Return the text of a source's Markdown without lists, emphasis and links."""
    return _STRESS.sub(r"\2", _LINK.sub(r"\1", _LIST_MARK.sub("", text)))


def in_cell(text: str) -> str:
    """Return the text escaped and on one line."""
    return as_markdown(" ".join(text.split()))

"""A document's text as headings and paragraphs, independent of its format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

#: Invisible characters, some of which PostgreSQL cannot store: NUL and other controls but tab and line ends.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, an item of a list or a row of a table."""

    text: str
    #: 1 to 6 for headings, None for other blocks.
    level: int | None = None
    page_no: int | None = None
    #: True for items and rows, which follow each other without an empty line.
    tight: bool = False
    #: True if the block's last sentence continues in the next block, across a page break.
    runs_on: bool = False


@dataclass(slots=True)
class Facts:
    """Metadata found in a document; empty or None where it has none."""

    title: str = ""
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    publisher: str | None = None
    url: str | None = None
    doi: str | None = None
    isbn: str | None = None
    language: str | None = None
    is_sample: bool = False


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text and metadata read from a document."""

    blocks: list[Block]
    facts: Facts
    page_count: int | None = None


def seen(text: str) -> str:
    """Return the text without invisible control characters, with line ends as "\\n"."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Return the text with each run of white space replaced by one space."""
    return " ".join(seen(text).split())


def full_text(blocks: list[Block]) -> Iterator[tuple[Block, str]]:
    """Yield each block with its part of the whole text, which includes the separator before the next block."""
    for block, after in zip_longest(blocks, blocks[1:]):
        if after is None:
            yield block, block.text
        elif block.runs_on:
            yield block, block.text + " "
        else:
            yield block, block.text + ("\n" if block.tight and after.tight else "\n\n")

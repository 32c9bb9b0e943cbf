"""A document's text as headings and paragraphs, whatever format they came in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

#: What PostgreSQL cannot store, and what no reader sees: NUL and other control signs but tab and line ends.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, an item of a list or a row of a table."""

    text: str
    #: 1 to 6 for headings, None for the rest.
    level: int | None = None
    page_no: int | None = None
    #: Items and rows follow each other without an empty line.
    tight: bool = False
    #: It goes on in the next block: a sentence that runs over to the next page.
    runs_on: bool = False


@dataclass(slots=True)
class Facts:
    """What a document says about itself; empty where it says nothing."""

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
    """A document as it was read."""

    blocks: list[Block]
    facts: Facts
    page_count: int | None = None


def seen(text: str) -> str:
    """The text without signs that nobody sees and no database takes, with plain line ends."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """White space folded to single blanks."""
    return " ".join(seen(text).split())


def full_text(blocks: list[Block]) -> Iterator[tuple[Block, str]]:
    """Each block with its text as it stands in the whole: what separates it from the next is part of it."""
    for block, after in zip_longest(blocks, blocks[1:]):
        if after is None:
            yield block, block.text
        elif block.runs_on:
            yield block, block.text + " "
        else:
            yield block, block.text + ("\n" if block.tight and after.tight else "\n\n")

"""What a drawn header is: lines of pieces of text, each with the role that it plays."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.extraction.labelling.labeller import Role


@dataclass(frozen=True)
class Piece:
    """A run of text with one role."""

    text: str
    role: Role


@dataclass(frozen=True)
class Header:
    """The first lines of a page, top first; a blank line has no pieces. A line's text is that of its pieces."""

    lines: list[list[Piece]]
    spanish: bool

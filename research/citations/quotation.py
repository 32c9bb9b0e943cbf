"""Split a quotation at its ellipses into parts, each separated from the punctuation around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from research.citations.folding import DROPPED, Folded, fold
from research.text.stems import stop_words

_ELLIPSIS = re.compile(r"[\[(]\s*(?:\u2026|\.\s*\.\s*\.)\s*[\])]|\u2026|\.\s*\.\s*\.(?:\s*\.)?")
_SIC = re.compile(r"(?>(?:(?<!\s)\s++)?)\[sic\.?\]", re.IGNORECASE)
_EDITORIAL_LETTER = re.compile(r"\[(?=\w\])")
_HEAD = re.compile(rf"^(?:(?!\.\d)[{DROPPED}.,;:!?()\u2026])+")
_TAIL = re.compile(rf"(?<![{DROPPED}.,;:!?()\u2026])[{DROPPED}.,;:!?()\u2026]++$")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a quotation without an omission."""

    #: The part with the punctuation around it.
    text: str
    #: The first and last word or number of the part are at `text[start:end]`.
    start: int
    end: int
    folded: Folded
    #: Places in `folded.original` where the case of a letter may differ from the source.
    free_case: frozenset[int]

    @property
    def core(self) -> str:
        """The part without the punctuation around it."""
        return self.folded.original

    @property
    def head(self) -> str:
        """The punctuation before the core."""
        return self.text[: self.start]

    @property
    def tail(self) -> str:
        """The punctuation after the core."""
        return self.text[self.end :]

    @property
    def words(self) -> int:
        """The number of words and numbers in the core."""
        return len(_WORD.findall(self.core))

    def says_something(self) -> bool:
        """Return whether the core has a word other than stop words."""
        words = {word.casefold() for word in _WORD.findall(self.core)}
        return bool(words - stop_words("en") - stop_words("es"))


def whole(quote: str, *, strict_case: bool = False) -> Part:
    """Return the quotation as one part; an ellipsis in it must occur in the source."""
    return _part(_SIC.sub("", quote).strip(), strict_case=strict_case)


def parts_of(quote: str) -> list[Part]:
    """Split a quotation at its ellipses, omitting parts without a letter or digit."""
    parts = [_part(piece.strip()) for piece in _ELLIPSIS.split(_SIC.sub("", quote))]
    return [part for part in parts if part.folded.letters]


def _part(text: str, *, strict_case: bool = False) -> Part:
    head = _HEAD.match(text)
    start = head.end() if head else 0
    core = _TAIL.sub("", text[start:])
    free = {match.end() - start for match in _EDITORIAL_LETTER.finditer(text)} | {0}
    return Part(text, start, start + len(core), fold(core), frozenset() if strict_case else frozenset(free))

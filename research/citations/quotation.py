"""A quotation taken apart: stretches between ellipses, each without the marks around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from research.citations.folding import DROPPED, Folded, fold
from research.text.stems import stop_words

_ELLIPSIS = re.compile(r"[\[(]\s*(?:\u2026|\.\s*\.\s*\.)\s*[\])]|\u2026|\.\s*\.\s*\.(?:\s*\.)?")
_SIC = re.compile(r"\s*\[sic\.?\]", re.IGNORECASE)
_EDITORIAL_LETTER = re.compile(r"\[(?=\w\])")
_HEAD = re.compile(rf"^(?:(?!\.\d)[{DROPPED}.,;:!?()\u2026])+")
_TAIL = re.compile(rf"[{DROPPED}.,;:!?()\u2026]+$")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a quotation without an omission."""

    #: As it was written.
    text: str
    #: Where in `text` its first and behind its last word or number are.
    start: int
    end: int
    folded: Folded
    #: Places in `folded.original` where a capital may stand for a small letter and the reverse.
    free_case: frozenset[int]

    @property
    def core(self) -> str:
        """Without the marks around it."""
        return self.folded.original

    @property
    def head(self) -> str:
        """The marks in front."""
        return self.text[: self.start]

    @property
    def tail(self) -> str:
        """The marks behind."""
        return self.text[self.end :]

    @property
    def words(self) -> int:
        """How many words and numbers it has."""
        return len(_WORD.findall(self.core))

    def says_something(self) -> bool:
        """Whether it has more than the small words of a language."""
        words = {word.casefold() for word in _WORD.findall(self.core)}
        return bool(words - stop_words("en") - stop_words("es"))


def whole(quote: str, *, strict_case: bool = False) -> Part:
    """The quotation as one part; an ellipsis in it is one of the source."""
    return _part(_SIC.sub("", quote).strip(), strict_case=strict_case)


def parts_of(quote: str) -> list[Part]:
    """The stretches between ellipses, those without a letter left out."""
    parts = [_part(piece.strip()) for piece in _ELLIPSIS.split(_SIC.sub("", quote))]
    return [part for part in parts if part.folded.letters]


def _part(text: str, *, strict_case: bool = False) -> Part:
    head = _HEAD.match(text)
    start = head.end() if head else 0
    core = _TAIL.sub("", text[start:])
    free = {match.end() - start for match in _EDITORIAL_LETTER.finditer(text)} | {0}
    return Part(text, start, start + len(core), fold(core), frozenset() if strict_case else frozenset(free))

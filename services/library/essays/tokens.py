"""The words of an essay, with their places and how they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.extraction.values.text import plain

#: A word; hyphens divide words, apostrophes do not.
WORD = re.compile(r"[^\W\d_]++(?>(?:['’][^\W\d_]++)*)")
_POSSESSIVE = re.compile(r"['’][sS]$")
_ENDS_SENTENCE = re.compile(r"[.!?…:;\n“”\"¿¡()\[\]*•–—]")
_BESIDE = frozenset((" ", "-", "\n", "  ", "‐", ' "', " '"))
#: Share of capital letters from which on capitals say nothing.
_SHOUTED = 0.6


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text and its place in it."""

    text: str
    start: int
    end: int
    #: In lower case, without accents and without a possessive ending.
    plain: str
    #: Begins with a capital letter, in a text that is not written in capitals throughout.
    capital: bool
    #: Is the first word of a sentence, a line or a quotation, where a capital says nothing.
    begins: bool
    #: What stands between the word before and this one.
    before: str


def tokens_of(text: str) -> list[Token]:
    """Return the words of a text in order."""
    letters = [char for char in text if char.isalpha()]
    shouted = sum(char.isupper() for char in letters) > _SHOUTED * len(letters)
    found: list[Token] = []
    end = 0
    for match in WORD.finditer(text):
        word, before = match[0], text[end : match.start()]
        begins = not found or bool(_ENDS_SENTENCE.search(before))
        bare = plain(_POSSESSIVE.sub("", word)).replace("'", "")
        found.append(
            Token(word, match.start(), match.end(), bare, word[0].isupper() and not shouted, begins, before)
        )
        end = match.end()
    return found


def follows(tokens: Sequence[Token], index: int) -> bool:
    """Whether only a space, a line's end or a hyphen is between a word and the one before, or an initial's dot."""
    if not 0 < index < len(tokens):
        return False
    before = tokens[index].before
    return before in _BESIDE or (before in (". ", ".") and len(tokens[index - 1].text) <= 2)

"""Split a sentence into words and find the stretches that may be terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from research.supervision.plain_words import plain_edges
from research.text import content_stems
from research.text.numbers import is_number_word

#: A hyphen separates words: "code-switching" and "code switching" are one term.
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Text allowed between two words of a term.
_GAP = re.compile(r"[ \t\n]+|[-‐‑]")
#: Function words that may join the words of a term.
_JOINING = {
    "en": frozenset({"of", "the"}),
    "es": frozenset({"de", "del", "la", "las", "los", "el", "a", "al"}),
}
#: Endings of verbs and adverbs next to a term.
_VERBAL = {
    "en": re.compile(r".{2,}ly"),
    "es": re.compile(r".{3,}(?:mente|aron|ieron|aban|ían|ó|aba)"),
}
_MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence."""

    word: str
    #: In lower case, without a possessive.
    small: str
    #: None for a stop word.
    stem: str | None
    start: int
    end: int
    #: Whether only white space or a hyphen separates it from the word before.
    joins: bool

    @property
    def is_capital(self) -> bool:
        """Whether it is capitalised."""
        return self.word[0].isupper()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that may be a term, from token `first` to token `last`."""

    first: int
    last: int
    stems: tuple[str, ...]


def tokens_of(sentence: str, language: str) -> list[Token]:
    """Return the words of a sentence in order."""
    found: list[Token] = []
    before = 0
    for match in _WORD.finditer(sentence):
        small = match[0].casefold().replace("’", "'").removesuffix("'s")
        joins = bool(found) and _GAP.fullmatch(sentence, before, match.start()) is not None
        found.append(Token(match[0], small, stem_of(small, language), match.start(), match.end(), joins))
        before = match.end()
    return found


@lru_cache(maxsize=1 << 16)
def stem_of(word: str, language: str) -> str | None:
    """Return the stem of a word, or None for a stop word."""
    stems = content_stems(word, language)
    return stems[0] if stems else None


def stretches(tokens: Sequence[Token], language: str) -> Iterator[Stretch]:
    """Yield every stretch of one to four content words with at most one group of joining words."""
    for first, token in enumerate(tokens):
        if token.stem is None or is_plain(token, language):
            continue
        stems, joined = [token.stem], 0
        yield Stretch(first, first, tuple(stems))
        at = first + 1
        while at < len(tokens) and tokens[at].joins and len(stems) < _MOST_WORDS:
            following = tokens[at]
            if following.stem is None or following.small in _JOINING[language]:
                if following.small not in _JOINING[language] or not _may_join(tokens, first, at):
                    break
                joined += tokens[at - 1].stem is not None
                if joined > 1:
                    break
            else:
                stems.append(following.stem)
                if not is_plain(following, language) and not _is_past(following, language):
                    yield Stretch(first, at, tuple(stems))
            at += 1


def is_plain(token: Token, language: str) -> bool:
    """Return whether a word cannot begin or end a term."""
    return (
        token.small in plain_edges(language)
        or is_number_word(token.small)
        or len(token.small) < 3
        or _VERBAL[language].fullmatch(token.small) is not None
    )


def _is_past(token: Token, language: str) -> bool:
    """Return whether a word may be a verb in the past tense: "the pilot phase lasted"."""
    return language == "en" and token.small.endswith("ed")


def _may_join(tokens: Sequence[Token], first: int, at: int) -> bool:
    # Joining words begin with "of"; an article may only follow it.
    return tokens[at].small in {"of", "de", "del", "a", "al"} or (at > first and tokens[at - 1].stem is None)

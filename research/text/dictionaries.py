"""Which words are words."""

from __future__ import annotations

from functools import cache

from spellchecker import SpellChecker

from research.text.stems import fold_accents


def is_word(word: str) -> bool:
    """Whether an English or Spanish dictionary has the word; accents and case do not matter."""
    return is_word_of("en", word) or is_word_of("es", word)


def is_word_of(language: str, word: str) -> bool:
    """Whether the dictionary of one language has it. The dictionaries lack many plurals: the singular will do."""
    plain = fold_accents(word).casefold()
    return not _words(language).isdisjoint({plain, plain.removesuffix("s"), plain.removesuffix("es")})


@cache
def _words(language: str) -> frozenset[str]:
    return frozenset(map(fold_accents, SpellChecker(language=language, distance=1).word_frequency.words()))

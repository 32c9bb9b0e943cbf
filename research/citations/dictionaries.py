"""Which words are words."""

from __future__ import annotations

from functools import cache

from spellchecker import SpellChecker

from research.text.stems import fold_accents


def is_word(word: str) -> bool:
    """Whether an English or Spanish dictionary has the word; accents and case do not matter."""
    plain = fold_accents(word).casefold()
    # The dictionaries lack many plurals.
    return not _words().isdisjoint({plain, plain.removesuffix("s"), plain.removesuffix("es")})


@cache
def _words() -> frozenset[str]:
    dictionaries = [SpellChecker(language=language, distance=1).word_frequency for language in ("en", "es")]
    return frozenset(fold_accents(word) for dictionary in dictionaries for word in dictionary.words())

"""Look words up in the English and Spanish dictionaries."""

from __future__ import annotations

from functools import cache

from spellchecker import SpellChecker

from research.text.stems import fold_accents


def is_word(word: str) -> bool:
    """Return whether an English or Spanish dictionary has the word, ignoring accents and case."""
    return is_word_of("en", word) or is_word_of("es", word)


def is_word_of(language: str, word: str) -> bool:
    """Return whether one language's dictionary has the word or its singular, since many plurals are missing."""
    return not _counts(language)[0].keys().isdisjoint(_forms(word))


def per_million(language: str, word: str) -> float:
    """Return the frequency per million words of a word or its singular; 0 if the dictionary lacks it."""
    counts, total = _counts(language)
    return 1e6 * max(counts.get(form, 0) for form in _forms(word)) / total


def _forms(word: str) -> set[str]:
    plain = fold_accents(word).casefold()
    return {plain, plain.removesuffix("s"), plain.removesuffix("es")}


@cache
def _counts(language: str) -> tuple[dict[str, int], int]:
    frequency = SpellChecker(language=language, distance=1).word_frequency
    counts: dict[str, int] = {}
    for word, count in frequency.items():
        folded = fold_accents(word)
        counts[folded] = counts.get(folded, 0) + count
    return counts, frequency.total_words

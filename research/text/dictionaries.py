"""Look words up in the English and Spanish dictionaries."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from babel import Locale
from spellchecker import SpellChecker

from research.text.stems import fold_accents

_LOCALES = (Locale("en"), Locale("es"))
#: Most letters of the words that only join others in a name.
_SHORT = 3


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


@cache
def calendar_words() -> frozenset[str]:
    """Return the names of months and days in English and Spanish, in lower case, without accents."""
    return _folded(
        name
        for locale in _LOCALES
        for names in (locale.months["format"]["wide"], locale.days["format"]["wide"])
        for name in names.values()
    )


@cache
def country_words() -> frozenset[str]:
    """Return the words of the names of countries and languages in English and Spanish, as of `calendar_words`."""
    names = (name for one in _LOCALES for name in (*one.territories.values(), *one.languages.values()))
    return _folded(word for name in names for word in name.split() if len(word) > _SHORT)


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold_accents(word).casefold() for word in words)


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

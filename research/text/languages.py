"""Tell English from Spanish, and look words up in the dictionaries of both."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from babel import Locale
from py3langid.langid import MODEL_FILE, LanguageIdentifier
from spellchecker import SpellChecker

from research.config import Language
from research.text.stems import fold_accents, stop_words

#: Characters from the start of a text that are examined.
SAMPLE_CHARS = 20_000
#: In texts of fewer words, stop words are counted before the character model is used.
FEW_WORDS = 12
_SPANISH_ALONE = re.compile(r"[ñ¿¡áéíóúü]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_LOCALES = (Locale("en"), Locale("es"))
#: Most letters of the words that only join others in a name.
_SHORT = 3


def detect_language(text: str) -> Language:
    """Return "en" or "es", whichever is more likely; "en" for a text without letters."""
    sample = text[:SAMPLE_CHARS]
    words = _WORD.findall(sample.casefold())
    if not words:
        return "en"
    if len(words) < FEW_WORDS and (language := language_by_small_words(sample)):
        return language
    return "es" if _identifier().classify(sample)[0] == "es" else "en"


def language_by_small_words(text: str) -> Language | None:
    """Return "en" or "es" by stop words, else by dictionaries; None where they do not tell. Loads no model."""
    sample = text[:SAMPLE_CHARS]
    words = _WORD.findall(sample.casefold())
    english = sum(word in stop_words("en") for word in words)
    spanish = sum(word in stop_words("es") for word in words) + len(_SPANISH_ALONE.findall(sample))
    if english == spanish:
        english = sum(is_word_of("en", word) for word in words)
        spanish = sum(is_word_of("es", word) for word in words)
    if english == spanish:
        return None
    return "en" if english > spanish else "es"


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
    parts = (part["format"]["wide"] for locale in _LOCALES for part in (locale.months, locale.days))
    return _folded(name for names in parts for name in names.values())


@cache
def country_words() -> frozenset[str]:
    """Return the words of the names of countries and languages in English and Spanish, as of `calendar_words`."""
    names = (name for one in _LOCALES for name in (*one.territories.values(), *one.languages.values()))
    return _folded(word for name in names for word in name.split() if len(word) > _SHORT)


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(["en", "es"])
    return identifier


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

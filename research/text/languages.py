"""Tell English from Spanish, and look words up in the dictionaries of both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

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
#: Fewest words of a language that make a stretch of it.
_STRETCH = 3
#: A name of several words: "Papás en el Aula".
_NAMED = re.compile(r"(?<![\w’'-])[A-ZÁÉÍÓÚÑÜ][\w’'-]*+(?:\s(?:\w{1,4}\s){0,2}[A-ZÁÉÍÓÚÑÜ][\w’'-]*+)+")
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


def foreign_words(text: str, language: Language, known: str = "") -> str:
    """Return the longest stretch of a text in the other language, "" without one.

    Names of several words and what is `known` are none. A stretch has three words of the other language or more,
    one of them a small word such as "el" or "the".
    """
    other: Language = "es" if language == "en" else "en"
    said = " ".join(_WORD.findall(fold_accents(known).casefold()))
    found = [""]
    for part in re.split(r"[^\w\s’'-]+", _NAMED.sub(" . ", text)):
        for run in _runs(part.split(), language, other):
            plain = " ".join(_WORD.findall(fold_accents(run).casefold()))
            found += [] if plain in said else [run]
    return max(found, key=len)


def _runs(words: Sequence[str], language: Language, other: Language) -> Iterator[str]:
    """Yield the stretches without a word of the language that have enough of the other one."""
    small = stop_words(other) - stop_words(language)
    for is_own, run in groupby(words, lambda word: _is_more_of(language, other, word)):
        told = list(run)
        of_other = [word for word in told if _is_more_of(other, language, word)]
        if not is_own and len(of_other) >= _STRETCH and any(word.casefold() in small for word in told):
            yield " ".join(told)


def _is_more_of(language: Language, other: Language, word: str) -> bool:
    """Return whether a word is one language's and not the other's."""
    plain = word.casefold()
    small = plain in stop_words(language), plain in stop_words(other)
    if any(small):
        return small[0] and not small[1]
    return is_word_of(language, plain) and not is_word_of(other, plain)


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

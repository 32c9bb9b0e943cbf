"""Detect whether a text is English or Spanish."""

from __future__ import annotations

import re
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from research.config import Language
from research.text.dictionaries import is_word_of
from research.text.stems import stop_words

#: Characters from the start of a text that are examined.
SAMPLE_CHARS = 20_000
#: In texts of fewer words, stop words are counted before the character model is used.
FEW_WORDS = 12
_SPANISH_ALONE = re.compile(r"[ñ¿¡áéíóúü]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


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


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(["en", "es"])
    return identifier

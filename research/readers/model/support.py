"""Decide whether a value may be shown for the words that a model gave as its evidence."""

from __future__ import annotations

import re

from research.citations.claims import NAME_WITHIN
from research.citations.quantities import quantities_in, quantities_said
from research.config import Language
from research.material import SourceText
from research.text import detect_language
from research.text.languages import calendar_words, per_million
from research.text.stems import fold_accents

#: Most characters of a value, and most words of a quotation that is shown in place of a value.
_LONGEST, _SHORT_QUOTE = 200, 25
_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\b")
#: Words that may be an hour, by what stands before or after them.
_HOUR = re.compile(
    r"(?:\b(?:at|from|to|until|till|by|after|before|between|and|las?|a|de|hasta|entre|y)(?:\slas?)?\s|[-–]\s?)(\w{1,8})"
    r"|\b(\w{1,8})(?=\s?(?:[:.]00|[-–]|[ap]\.?\s?m\b|o.clock|hrs?\b|horas?\b))"
)
#: Least frequency per million of a word that begins a value and is no name.
_FREQUENT = 1
_FIRST = re.compile(r"^[A-ZÁÉÍÓÚÑÜ][\w’'-]+")
#: Words for the minutes after or before an hour.
_MINUTES = {"15": "quarter cuarto", "30": "half media", "45": "quarter cuarto"}


def value_of(value: str, quote: str, source: SourceText, language: Language) -> str | None:
    """Return the value to show: the model's if it is supported, a short quotation in its place, or None."""
    value, short = " ".join(value.split()), " ".join(quote.split())
    if supported(value, quote, source, language):
        return value
    return short if len(short.split()) <= _SHORT_QUOTE else None


def supported(value: str, quote: str, source: SourceText, language: Language) -> bool:
    """Return whether a value in `language` has numbers of the quotation alone, and names of the source alone.

    Names are not compared between languages, which write days and countries in different words. Whether the words
    say the value is asked separately.
    """
    if not 0 < len(value) <= _LONGEST:
        return False
    said = fold_accents(quote.casefold())
    told = quantities_said(_on_the_clock(quote, said))
    if not all(number.is_in(told) for number in quantities_in(_on_the_clock(value, said))):
        return False
    known = fold_accents(f"{source.text} {source.reference.title} {source.reference.publisher or ''}".casefold())
    if language != source.language[:2]:
        return True
    opening = [name for name in _FIRST.findall(value) if not _is_common(name, language)]
    unknown = [
        name for name in (*opening, *NAME_WITHIN.findall(value)) if fold_accents(name.casefold()) not in known
    ]
    # A page may let people speak in another language than its own; days are translated, names are not.
    is_translated = bool(unknown) and detect_language(quote) != language
    return not unknown or (is_translated and all(_is_common(word, language) for word in " ".join(unknown).split()))


def _is_common(word: str, language: Language) -> bool:
    """Return whether the first word of a value may have its capital for that alone, or is a month or day."""
    plain = fold_accents(word.casefold()).removesuffix("s")
    return plain in calendar_words() or per_million(language, word) >= _FREQUENT


def _on_the_clock(text: str, said: str) -> str:
    """Return the text with times of the day as `said` says them: "6:30" as "6" where that is "half past six"."""

    hours = quantities_in("; ".join(before or after for before, after in _HOUR.findall(said)))

    def as_said(found: re.Match[str]) -> str:
        hour, minutes = found.groups()
        words = _MINUTES.get(minutes, "").split()
        is_full = minutes == "00" and quantities_in(hour)[0].is_in(hours)
        return hour if is_full or any(word in said for word in words) else found[0]

    return _CLOCK.sub(as_said, text)

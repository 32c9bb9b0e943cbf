"""Locate the words that a reader quotes, and check whether they support a sentence or a value."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile

from research.citations.claims import NAME_WITHIN, quantities_implied, quantities_in
from research.citations.quotes import denied_words, verify_quote
from research.config import Language
from research.memo import Finding
from research.readers.protocol import SourceText
from research.text.language import (
    calendar_words,
    content_stems,
    country_words,
    detect_language,
    fold_accents,
    foreign_words,
    per_million,
    split_sentences,
)

#: Most characters of a value, and most words of a quotation shown instead of a value.
_LONGEST, _SHORT_QUOTE = 400, 25
_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\b")
#: Words that may be an hour, recognised by the words around them.
_HOUR = re.compile(
    r"(?:\b(?:at|from|to|until|till|by|after|before|between|and|las?|a|de|hasta|entre|y)(?:\slas?)?\s|[-–]\s?)(\w{1,8})"
    r"|\b(\w{1,8})(?=\s?(?:[:.]00|[-–]|[ap]\.?\s?m\b|o.clock|hrs?\b|horas?\b))"
)
#: A word at the start of a value with at least this frequency per million is not a name.
_FREQUENT = 1
_FIRST = re.compile(r"^[A-ZÁÉÍÓÚÑÜ][\w’'-]+")
#: Words for the minutes after or before an hour.
_MINUTES = {"15": "quarter cuarto", "30": "half media", "45": "quarter cuarto"}
#: Least share of a sentence's stems that its quotations must have.
_SHARED = 0.2
_WORD = re.compile(r"\w+")
#: A page, a domain or a mailbox.
_ADDRESS = re.compile(r"(?<![\w-])[\w-]+(?:://|@|\.(?=[^\W\d]{2}))[\w@./?=&%:-]*\w")
#: Between the clauses of a value.
_CLAUSE = re.compile(r"[;:]\s+")
#: A quotation in a value, with a note after it.
_QUOTED = re.compile(r"""(?:[,:;]? )?["“«]([^"”»]*)["”»](?: \([^()]*\))?""")
#: Capitalised English words that are not proper names, besides months and days.
_COMMON = frozenset({"i", "i'm", "i've", "english", "spanish"})


def faults_of(sentence: str, quotes: Sequence[str], known: str, language: Language | None) -> list[str]:
    """Return what the quotations do not support, phrased for a model's repair; empty if nothing is unsupported.

    `known`: question and references, whose names and numbers need no quotation. `language`: None if sentence and
    quotations differ in language; their words are then not compared.
    """
    if not quotes:
        return ["no quotation carries it"]
    found = []
    numbers, names = unsupported_terms(sentence, quotes, known, language)
    if numbers:
        found.append(f"these numbers stand in none of its quotes: {', '.join(numbers)}")
    if names:
        found.append(f"these names stand in none of its quotes: {', '.join(names)}")
    said = f"{' '.join(quotes)} {known}".casefold()
    if addresses := [one for one in _ADDRESS.findall(sentence) if one.casefold() not in said]:
        found.append(f"these addresses stand in none of its quotes: {', '.join(addresses)}")
    if language and _denies(sentence, " ".join(quotes), language):
        found.append("it denies what its quotes say")
    if language and not speaks_of(sentence, " ".join(quotes), language):
        found.append("its quotes speak of something else")
    return found


def unsupported_terms(
    sentence: str, quotes: Sequence[str], known: str, language: Language | None
) -> tuple[list[str], list[str]]:
    """Return the sentence's numbers and names that neither quotations nor `known` have, each once."""
    said = f"{' '.join(quotes)} {known}"
    words = _words(said) | _COMMON | calendar_words()
    names = [name for name in NAME_WITHIN.findall(sentence) if not _is_named(name, words, language)]
    return list(dict.fromkeys(_missing_numbers(sentence, said, len(quotes), language))), list(dict.fromkeys(names))


def _is_named(name: str, words: set[str], language: str | None) -> bool:
    """Return whether the words have a name; months, days and countries may be translated."""
    own = _words(name)
    return own <= words or (language is None and {fold_accents(word) for word in own} <= country_words())


def _missing_numbers(sentence: str, said: str, quotes: int, language: Language | None) -> list[str]:
    """Return the numbers that are not said, in digits or words; "two sources" of two quotations is none.

    The words of the sentence's language count alone: the English "once" is not the Spanish eleven.
    """
    known, counted = quantities_implied(said), frozenset({Decimal(quotes)})
    return [
        one.text
        for one in (quantities_in(sentence) if language is None else quantities_in(sentence, (language,)))
        if not one.is_in(known) and (one.text[0].isdigit() or one.values != counted)
    ]


def _words(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return {word.removesuffix("'s") for word in _WORD.findall(plain)}


def speaks_of(sentence: str, text: str, language: str) -> bool:
    """Return whether a text has enough of a sentence's words to be about the same subject."""
    own, others = set(content_stems(sentence, language)), set(content_stems(text, language))
    return not own or len(own & others) >= max(1, _SHARED * len(own))


def _denies(sentence: str, text: str, language: str) -> bool:
    """Return whether a sentence negates a word of a text that denies nothing."""
    if denied_words(text):
        return False
    negated = (stems for words in denied_words(sentence) if (stems := content_stems(words, language)))
    return bool({stems[0] for stems in negated if not stems[0].isdigit()} & set(content_stems(text, language)))


def value_of(value: str, quote: str, source: SourceText, language: Language) -> str | None:
    """Return the value to show: the model's if supported, else a short quotation, else its supported clauses.

    None if there is no such clause.
    """
    value, short = _without_quoted_parts(" ".join(value.split()), language), " ".join(quote.split())
    if supported(value, quote, source, language):
        return value
    if len(short.split()) <= _SHORT_QUOTE:
        return short
    clauses = [one for one in _CLAUSE.split(value) if supported(one, quote, source, language)]
    return "; ".join(clauses) or None


def _without_quoted_parts(value: str, language: Language) -> str:
    """Return a value without its quotations in another language, and without a translation in brackets."""
    kept = _QUOTED.sub(lambda found: "" if foreign_words(found[1], language) else found[0], value)
    return value if kept == value else kept.rstrip(" ,:;–-")


def supported(value: str, quote: str, source: SourceText, language: Language) -> bool:
    """Return whether all numbers of a value are in the quotation, and all its names in the source.

    Names are not compared between languages, which have different words for days and countries. Whether the words
    state the value is checked separately.
    """
    if not 0 < len(value) <= _LONGEST or foreign_words(value, language, source.reference.title):
        return False
    said = fold_accents(quote.casefold())
    told = quantities_implied(_on_the_clock(quote, said))
    if not all(number.is_in(told) for number in quantities_in(_on_the_clock(value, said), (language,))):
        return False
    known = fold_accents(f"{source.text} {source.reference.title} {source.reference.publisher or ''}".casefold())
    if language != source.language[:2]:
        return True
    opening = [name for name in _FIRST.findall(value) if not _is_common(name, language)]
    unknown = [
        name for name in (*opening, *NAME_WITHIN.findall(value)) if fold_accents(name.casefold()) not in known
    ]
    # A page may quote people in another language; days are translated, names are not.
    is_translated = bool(unknown) and detect_language(quote) != language
    return not unknown or (is_translated and all(_is_common(word, language) for word in " ".join(unknown).split()))


def _is_common(word: str, language: Language) -> bool:
    """Return whether the first word of a value is no name: a common word, a month or a day."""
    plain = fold_accents(word.casefold()).removesuffix("s")
    return plain in calendar_words() or per_million(language, word) >= _FREQUENT


def _on_the_clock(text: str, quote: str) -> str:
    """Return the text with times of day as in `quote`: "6:30" becomes "6" if it is "half past six" there."""

    hours = quantities_in("; ".join(before or after for before, after in _HOUR.findall(quote)))

    def as_said(found: re.Match[str]) -> str:
        hour, minutes = found.groups()
        words = _MINUTES.get(minutes, "").split()
        is_full = minutes == "00" and quantities_in(hour)[0].is_in(hours)
        return hour if is_full or any(word in quote for word in words) else found[0]

    return _CLOCK.sub(as_said, text)


# Locate the words that a reader quotes, in the source that it names or in another one.


#: Most words of a quotation that is extended to whole sentences.
_LONGEST_QUOTE = 90
#: Most words and characters before a quotation that show what it is about.
_BEFORE, _FARTHEST = 35, 400
#: Stretches with at most this many characters between them are joined.
_APART = 60
#: Most characters of a heading.
_HEADING = 80


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of a source that contain quotations, preceded by their heading or the head of their table."""

    text: str
    #: The indexes of the quotations in the request, in the order of the text.
    holds: tuple[int, ...]


def located(words: str, key: str, sources: Mapping[str, SourceText]) -> Finding | None:
    """Return where the words are, preferably in source `key`; None if no source has them."""
    verdict = verify_quote(words, key, {name: source.text for name, source in sources.items()})
    if verdict.source_id is None or verdict.start is None or verdict.end is None:
        return None
    return _at(verdict.source_id, verdict.start, verdict.end, sources)


def in_whole_sentences(found: Finding, sources: Mapping[str, SourceText]) -> Finding:
    """Return the quotation with the rest of its first and last sentence, unless it becomes too long."""
    source = sources[found.source_key]
    begin = max(0, source.text.rfind("\n\n", 0, found.start_char))
    stop = source.text.find("\n\n", found.end_char)
    paragraphs = source.text[begin:stop] if stop >= 0 else source.text[begin:]
    spans = [
        (begin + start, begin + end)
        for start, end in split_sentences(paragraphs, source.language)
        if begin + start < found.end_char and found.start_char < begin + end
    ]
    if not spans:
        return found
    start, end = min(spans[0][0], found.start_char), max(spans[-1][1], found.end_char)
    if len(source.text[start:end].split()) > _LONGEST_QUOTE:
        return found
    return _at(found.source_key, start, end, sources)


def stretches_of(quotes: Sequence[tuple[str, str]], source: SourceText) -> list[Stretch]:
    """Return the stretches of a source that hold the quotations of items, given as item and quotation.

    Each begins some words before its first quotation, to show what that is about. Of words that occur more than
    once, those nearest after a mention of the item are taken.
    """
    text = source.text
    spans: list[tuple[int, int, list[int]]] = []
    for at, number in sorted((_place_of(*one, text), number) for number, one in enumerate(quotes)):
        start, end = _start_before(at, text), at + len(quotes[number][1])
        if spans and start <= spans[-1][1] + _APART:
            begin, stop, held = spans.pop()
            spans.append((begin, max(stop, end), [*held, number]))
        else:
            spans.append((start, end, [number]))
    return [Stretch(" … ".join([*_head(start, text), text[start:end]]), tuple(held)) for start, end, held in spans]


def _place_of(item: str, quote: str, text: str) -> int:
    name = item.casefold()
    mentions = [found.start() for found in re.finditer(f"(?={re.escape(name)})", text.casefold())]

    def after_mention(place: int) -> int:
        before = bisect_right(mentions, place + len(quote) - len(name))
        return abs(place - mentions[before - 1]) if before else len(text)

    return min((found.start() for found in re.finditer(re.escape(quote), text)), key=after_mention, default=0)


def _start_before(at: int, text: str) -> int:
    """Return the start of the row in a table, elsewhere a place some words before `at`."""
    line = text.rfind("\n", 0, at) + 1
    if text.startswith("|", line):
        return line
    words = list(re.finditer(r"\S+", text[max(0, at - _FARTHEST) : at]))[-_BEFORE:]
    return max(0, at - _FARTHEST) + words[0].start() if words else at


def _head(start: int, text: str) -> list[str]:
    """Return the head of the table in which a stretch begins, elsewhere the heading above it; may be empty."""
    above = text[:start].splitlines()
    if text.startswith("|", start):
        return list(takewhile(lambda line: line.startswith("|"), reversed(above)))[-1:]
    return [line for line in above if _is_heading(line)][-1:]


def _is_heading(line: str) -> bool:
    bare = line.strip()
    strong = bare.startswith("**") and bare.rstrip(":").endswith("**")
    return len(bare) <= _HEADING and (bare.startswith("#") or strong or (bare.isupper() and bare[0] != "|"))


def _at(key: str, start: int, end: int, sources: Mapping[str, SourceText]) -> Finding:
    source = sources[key]
    return Finding(key, source.text[start:end], start, end, source.page_at(start))

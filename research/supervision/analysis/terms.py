"""Find in a sentence the stretches of words that may be terms, and whether it marks them as concepts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from research.supervision.analysis.words import Phrases, words_of
from research.text import content_stems
from research.text.numbers import CARDINALS
from research.text.stems import fold_accents

#: A hyphen separates words: "code-switching" and "code switching" are one term.
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_GAP = re.compile(r"[ \t\n]+|[-‐‑]")
_SHORT_FORM = re.compile(r"\s?\([A-Z]{2,6}s?\)")
_MARKS = frozenset('“”«»"*')
_ONE_OF_MANY = frozenset({"a", "an", "un", "una"})
#: Most words with content in a term, and most words of a phrase that marks one.
_MOST_WORDS, _MOST_OF_PHRASE = 4, 4


@dataclass(frozen=True)
class Stretch:
    """Words of a sentence that may be a term."""

    #: As written.
    form: str
    #: Stems of its words with content, in order.
    stems: tuple[str, ...]
    #: Whether the sentence marks it as a concept.
    is_named: bool
    #: Whether one of its words has a capital that the beginning of the sentence does not explain.
    is_capital: bool


@dataclass(frozen=True)
class _Word:
    small: str
    stem: str | None
    start: int
    end: int


def stretches(sentence: str, language: str) -> Iterator[Stretch]:
    """Yield every stretch of one to four words with content, which joining words may separate."""
    words = _words(sentence, language)
    joining = words_of(language).joining
    for first, word in enumerate(words):
        if word.stem is None or _is_edge(word, language):
            continue
        stems: list[str] = []
        for last in range(first, len(words)):
            current = words[last]
            if last > first and _GAP.fullmatch(sentence, words[last - 1].end, current.start) is None:
                break
            if current.stem is None:
                if current.small not in joining:
                    break
                continue
            stems.append(current.stem)
            if len(stems) > _MOST_WORDS:
                break
            if not _is_edge(current, language) and not (last > first and _is_past(current, language)):
                yield _stretch(sentence, words, first, last, tuple(stems), language)


def head_of(term: str, language: str) -> str:
    """Return the stem of a term's head noun: the first in Spanish; in English the last, or that before "of"."""
    words = term.casefold().split()
    before = words[: words.index("of")] if "of" in words[1:] else words
    return stem_of(before[0 if language == "es" else -1], language) or ""


@lru_cache(maxsize=1 << 16)
def stem_of(word: str, language: str) -> str | None:
    """Return the stem of a word, or None for a stop word."""
    return next(iter(content_stems(word, language)), None)


def without_heads(stems: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the sorted stems without "theory", "model" and the like, unless nothing else remains."""
    bare = set(stems) - words_of(language).heads
    return tuple(sorted(bare or set(stems)))


def _words(sentence: str, language: str) -> list[_Word]:
    found = []
    for match in _WORD.finditer(sentence):
        small = match[0].casefold().replace("’", "'").removesuffix("'s")
        found.append(_Word(small, stem_of(small, language), match.start(), match.end()))
    return found


def _stretch(
    sentence: str, words: Sequence[_Word], first: int, last: int, stems: tuple[str, ...], language: str
) -> Stretch:
    start, end = words[first].start, words[last].end
    capital = first > 0 and any(sentence[word.start].isupper() for word in words[first : last + 1])
    named = (
        not words_of(language).theories.isdisjoint(stems)
        or _is_introduced(words, first, language)
        or _is_followed(words, first, last, language)
        or (start > 0 and sentence[start - 1] in _MARKS and sentence[end : end + 1] in _MARKS)
        or _SHORT_FORM.match(sentence, end) is not None
    )
    return Stretch(sentence[start:end], stems, named, capital)


def _is_introduced(words: Sequence[_Word], first: int, language: str) -> bool:
    at, known = first, words_of(language)
    while at and words[at - 1].small in known.articles:
        at -= 1
    before = [word.small for word in words[max(0, at - _MOST_OF_PHRASE) : at]]
    return any(tuple(before[start:]) in known.introduces for start in range(len(before)))


def _is_followed(words: Sequence[_Word], first: int, last: int, language: str) -> bool:
    if first and words[first - 1].stem is not None:
        return False
    behind, known = [word.small for word in words[last + 1 : last + 1 + _MOST_OF_PHRASE]], words_of(language)
    one_of_many = first > 0 and words[first - 1].small in _ONE_OF_MANY
    return _begins(behind, known.follows) or (not one_of_many and _begins(behind, known.predicates))


def _begins(words: Sequence[str], phrases: Phrases) -> bool:
    return any(tuple(words[:count]) in phrases for count in range(1, len(words) + 1))


def _is_edge(word: _Word, language: str) -> bool:
    """Return whether no term begins or ends with a word: a plain one, a number, a verb or an adverb."""
    known = words_of(language)
    if word.small in known.edges or len(word.small) < 3 or fold_accents(word.small) in CARDINALS:
        return True
    return len(word.small) > 3 and word.small.endswith(known.endings)


def _is_past(word: _Word, language: str) -> bool:
    """Return whether a word may be a verb in the past tense: "the pilot phase lasted"."""
    return language == "en" and word.small.endswith("ed")

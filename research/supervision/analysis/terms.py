"""Find in a sentence the stretches of words that may be terms, and whether it marks them as concepts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from research.text import content_stems
from research.text.numbers import CARDINALS
from research.text.stems import fold_accents

_FILE = Path(__file__).with_name("words.toml")
#: A hyphen separates words: "code-switching" and "code switching" are one term.
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_GAP = re.compile(r"[ \t\n]+|[-‐‑]")
_SHORT_FORM = re.compile(r"\s?\([A-Z]{2,6}s?\)")
_MARKS = frozenset('“”«»"*')
_ONE_OF_MANY = frozenset({"a", "an", "un", "una"})
#: Most words with content in a term, most words of a phrase that marks one, and of such a phrase with articles.
_MOST_WORDS, _MOST_OF_PHRASE, _WITH_ARTICLES = 4, 4, 8


class Words:
    """The words of one language: see the head of `words.toml`. Theories, heads and plain words are stems."""

    def __init__(self, language: str) -> None:
        given = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
        self.introduces, self.follows, self.predicates = (
            frozenset(tuple(phrase.split()) for phrase in given[name])
            for name in ("introduces", "follows", "predicates")
        )
        self.theories = frozenset(content_stems(" ".join(given["theories"]), language))
        #: Of theories and kinds.
        self.heads = self.theories.union(content_stems(" ".join(given["kinds"]), language))
        self.plain = frozenset(content_stems(given["plain"], language))
        self.edges = frozenset(given["edges"].split())
        self.joining, self.articles = frozenset(given["joining"]), frozenset(given["articles"])
        self.endings = tuple(given["endings"])


words_of = cache(Words)


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
    #: Whether no term begins or ends with it: a plain word, a number, a verb or an adverb.
    is_edge: bool
    start: int
    end: int


def stretches(sentence: str, language: str) -> Iterator[Stretch]:
    """Yield every stretch of one to four words with content, which joining words may separate."""
    known, words = words_of(language), _words(sentence, language)
    for first, word in enumerate(words):
        if word.stem is None or word.is_edge:
            continue
        stems: list[str] = []
        for last, current in enumerate(words[first:], start=first):
            if last > first and _GAP.fullmatch(sentence, words[last - 1].end, current.start) is None:
                break
            if current.stem is None:
                if current.small not in known.joining:
                    break
                continue
            stems.append(current.stem)
            if len(stems) > _MOST_WORDS:
                break
            # The last one may be a verb in the past tense: "the pilot phase lasted".
            is_past = last > first and language == "en" and current.small.endswith("ed")
            if not current.is_edge and not is_past:
                yield _stretch(sentence, words, first, last, tuple(stems), known)


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
    return tuple(sorted(set(stems) - words_of(language).heads or set(stems)))


def _words(sentence: str, language: str) -> list[_Word]:
    known, found = words_of(language), []
    for match in _WORD.finditer(sentence):
        small = match[0].casefold().replace("’", "'").removesuffix("'s")
        is_plain = small in known.edges or len(small) < 3 or fold_accents(small) in CARDINALS
        is_edge = is_plain or (len(small) > 3 and small.endswith(known.endings))
        found.append(_Word(small, stem_of(small, language), is_edge, match.start(), match.end()))
    return found


def _stretch(
    sentence: str, words: Sequence[_Word], first: int, last: int, stems: tuple[str, ...], known: Words
) -> Stretch:
    start, end = words[first].start, words[last].end
    named = (
        not known.theories.isdisjoint(stems)
        or _is_introduced([word.small for word in words[max(0, first - _WITH_ARTICLES) : first]], known)
        or _is_followed(words, first, last, known)
        or (start > 0 and sentence[start - 1] in _MARKS and sentence[end : end + 1] in _MARKS)
        or _SHORT_FORM.match(sentence, end) is not None
    )
    capital = first > 0 and any(sentence[word.start].isupper() for word in words[first : last + 1])
    return Stretch(sentence[start:end], stems, named, capital)


def _is_introduced(before: list[str], known: Words) -> bool:
    while before and before[-1] in known.articles:
        before.pop()
    return any(tuple(before[-count:]) in known.introduces for count in range(1, _MOST_OF_PHRASE + 1))


def _is_followed(words: Sequence[_Word], first: int, last: int, known: Words) -> bool:
    if first and words[first - 1].stem is not None:
        return False
    behind = [word.small for word in words[last + 1 : last + 1 + _MOST_OF_PHRASE]]
    one_of_many = first > 0 and words[first - 1].small in _ONE_OF_MANY
    phrases = known.follows if one_of_many else known.follows | known.predicates
    return any(tuple(behind[:count]) in phrases for count in range(1, len(behind) + 1))

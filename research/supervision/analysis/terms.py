"""Find in a sentence the stretches of words that may be terms, and whether it marks them as concepts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from research.text import content_stems
from research.text.numbers import CARDINALS
from research.text.stems import fold_accents

_FILE = Path(__file__).with_name("words.toml")
#: A hyphen separates words: "code-switching" and "code switching" are one term.
_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SHORT_FORM = re.compile(r"\s?\([A-Z]{2,6}s?\)")
_MARKS = frozenset('“”«»"*')
_ONE_OF_MANY = frozenset({"a", "an", "un", "una"})
#: Most words with content in a term.
_MOST_WORDS = 4


class Words:
    """The words of one language: see the head of `words.toml`. Theories, heads and plain words are stems."""

    def __init__(self, language: str) -> None:
        given = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
        self.theories = frozenset(content_stems(" ".join(given["theories"]), language))
        #: Of theories and kinds.
        self.heads = self.theories.union(content_stems(" ".join(given["kinds"]), language))
        self.plain = frozenset(content_stems(given["plain"], language))
        self.edges, self.joining = frozenset(given["edges"].split()), frozenset(given["joining"])
        self.endings = tuple(given["endings"])
        articles = "|".join(given["articles"])
        self.introduces = _phrases(given["introduces"], rf"\b{{}}\W++(?>(?:{articles})\s++)*+")
        self.follows = _phrases(given["follows"], r"\W+{}\b")
        self.predicates = _phrases(given["follows"] + given["predicates"], r"\W+{}\b")


words_of = cache(Words)


class Stretch(NamedTuple):
    """Words of a sentence that may be a term."""

    #: As written.
    form: str
    #: Stems of its words with content, in order.
    stems: tuple[str, ...]
    #: Whether the sentence marks it as a concept.
    is_named: bool
    #: Whether one of its words has a capital that the beginning of the sentence does not explain.
    is_capital: bool


def stretches(sentence: str, language: str) -> Iterator[Stretch]:
    """Yield every stretch of one to four words with content, which joining words may separate."""
    known, plain = words_of(language), split_hyphens(sentence)
    words = [*_WORD.finditer(plain)]
    small = [word[0].casefold().replace("’", "'").removesuffix("'s") for word in words]
    stem = [stem_of(word, language) for word in small]
    edge = [_is_edge(word, known) for word in small]
    introduced = {found.end() for found in known.introduces.finditer(plain)}
    for first, word in enumerate(words):
        stems: list[str] = []
        for last in range(first, len(words) if stem[first] and not edge[first] else 0):
            if last > first and not plain[words[last - 1].end() : words[last].start()].isspace():
                break
            if found := stem[last]:
                stems.append(found)
            elif small[last] not in known.joining:
                break
            if len(stems) > _MOST_WORDS:
                break
            # The last one may be a verb in the past tense: "the pilot phase lasted".
            is_past = last > first and language == "en" and small[last].endswith("ed")
            if found and not edge[last] and not is_past:
                start, end = word.start(), words[last].end()
                follows = known.follows if first and small[first - 1] in _ONE_OF_MANY else known.predicates
                is_named = (
                    not known.theories.isdisjoint(stems)
                    or start in introduced
                    or (not (first and stem[first - 1]) and follows.match(plain, end) is not None)
                    or (start > 0 and sentence[start - 1] in _MARKS and sentence[end : end + 1] in _MARKS)
                    or _SHORT_FORM.match(sentence, end) is not None
                )
                is_capital = first > 0 and any(one[0][0].isupper() for one in words[first : last + 1])
                yield Stretch(sentence[start:end], tuple(stems), is_named, is_capital)


def split_hyphens(text: str) -> str:
    """Return the text, as long as before, with a space in place of each hyphen within a word."""
    return _HYPHEN.sub(" ", text)


def head_of(term: str, language: str) -> str:
    """Return the stem of a term's head noun: the first in Spanish; in English the last, or that before "of"."""
    words = term.casefold().split()
    before = words[: words.index("of")] if "of" in words[1:] else words
    return stem_of(before[0 if language == "es" else -1], language) or ""


@lru_cache(maxsize=1 << 16)
def stem_of(word: str, language: str) -> str | None:
    """Return the stem of a word, or None for a stop word."""
    return next(iter(content_stems(word, language)), None)


def _is_edge(word: str, known: Words) -> bool:
    """Return whether no term begins or ends with a word: a plain word, a number, a verb or an adverb."""
    is_plain = word in known.edges or len(word) < 3 or fold_accents(word) in CARDINALS
    return is_plain or (len(word) > 3 and word.endswith(known.endings))


def _phrases(phrases: Iterable[str], form: str) -> re.Pattern[str]:
    """Return a pattern of the form with any of the phrases in its braces."""
    return re.compile(form.format(f"(?:{'|'.join(phrases)})"), re.IGNORECASE)

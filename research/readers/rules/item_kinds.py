"""Find the kind of thing that a catalog lists, with the synonyms that sources use."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from research.questions.angles import phrases_of
from research.text import content_stems
from research.words import groups_of

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")


def kind_stems(query: str, language: str) -> frozenset[str]:
    """Return stems, in both languages, of the requested kind of thing and its synonyms."""
    phrases = phrases_of(query, language)
    for phrase in phrases:
        words = [word.casefold() for word in _WORD.findall(phrase)]
        # "school programmes" and "programas escolares" are both programmes.
        for word in reversed(words) if language == "en" else words:
            if groups := [group for group in groups_of("kinds") if word in group]:
                return frozenset(stem for group in groups for stem in _stems(group))
    return (
        frozenset(content_stems(phrases[0].split()[-1 if language == "en" else 0], language))
        if phrases
        else frozenset()
    )


def is_kind_word(word: str, kinds: frozenset[str]) -> bool:
    """Return whether a word names the kind."""
    return not kinds.isdisjoint(_stems_of_word(word.casefold()))


@lru_cache(maxsize=20_000)
def _stems_of_word(word: str) -> frozenset[str]:
    return frozenset({*content_stems(word, "en"), *content_stems(word, "es")})


@cache
def _stems(group: frozenset[str]) -> frozenset[str]:
    text = " ".join(group)
    return frozenset({*content_stems(text, "en"), *content_stems(text, "es")})

"""What is known of a word: whether people are called by it, and whether it is an ordinary word."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from spellchecker import SpellChecker

from pipeline.extraction.labelling.lexicon import commonness, name_rank, school_kind
from pipeline.extraction.values.text import plain
from pipeline.pages.plausibility import COMMON_WORDS
from services.library.essays.alike import Alike

_LISTS = [line.split() for line in (Path(__file__).parent / "words.txt").read_text("utf-8").splitlines()]


def listed(*names: str) -> frozenset[str]:
    """Return the words (plain) of some of the lists of `words.txt`."""
    return frozenset(word for first, *words in _LISTS if first in names for word in words)


#: Words in a name field that are not part of a name: kinship terms, honorifics, particles.
NO_NAMES = listed("kin", "honorific", "particle")
_WORDS_TOO, _EVERYDAY = listed("word"), listed("everyday")
_NONE = "9"
#: Uses in the frequency list of a language from which on a word is an ordinary one, though it may be a name.
_OFTEN = {"en": 9_000, "es": 400}
#: Fewest letters of a stem, endings of forms of English and Spanish words, and those of their listed forms.
_STEM = 3
_ENDINGS = tuple(listed("ending"))
_STEM_ENDINGS = ("", "e", "o", "a", "ar", "er", "ir", "ando", "ado", "ido", "s", "y")
#: Fewest letters of words that may be a listed one with a slip.
_SLIP = 4


@cache
def _dictionary() -> dict[str, bool]:
    """Words (plain) of English and Spanish with whether they are used often."""
    words: dict[str, bool] = {}
    for language, often in _OFTEN.items():
        for word, count in SpellChecker(language=language).word_frequency.dictionary.items():
            bare = plain(word)
            words[bare] = words.get(bare, False) or count >= often
    return words


@cache
def _rank(word: str) -> int:
    """Return the lower digit of how common a word is in English or Spanish: 0 the commonest, 9 unlisted."""
    return min(int(digit) for digit in commonness(word))


def is_function(word: str) -> bool:
    """Whether a word is one of the commonest of a language, which hold sentences together."""
    return _rank(word) <= 1 or word in COMMON_WORDS


def is_everyday(word: str) -> bool:
    """Whether a word is among the commonest few thousand of a language."""
    return _rank(word) < 9 or word in COMMON_WORDS or word in _EVERYDAY


def is_ordinary(word: str) -> bool:
    """Whether a word is often used as something else than a name."""
    return is_everyday(word) or word in _WORDS_TOO or _dictionary().get(word, False)


def is_word(word: str) -> bool:
    """Whether a word, or another form of it, is in a dictionary of English or Spanish."""
    words = _dictionary()
    return is_listed_word(word) or any(
        word.endswith(ending)
        and len(word) - len(ending) >= _STEM
        and any(word.removesuffix(ending) + other in words for other in _STEM_ENDINGS)
        for ending in _ENDINGS
    )


def is_listed_word(word: str) -> bool:
    """Whether a word as it is written, or without a plural ending, is in a dictionary of English or Spanish."""
    words = _dictionary()
    return is_everyday(word) or any(word.removesuffix(ending) in words for ending in ("", "s", "es"))


def is_slip(word: str) -> bool:
    """Whether a word is an everyday one with one letter too many, too few, wrong or out of place."""
    return _everyday().has(word)


@cache
def _everyday() -> Alike:
    return Alike(sorted(word for word in _dictionary() if is_everyday(word)), _SLIP)


def is_given_name(word: str) -> bool:
    """Whether children are called by a word."""
    return len(word) > 1 and name_rank(word)[0] != _NONE


def is_common_given_name(word: str) -> bool:
    """Whether many children are called by a word."""
    least_common = "3" if is_everyday(word) else "4"
    return len(word) > 2 and name_rank(word)[0] <= least_common


def is_name(word: str) -> bool:
    """Whether people are called by a word, by given name or surname."""
    return len(word) > 1 and name_rank(word) != _NONE * 2


def names_places(word: str) -> bool:
    """Whether schools and streets are often called by a word."""
    return bool(school_kind(word))

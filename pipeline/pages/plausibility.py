"""Estimate whether a text is English or Spanish from its letters, to detect re-encoded text layers.

Two kinds of evidence: pairs of letters that are common in either language, and frequent short words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

#: Words of every day in both languages; their pairs of letters stand for those of the language.
_COMMON = (Path(__file__).parent / "common_words.txt").read_text(encoding="utf-8")
_LETTERS = re.compile(r"[^\W\d_]+")
#: Words that are none of a language and written all the same: numbers, dates, ordinals, phones, rooms, addresses
#: of mail, of sites and of files.
_WITH_DIGITS = re.compile(
    r"[#$(]*\d[\d.,:/()\-–+%]*+(?:st|nd|rd|th|s|am|pm|º|ª|°)?[).,;:!?%]*+|[A-Za-z]{1,2}-?\d{1,4}|K-\d+|\S[^\s@]*+@\S++"
    r"|[a-z][a-z+.\-]{1,20}:/\S++|www\.\S+",
    re.IGNORECASE,
)
_VOWELS = set("aeiouy")
#: Words with fewer common pairs than this are no words of either language; foreign names are above.
_PAIRS = 0.5


def _plain(text: str) -> str:
    """Lower-case letters without accents."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


COMMON_WORDS = frozenset(_plain(_COMMON).split())
_KNOWN_PAIRS = frozenset(a + b for word in COMMON_WORDS for a, b in pairwise(word))


def plausible_letters(words: Iterable[str]) -> int:
    """Return the number of characters in plausible words of either language."""
    return sum(len(word) for word in words if plausible_word(word))


@lru_cache(maxsize=8192)
def plausible_word(word: str) -> bool:
    """Whether a word is plausible in either language; single marks are."""
    if word.isascii() and word.isalpha():
        return _plausible_letters(word)
    if any(unicodedata.category(c) in ("Co", "Cn", "Cc") or c == "\ufffd" for c in word):
        return False
    parts = _LETTERS.findall(word)
    if not parts or _WITH_DIGITS.fullmatch(word):
        return bool(parts) or any(c.isdigit() for c in word) or len(word) <= 2 or len(set(word)) == 1
    odd = sum(not (c.isalpha() or c in "'’‘-–—.,;:!?()\"“”¿¡/&*…_|#") for c in word)
    return odd == 0 and all(_plausible_letters(part) for part in parts)


def _plausible_letters(part: str) -> bool:
    plain = _plain(part)
    if plain in COMMON_WORDS or len(plain) == 1:
        return True
    if len(plain) >= 3 and not _VOWELS & set(plain) and not part.isupper():
        return False
    if _CASE_JUMPS.search(part) and not part.isupper():
        return False
    pairs = [a + b for a, b in pairwise(plain)]
    return sum(pair in _KNOWN_PAIRS for pair in pairs) / len(pairs) >= _PAIRS


#: A capital after two small letters within a word ("tHe", "naMe"); McNeil and DeShawn have none or one.
_CASE_JUMPS = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ].*[a-zà-ÿ][A-ZÀ-Þ]|[a-zà-ÿ][A-ZÀ-Þ]$")

"""Prior probabilities of words, by frequency lists and a letter model, and words that differ by few letters.

The names are those of the Social Security Administration's births and the Census Bureau's surnames of the United
States, both in the public domain; `lab/build_name_list.py` joined them into us_names.txt.gz.
"""

from __future__ import annotations

import gzip
import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein
from spellchecker import SpellChecker

_HERE = Path(__file__).parent
#: Denominator of the shares in the list.
_UNIT = 1_000_000_000
#: Logarithm of the share of words that are in no list.
_UNLISTED = -1.0
#: Of initials, titles and particles, which every list lacks.
_SMALL = -4.0
PARTICLES = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "sr",
        "sra",
        "srta",
        "jr",
        "ii",
        "iii",
        "iv",
        "st",
        "de",
        "la",
        "las",
        "los",
        "del",
        "da",
        "dos",
        "van",
        "von",
        "der",
        "y",
        "e",
        "san",
    ]
)
#: Languages of the entries and what their words weigh among those of schools.
_LANGUAGES = (("en", 0.25), ("es", 0.05))
#: Most different letters between a word as read and the intended one, by the length read.
_FARTHEST = ((8, 3), (5, 2), (3, 1))
_NEIGHBOURS = 40
#: Least share of a word when letters are counted, with the root of shares as weights, so that common names do not
#: dominate.
_LEAST_SHARE = 1e-6
_UNSEEN = 0.05


@dataclass(frozen=True, eq=False)
class Prior:
    """A list of words with the logarithms of their shares, and probabilities of its sequences of letters."""

    words: dict[str, float]
    #: Logarithm of a letter's probability after two others; 0 is the edge of a word.
    letters_after: NDArray[np.float64]

    def of(self, token: str) -> float:
        """Return the logarithm of a token's probability; the parts of a hyphenated one are combined."""
        parts = [part for piece in token.split("-") if (part := letters(piece))]
        return sum(self._word(part) for part in parts) if parts else _SMALL

    def knows(self, word: str) -> bool:
        """Whether a word (letters only) is in the list."""
        return word in self.words

    def near(self, word: str) -> list[str]:
        """Return words of the list that differ from this one (letters only) by few letters."""
        farthest = next((most for length, most in _FARTHEST if len(word) >= length), 0)
        return self._nearby.of(word, farthest) if farthest else []

    def index(self) -> None:
        """Build the index for `near` now instead of at its first call."""
        assert self._nearby

    @cached_property
    def _nearby(self) -> Nearby:
        return Nearby(self.words, _NEIGHBOURS)

    def _word(self, word: str) -> float:
        if len(word) == 1 or word in PARTICLES:
            return _SMALL
        codes = [0, 0, *(ord(char) - ord("a") + 1 for char in word), 0]
        unlisted = _UNLISTED + float(self.letters_after[codes[:-2], codes[1:-1], codes[2:]].sum())
        listed = self.words.get(word)
        return unlisted if listed is None else float(np.logaddexp(listed, unlisted))


@cache
def name_shares() -> dict[str, float]:
    """Share (0-1) of each first name or surname (letters only) among all."""
    text = gzip.decompress((_HERE / "us_names.txt.gz").read_bytes()).decode("ascii")
    return {name: int(share) / _UNIT for name, share in (line.split(" ") for line in text.splitlines())}


@cache
def all_names() -> Prior:
    """The prior of first names and surnames."""
    return _prior(name_shares())


@cache
def school_words() -> Prior:
    """The prior of words in schools' names: words for schools and places, English and Spanish words, and names."""
    common = (_HERE / "school_words.txt").read_text(encoding="ascii").split()
    ranked = {word: 1 / (rank + 10) for rank, word in enumerate(common)}
    sources = [(0.4, ranked), (0.3, {name: math.exp(log) for name, log in all_names().words.items()})]
    sources += [(share, _language(code)) for code, share in _LANGUAGES]
    shares: dict[str, float] = {}
    for weight, words in sources:
        total = sum(words.values())
        for word, share in words.items():
            shares[word] = shares.get(word, 0.0) + weight * share / total
    return _prior(shares)


def _language(code: str) -> dict[str, float]:
    """Return the frequencies of a language's words."""
    counts: dict[str, float] = {}
    for word, count in SpellChecker(language=code).word_frequency.dictionary.items():
        if bare := letters(word):
            counts[bare] = counts.get(bare, 0.0) + count
    return counts


def _prior(shares: dict[str, float]) -> Prior:
    return Prior({word: math.log(share) for word, share in shares.items()}, _letters_after(shares))


def _letters_after(shares: dict[str, float]) -> NDArray[np.float64]:
    text = "".join(f"  {word}" for word in shares) + " "
    codes = np.frombuffer(text.encode("ascii"), dtype=np.uint8).astype(np.int64)
    codes = np.where(codes == ord(" "), 0, codes - ord("a") + 1)
    weights = np.repeat(
        np.sqrt(np.maximum(list(shares.values()), _LEAST_SHARE)) * 1000, [len(word) + 2 for word in shares]
    )
    size = len(LETTERS) + 1
    counts = np.full((size, size, size), _UNSEEN)
    np.add.at(counts, (codes[:-2], codes[1:-1], codes[2:]), weights[: len(codes) - 2])
    return np.asarray(np.log(counts / counts.sum(axis=2, keepdims=True)))


# Words of a long list that differ from a given one by few letters.


#: Words cached with their neighbours: the readings of a line repeat the same ones.
_REMEMBERED = 4096


class Nearby:
    """A list of words (letters a-z only) that can be searched for neighbours."""

    def __init__(self, words: Iterable[str], most: int) -> None:
        """`most`: maximum number of neighbours to return."""
        given = list(words)
        self._words = np.array(given, dtype=object)
        self._lengths = np.array([len(word) for word in given], dtype=np.int16)
        self._letters = _letters(given)
        self._most = most
        self.of = lru_cache(_REMEMBERED)(self._of)

    def _of(self, word: str, farthest: int) -> list[str]:
        """Return words at most `farthest` letters (Levenshtein) away, nearest first, without the word itself."""
        found = process.extract(
            word,
            self._possible(word, farthest),
            scorer=Levenshtein.distance,
            score_cutoff=farthest,
            limit=self._most,
        )
        return [near for near, _, _ in found if near != word]

    def _possible(self, word: str, farthest: int) -> NDArray[np.object_]:
        """Return the few candidates: each change of a letter removes one letter of the alphabet and adds one."""
        changed = np.bitwise_count(self._letters ^ _letters([word]))
        lengths = np.abs(self._lengths - len(word))
        possible: NDArray[np.object_] = self._words[(lengths <= farthest) & (changed <= 2 * farthest)]
        return possible


def _letters(words: Sequence[str]) -> NDArray[np.uint32]:
    """Return the letters of the alphabet that each word has, one bit each."""
    codes = np.frombuffer("".join(words).encode("ascii"), dtype=np.uint8)
    begins = np.cumsum([0, *map(len, words)])[:-1]
    bits = np.left_shift(np.uint32(1), (codes - ord("a")).astype(np.uint32))
    return np.bitwise_or.reduceat(bits, begins)


# Folded letters: lower case, without accents.


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=4096)
def folded_char(char: str) -> str:
    """Return the printable ASCII character that a character is compared as, "" if there is none."""
    if char in "’‘´`":
        return "'"
    bare = "".join(c for c in unicodedata.normalize("NFKD", char.lower()) if not unicodedata.combining(c))
    # A bold or double-struck capital has no small form of its own.
    bare = bare.lower()
    return bare if len(bare) == 1 and " " <= bare <= "~" else ""


#: `folded_char` of each ASCII character, cached since words are mostly ASCII and lists are long.
_ASCII = {code: folded_char(chr(code)) for code in range(128)}
_NO_LETTERS = {code: None for code in range(128) if chr(code) not in LETTERS}


def fold_text(text: str) -> str:
    """Return the text in the characters that are compared."""
    return text.translate(_ASCII) if text.isascii() else "".join(folded_char(c) for c in text)


def letters(text: str) -> str:
    """Return only the letters a-z of a text."""
    return fold_text(text).translate(_NO_LETTERS)

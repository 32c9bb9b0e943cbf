"""Numbers by which entries that may be one are found among many: two such entries have at least one in common.

Keys are written to rows, so that they must stay the same in later versions: no hash of a library is in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pipeline.duplicates.child import name_words
from pipeline.duplicates.subject import Subject
from pipeline.extraction.values.grades import parse_grade
from pipeline.extraction.values.text import plain
from pipeline.spelling.alphabet import letters

#: Letters that readers take for each other, or leave out, are one sign or none.
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("aeioucljt"),
        **dict.fromkeys("mnrwvuh", "n"),
        **dict.fromkeys("gqy", "g"),
        **dict.fromkeys("sz", "s"),
    }
)
_CODES = {sign: code for code, sign in enumerate("bdfgknpsx", start=1)}
#: Signs of a shingle, about six words, and numbers of an essay.
_SHINGLE, _ESSAY_KEYS = 12, 24
#: Words of a name that are combined.
_MOST_WORDS = 4
_MULTIPLIERS = np.array(
    [int.from_bytes(blake2b(bytes([n]), digest_size=8).digest(), "big") | 1 for n in range(_ESSAY_KEYS)],
    dtype=np.uint64,
)
_COMMON = frozenset(
    [
        "school",
        "elementary",
        "middle",
        "high",
        "academy",
        "escuela",
        "primaria",
        "secundaria",
        "public",
        "the",
        "of",
    ]
)


def keys_of(subject: Subject) -> list[int]:
    """Return the keys of an entry, as signed 64-bit numbers."""
    return sorted({*_essay_keys(subject.essay_letters), *_child_keys(subject)})


def signs(text: str) -> str:
    """Return a text without what readers take for something else: some letters, doubled ones and spaces."""
    found = letters(text).translate(_SIGNS)
    return "".join(sign for sign, before in zip(found, " " + found, strict=False) if sign != before)


def _essay_keys(essay: str) -> list[int]:
    """Return a MinHash of the essay's shingles."""
    shingles = _shingles(essay)
    if not shingles.size:
        return []
    mixed = shingles[:, None] * _MULTIPLIERS[None, :]
    mixed ^= mixed >> np.uint64(29)
    return [_key("essay", number, int(least)) for number, least in enumerate(mixed.min(axis=0))]


def _shingles(text: str) -> NDArray[np.uint64]:
    codes = np.array([_CODES[sign] for sign in signs(text)], dtype=np.uint64)
    count = len(codes) - _SHINGLE + 1
    if count < 1:
        return np.empty(0, dtype=np.uint64)
    packed = np.zeros(count, dtype=np.uint64)
    for place in range(_SHINGLE):
        packed = (packed << np.uint64(4)) | codes[place : place + count]
    # The bits of a product's end depend on the end of its factor alone.
    return np.unique((packed ^ (packed >> np.uint64(23))) * np.uint64(0x9E3779B97F4A7C15))


def _child_keys(subject: Subject) -> Iterable[int]:
    """Return keys of two words of the name, and of one with the school, each word by any of three codes."""
    words = [word for word in name_words(subject.student_name) if len(word) > 1][:_MOST_WORDS]
    for one, other in combinations(words, 2):
        for left in _codes(one):
            for right in _codes(other):
                yield _key("name", *sorted((left, right)))
    grade = parse_grade(subject.grade or "").value
    school = _school(subject.school_name)
    for word in words:
        for code in _codes(word):
            if school:
                yield _key("school", code, school)
            elif grade:
                yield _key("grade", code, grade)


def _codes(word: str) -> Sequence[str]:
    """Return three codes of a word; a misread letter leaves one of them as it is."""
    return (f"s{word[0]}{signs(word)}", f"a{word[:4]}", f"z{word[-4:]}")


def _school(name: str | None) -> str:
    """Return a code of the words that tell a school from others."""
    words = [word for word in plain(name or "").split() if letters(word) not in _COMMON]
    return signs("".join(words)) or letters("".join(words))


def _key(*parts: object) -> int:
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)

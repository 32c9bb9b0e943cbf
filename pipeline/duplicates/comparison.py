"""Find entries that may be one among many, and compare them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations, pairwise
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from core.messages import LabelledEnum
from pipeline.duplicates.pictures import Fingerprint, picture_evidence
from pipeline.extraction.values.kinds import parse_grade
from pipeline.extraction.values.text import plain_text
from pipeline.schema import SubmissionRecord
from pipeline.spelling.prior import PARTICLES, all_names, fold_text, letters

# Decide whether two entries may be one, and on what evidence.


#: Logarithm of the odds from which two entries are shown to a person: usually; if no essay can be compared; and
#: if the essays differ, so that only the child can be the same.
_SAME, _NO_ESSAY, _SAME_CHILD = 9.0, 15.0, 17.0
#: Evidence from which the names, or the essays, are called alike.
_NAMED, _ALIKE = 5.0, 4.0
#: Odds beyond the threshold from which a match is called likely, and almost certain.
_LIKELY, _SURE = 4.0, 9.0
#: Evidence of the essays below which pictures cannot outweigh it.
_OTHER_ESSAY = -4.0


class Likeness(LabelledEnum, places=("likeness", "likenesses")):
    """Evidence that two entries are one."""

    PICTURE = "picture", "The pages show the same sheet."
    ESSAY = "essay", "The essays are almost identical."
    NAME = "name", "The names are the same, or one is a misreading of the other."
    SCHOOL_AND_GRADE = "school_and_grade", "School and grade match."
    NO_ESSAY = "no_essay", "One of them has no essay to compare."
    HALVES = "halves", "One is a form without an essay; the other is an essay without a form."
    OTHER_ESSAY = "other_essay", "The essays are different: the same child may have sent two."


class Strength(LabelledEnum, places=("strength",)):
    """How sure the machine is."""

    POSSIBLE = "possible", "possible"
    LIKELY = "likely", "likely"
    SURE = "sure", "almost certain"


@dataclass(frozen=True, slots=True)
class Match:
    """Two entries that a person has to compare, or may join."""

    likenesses: tuple[Likeness, ...]
    strength: Strength
    #: Logarithm of the odds, minus the threshold.
    odds: float
    #: Likeness of the essays (0-1); None where they cannot be compared.
    essay: float | None


def match_pair(
    one: Subject, other: Subject, *, one_entry_each: bool = False, neighbours: bool = False
) -> Match | None:
    """Return why two entries may be one; None if they are two.

    Two different essays of one child are two entries, unless the season takes `one_entry_each`. A form and an
    essay are the halves of one entry if they have one name, or came as `neighbours` and do not have two names.
    """
    name = name_evidence(one.student_name, other.student_name)
    if one.completes(other):
        return _halves(name, neighbours)
    place = school_evidence(one.school_name, other.school_name) + grade_evidence(one.grade, other.grade)
    alike = essay_likeness(one.essay_letters, other.essay_letters)
    essay = essay_evidence(one.essay_letters, other.essay_letters, alike)
    picture = 0.0
    if one.pages and other.pages and essay > _OTHER_ESSAY and name + place + essay < _SAME + _SURE:
        picture = picture_evidence(one.pages, other.pages)
    child = name + place
    if picture and alike is None and name < 0:
        # Two sheets without an essay differ in little but the name.
        picture = 0.0
    same = child + essay + picture
    if (essay > 0 or picture) and same >= _SAME:
        return _match(same - _SAME, name, place, essay, picture, alike)
    if alike is None and child >= _NO_ESSAY and name >= _NAMED:
        return _match(child - _NO_ESSAY, name, place, essay, picture, alike, Likeness.NO_ESSAY)
    if one_entry_each and child >= _SAME_CHILD and name >= _NAMED:
        return _match(child - _SAME_CHILD, name, place, 0.0, 0.0, alike, Likeness.OTHER_ESSAY)
    return None


def _halves(name: float, neighbours: bool) -> Match | None:
    """Return why a form and an essay may be halves of one entry."""
    if name < 0 or name < (0.0 if neighbours else _SAME):
        return None
    likenesses = (Likeness.NAME, Likeness.HALVES) if name >= _NAMED else (Likeness.HALVES,)
    strength = Strength.POSSIBLE if name < _NAMED else Strength.SURE if neighbours else Strength.LIKELY
    return Match(likenesses, strength, name, None)


def _match(
    odds: float, name: float, place: float, essay: float, picture: float, alike: float | None, *also: Likeness
) -> Match:
    found = {
        Likeness.PICTURE: picture > 0,
        Likeness.ESSAY: essay >= _ALIKE,
        Likeness.NAME: name >= _NAMED,
        Likeness.SCHOOL_AND_GRADE: place >= _ALIKE,
    }
    strength = Strength.SURE if odds >= _SURE else Strength.LIKELY if odds >= _LIKELY else Strength.POSSIBLE
    return Match((*(one for one, there in found.items() if there), *also), strength, odds, alike)


# Numbers for finding entries that may be one among many: two such entries share at least one number.
#
# Keys are stored in rows and must stay the same in later versions, so no library's hash is used.


#: Letters that readers confuse become one sign; letters that they leave out become none.
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("aeioucljt"),
        **dict.fromkeys("mnrwvuh", "n"),
        **dict.fromkeys("gqy", "g"),
        **dict.fromkeys("sz", "s"),
    }
)
_CODES = {sign: code for code, sign in enumerate("bdfgknpsx", start=1)}
#: Signs of a shingle (about six words), and keys of an essay.
_SHINGLE, _ESSAY_KEYS = 12, 24
#: Most words of a name that are combined.
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


def pair_keys(subject: Subject) -> list[int]:
    """Return the keys of an entry, as signed 64-bit numbers."""
    return sorted({*_essay_keys(subject.essay_letters), *_child_keys(subject)})


def signs(text: str) -> str:
    """Return a text reduced to what readers do not confuse: no doubled letters, no spaces, look-alikes merged."""
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
    # The low bits of a product depend only on the low bits of its factor.
    return np.unique((packed ^ (packed >> np.uint64(23))) * np.uint64(0x9E3779B97F4A7C15))


def _child_keys(subject: Subject) -> Iterable[int]:
    """Return keys of two words of the name, and of one word with the school, each word by one of three codes."""
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
    """Return three codes of a word; a misread letter leaves at least one of them unchanged."""
    return (f"s{word[0]}{signs(word)}", f"a{word[:4]}", f"z{word[-4:]}")


def _school(name: str | None) -> str:
    """Return a code of the words that distinguish a school."""
    words = [word for word in plain_text(name or "").split() if letters(word) not in _COMMON]
    return signs("".join(words)) or letters("".join(words))


def _key(*parts: object) -> int:
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)


# Evidence that two essays are one text, read or typed twice.


#: Least letters of an essay to be evidence at all, and to be evidence against a match.
_FEWEST, _ENOUGH = 24, 100
#: Below this ratio of lengths, the shorter essay may lack a page.
_PART = 0.75
#: Evidence by likeness of the letters. Unrelated English texts have a likeness of 0.5 to 0.6.
_BY_LIKENESS = ((0.62, -8.0), (0.68, 0.0), (0.78, 8.0), (0.9, 12.0))
#: Letters for each unit of evidence, as an upper bound: one sentence may be in many essays.
_LETTERS_A_UNIT = 14.0


def essay_likeness(left: str, right: str) -> float | None:
    """Return how alike the letters of two essays are (0-1); None if one is too short to tell."""
    if min(len(left), len(right)) < _FEWEST:
        return None
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) >= _PART * len(longer):
        return fuzz.ratio(shorter, longer) / 100
    return max(fuzz.ratio(shorter, part) for part in (longer[: len(shorter)], longer[-len(shorter) :])) / 100


def essay_evidence(left: str, right: str, likeness: float | None) -> float:
    """Return the logarithm of the likelihood ratio; 0 if nothing can be told."""
    if likeness is None:
        return 0.0
    length = min(len(left), len(right))
    said = _between(likeness)
    if said < 0:
        return said if length >= _ENOUGH else said / 2
    return min(said, length / _LETTERS_A_UNIT)


def _between(likeness: float) -> float:
    """Interpolate the table."""
    if likeness <= _BY_LIKENESS[0][0]:
        return _BY_LIKENESS[0][1]
    for (low, least), (high, most) in pairwise(_BY_LIKENESS):
        if likeness <= high:
            return least + (most - least) * (likeness - low) / (high - low)
    return _BY_LIKENESS[-1][1]


# Evidence of names, schools and grades that two entries are of one child: logarithms of likelihood ratios.
#
# Above 0 is for one child, below 0 for two. A shared rare name counts more than a common one, by the frequencies
# of `pipeline.spelling.prior`. Letters may be misread, given and family names swapped, one of several left out.


#: Bounds of the evidence of one equal word of a name.
_LEAST, _MOST = 1.5, 11.0
#: Evidence taken off what the national frequencies give: they mix given and family names, and in a school some
#: names are several times as frequent.
_NOT_EVEN = 2.0
#: Evidence lost by a misread letter: one letter in twenty is misread, and as one of few others.
_MISREAD = 4.0
#: Evidence of a word that only one name has, and of two words that cannot be the same.
_LEFT_OUT, _CLASH = -0.7, -4.5
_INITIAL = 1.5
#: Largest share of different letters in a misread word.
_MISREAD_SHARE = 0.4
#: Evidence by likeness (0-100) of two names of schools.
_SCHOOLS = ((88.0, 3.0), (75.0, 1.5), (60.0, 0.0))
_OTHER_SCHOOL = -2.5
_SAME_GRADE, _OTHER_GRADE = 1.8, -2.0
_PARTS = re.compile(r"[^a-z']+")


def name_words(name: str | None) -> list[str]:
    """Return the words of a name, letters a-z only, without titles and particles; initials have one letter."""
    words = (letters(word) for word in _PARTS.split(fold_text(name or "")))
    return [word for word in words if word and (len(word) == 1 or word not in PARTICLES)]


def name_evidence(one: str | None, other: str | None) -> float:
    """Return the evidence of two names; 0 if one is missing."""
    left, right = name_words(one), name_words(other)
    if not left or not right:
        return 0.0
    return max(_by_words(left, right), _as_one_word(left, right))


def school_evidence(one: str | None, other: str | None) -> float:
    """Return the evidence of two schools; 0 if one is missing."""
    if not one or not other:
        return 0.0
    likeness = fuzz.ratio(plain_text(one), plain_text(other))
    return next((weight for least, weight in _SCHOOLS if likeness >= least), _OTHER_SCHOOL)


def grade_evidence(one: str | None, other: str | None) -> float:
    """Return the evidence of two grades; 0 if one is missing or not a grade."""
    left, right = (parse_grade(grade or "").value for grade in (one, other))
    if left is None or right is None:
        return 0.0
    return _SAME_GRADE if left == right else _OTHER_GRADE


def _by_words(left: Sequence[str], right: Sequence[str]) -> float:
    """Pair the words in any order, those with the most evidence first."""
    pairs = sorted(
        (
            (weight, i, j)
            for i, one in enumerate(left)
            for j, other in enumerate(right)
            if (weight := _same(one, other))
        ),
        reverse=True,
    )
    lefts, rights = set(range(len(left))), set(range(len(right)))
    total = 0.0
    for weight, i, j in pairs:
        if weight > 0 and i in lefts and j in rights:
            total += weight
            lefts.discard(i)
            rights.discard(j)
    both = min(len(lefts), len(rights))
    return total + both * _CLASH + (max(len(lefts), len(rights)) - both) * _LEFT_OUT


def _as_one_word(left: Sequence[str], right: Sequence[str]) -> float:
    """Compare the names without their spaces: words may have been joined or divided in reading."""
    one, other = "".join(left), "".join(right)
    distance = OSA.distance(one, other)
    if len(left) == len(right) or distance > _MISREAD_SHARE / 2 * max(len(one), len(other)):
        return float("-inf")
    return sum(_says(word) for word in max(left, right, key=len)) - distance * _MISREAD


def _same(one: str, other: str) -> float:
    """Return the evidence of one word of each name if they may be the same word, else 0."""
    if len(one) == 1 or len(other) == 1:
        return _INITIAL if one[0] == other[0] else 0.0
    if one == other:
        return _says(one)
    distance = OSA.distance(one, other)
    if distance > _MISREAD_SHARE * max(len(one), len(other)):
        return 0.0
    # One of the two is the word that was meant; count the commoner one, which is less evidence.
    return max(min(_says(one), _says(other)) - distance * _MISREAD, 0.1)


def _says(word: str) -> float:
    return min(max(-all_names().of(word) - _NOT_EVEN, _LEAST), _MOST)


# The data by which two entries are compared.


#: Below the first number of letters there is no essay; from the second on there surely is one.
_NONE, _ESSAY = 24, 100
_NO_LETTERS = {code: None for code in range(128) if chr(code) not in ascii_lowercase}


@dataclass(frozen=True)
class Subject:
    """One entry, as read or as a person corrected it."""

    student_name: str | None = None
    school_name: str | None = None
    grade: str | None = None
    essay: str | None = None
    #: Of its pages, in order; empty if they have no pictures.
    pages: tuple[Fingerprint, ...] = ()

    @cached_property
    def essay_letters(self) -> str:
        """The essay as letters a-z only, so that spaces, accents and signs do not count."""
        bare = unicodedata.normalize("NFKD", self.essay or "").encode("ascii", "ignore").decode()
        return bare.lower().translate(_NO_LETTERS)

    @property
    def is_form_alone(self) -> bool:
        """Whether it has values of a form and no essay."""
        return bool(self.school_name or self.grade) and len(self.essay_letters) < _NONE

    @property
    def is_essay_alone(self) -> bool:
        """Whether it has an essay and, of a form's values, at most the name."""
        return not self.school_name and not self.grade and len(self.essay_letters) >= _ESSAY

    def completes(self, other: Subject) -> bool:
        """Whether one of the two is a form without its essay, the other an essay without its form."""
        return (self.is_form_alone and other.is_essay_alone) or (self.is_essay_alone and other.is_form_alone)


def as_subject(record: SubmissionRecord, pages: tuple[Fingerprint, ...] = ()) -> Subject:
    """Return the data by which an entry is compared."""
    return Subject(record.student_name, record.school_name, record.grade, record.essay_text, pages)

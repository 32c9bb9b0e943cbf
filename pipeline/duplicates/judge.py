"""Judge two entries: whether they may be one, and what speaks for it."""

from __future__ import annotations

from dataclasses import dataclass

from core.labels import LabelledEnum
from pipeline.duplicates.child import grade_evidence, name_evidence, school_evidence
from pipeline.duplicates.essay import essay_evidence, essay_likeness
from pipeline.duplicates.picture import picture_evidence
from pipeline.duplicates.subject import Subject

#: Logarithm of the odds from which two entries are shown to a person; where no essay can be compared; and where
#: the essays are different and only the child can be the same.
_SAME, _NO_ESSAY, _SAME_CHILD = 9.0, 15.0, 17.0
#: Evidence of name and essay from which it is called so.
_NAMED, _ALIKE = 5.0, 4.0
#: Odds beyond the threshold from which it is called likely and almost certain.
_LIKELY, _SURE = 4.0, 9.0
#: Essays below this likeness are not compared by their pictures to contradict them.
_OTHER_ESSAY = -4.0


class Likeness(LabelledEnum, places=("likeness", "likenesses")):
    """What speaks for two entries being one."""

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
    #: Logarithm of the odds, above what is needed.
    odds: float
    #: Likeness of the essays (0-1); None where they cannot be compared.
    essay: float | None


def judge(one: Subject, other: Subject, *, one_entry_each: bool = False, neighbours: bool = False) -> Match | None:
    """Return why two entries may be one; None where they are two.

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
    odds: float,
    name: float,
    place: float,
    essay: float,
    picture: float,
    alike: float | None,
    *also: Likeness,
) -> Match:
    found = {
        Likeness.PICTURE: picture > 0,
        Likeness.ESSAY: essay >= _ALIKE,
        Likeness.NAME: name >= _NAMED,
        Likeness.SCHOOL_AND_GRADE: place >= _ALIKE,
    }
    strength = Strength.SURE if odds >= _SURE else Strength.LIKELY if odds >= _LIKELY else Strength.POSSIBLE
    return Match((*(one for one, there in found.items() if there), *also), strength, odds, alike)

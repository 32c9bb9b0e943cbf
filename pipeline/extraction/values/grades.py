"""Grades: "K" or "1" to "12", from digits, ordinals and words in English and Spanish.

A room is so often written beside the grade ("404 1st", "Rm 214", "Grade 4 Room 12") that a number counts as a room
unless something indicates a grade: an ordinal, the word itself, or being the only number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from pipeline.extraction.values.text import plain

_ENGLISH = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_SPANISH = (
    ("primer", "primero", "primera"),
    ("segundo", "segunda"),
    ("tercer", "tercero", "tercera"),
    ("cuarto", "cuarta"),
    ("quinto", "quinta"),
    ("sexto", "sexta"),
    ("septimo", "septima", "setimo"),
    ("octavo", "octava"),
    ("noveno", "novena"),
    ("decimo", "decima"),
    ("undecimo", "undecima", "onceavo"),
    ("duodecimo", "duodecima", "doceavo"),
)
_CARDINAL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_SPANISH_CARDINAL = [
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
]
ORDINALS: dict[str, str] = {word: str(n) for n, word in enumerate(_ENGLISH, 1)} | {
    word: str(n) for n, forms in enumerate(_SPANISH, 1) for word in forms
}
_YEARS = {"freshman": "9", "sophomore": "10", "junior": "11", "senior": "12"}
_CARDINALS = {word: str(n) for words in (_CARDINAL, _SPANISH_CARDINAL) for n, word in enumerate(words, 1)}

#: Not the "K" of "K-12", which is a range.
_KINDER = re.compile(r"\b(?:kg|kdg|kinder(?:garten|garden)?|jardin(?: de (?:ninos|infantes))?)\b(?!\s*[-–]\s*\d)")
#: "K-12", "3-5": the grades of a school, not of a child.
_RANGE = re.compile(r"\b(?:k|\d{1,2}(?:st|nd|rd|th)?)\s*[-–]\s*\d{1,2}(?:th)?\b")
_PRE_K = re.compile(r"\b(?:pre[- ]?k(?:inder\w*)?|preschool|preescolar)\b")
#: The number after these words is a room or a teacher's, not a grade.
ROOM = re.compile(
    r"(?:\b(?:room|rm|salon|sala|aula|cuarto no|hr|homeroom|div|division)\b\.?"
    r"\s*+(?:no\.?|#|:|-)?\s*+#?\s*+[a-z]?-?\d{1,4}[a-z]?\b)|#\s*\d{1,4}\b"
)
_WORD = r"(?:grade|grado|gr|grd|level|nivel)"
#: The letter by itself is as often an initial of a name.
_K_OF_WORD = re.compile(rf"\b{_WORD}\b\.?\s*+[:#\-]?\s*+k\b|\bk[- ]+{_WORD}\b")
_K = re.compile(r"(?<![\w'.])k(?![\w'])")
_ORDINAL = re.compile(r"\b(\d{1,2})\s*(?:st|nd|rd|th|ro|do|to|er|mo|vo|no|o|a|°|º|ª)(?![a-z])")
_AFTER_WORD = re.compile(rf"\b{_WORD}\b\.?\s*+(?:level)?\s*+[:#\-]?\s*+(\d{{1,2}})(?!\d)")
_BEFORE_WORD = re.compile(rf"(?<!\d)(\d{{1,2}})\s*+[-–]?\s*+{_WORD}\b")
_ORDINAL_AND_WORD = re.compile(rf"\b([a-z]{{5,}})[- ]+{_WORD}\b")
_SECTION = re.compile(r"^(\d{1,2})\s*+[-/]?\s*+([a-h])$")
_ALONE = re.compile(r"(?<![\d.])(\d{1,4})(?![\d])")


@dataclass(frozen=True, slots=True)
class GradeReading:
    """A grade with the certainty (0-1) of its wording; `value` is None where the text is not a grade."""

    value: str | None
    certainty: float
    #: Whether the wording names a grade ("4th", "grade 4"), so that it counts outside a grade field too.
    explicit: bool = False


def parse_grade(text: str) -> GradeReading:
    """Parse the text of a grade field; `value` is None if it is ambiguous or not a grade."""
    line = plain(text)
    if _PRE_K.search(line) or _RANGE.search(line):
        return GradeReading(None, 0.0)
    if line.strip(" .") in _YEARS:
        return GradeReading(_YEARS[line.strip(" .")], 0.9)
    bare = ROOM.sub(" ", line)
    named = list(dict.fromkeys([*explicit_grades(bare), *_ordinals(bare)]))
    if len(named) > 1:
        return GradeReading(None, 0.0)
    if named:
        # A number beside an ordinal is the room. Two explicit grades are ambiguous (above).
        return GradeReading(named[0], 1.0 if bare == line else 0.9, explicit=True)
    return _bare_number(bare)


def _bare_number(line: str) -> GradeReading:
    if section := _SECTION.match(line):
        return GradeReading(_in_range(section[1]), 0.7)
    numbers = _ALONE.findall(line)
    grades = [g for g in map(_in_range, numbers) if g]
    if len(grades) == 1 and len(numbers) == 1:
        others = re.sub(r"[^a-z]", "", line)
        return GradeReading(grades[0], 1.0 if not others else 0.6)
    if len(grades) == 1:
        return GradeReading(grades[0], 0.6)
    if _K.search(line) and not numbers:
        return GradeReading("K", 0.6)
    words = [c for w in re.findall(r"[a-z]+", line) if (c := _CARDINALS.get(w))]
    return GradeReading(words[0], 0.9) if len(set(words)) == 1 and not numbers else GradeReading(None, 0.0)


def explicit_grades(text: str) -> list[str]:
    """Return the distinct grades that a line names explicitly, without rooms, in the order of the patterns."""
    line = ROOM.sub(" ", _RANGE.sub(" ", _PRE_K.sub(" ", plain(text))))
    found = [_in_range(m) for p in (_ORDINAL, _AFTER_WORD, _BEFORE_WORD) for m in p.findall(line)]
    found += [_ordinal(word) for word in _ORDINAL_AND_WORD.findall(line)]
    if alone := _ordinal(line.strip(" .,:-")):
        found.append(alone)
    if _KINDER.search(line) or _K_OF_WORD.search(line) or line.strip(" .,:-") == "k":
        found.append("K")
    return list(dict.fromkeys(g for g in found if g))


def _ordinals(line: str) -> list[str]:
    return [grade for word in re.findall(r"[a-z]+", line) if (grade := _ordinal(word))]


def _ordinal(word: str) -> str | None:
    if word in ORDINALS:
        return ORDINALS[word]
    if len(word) < 5:
        return None
    close = process.extractOne(word, ORDINALS.keys(), scorer=fuzz.ratio, score_cutoff=88)
    return ORDINALS[close[0]] if close else None


def _in_range(number: str) -> str | None:
    return str(int(number)) if 1 <= int(number) <= 12 else None

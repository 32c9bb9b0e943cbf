"""Check that a value from a model occurs in the document that the model was given."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from pipeline.extraction.values.grades import explicit_grades, parse_grade
from pipeline.extraction.values.text import plain
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import kind_of

_SPACES = re.compile(r"\s+")
_GRADE_WORD = re.compile(r"\b(?:grade|grado|gr|grader)\b")
#: Between the word "grade" and its number only dots, rules and brackets are allowed.
_GRADE_THEN_VALUE = re.compile(r"\b(?:grade|grado|gr)\b[\W_]{0,20}([a-z]+|\d{1,2})(?![\w])")
#: The range of grades that forms print ("K-12", "grades 1 to 12") does not count as a grade.
_PRINTED_SPAN = re.compile(r"\b(?:k|1)\s*(?:-|to|a|through)\s*12\b")
_PHONE_DIGITS = 7
_WORD = re.compile(r"[^\W\d_]{2}")
#: Labels and options in the notation of `model_text`.
_MARKS = re.compile(r"\[\w+\]|<[^<>]*+>")
#: Characters on either side of the word "grade" that are searched for a grade.
_NEAR = 24
#: A line of at most this many words is a filled-in value, not a sentence.
_SHORT_LINE_WORDS = 4
_PHONE_GAP = r"[\s().\-–/•·+]*"


def found_in_text(field: str, value: str, text: str) -> bool:
    """Whether `value` occurs in the text: folded, at word boundaries; for some fields also in equivalent forms."""
    return _TESTS.get(kind_of(field), _says)(value, text)


def can_be_found(field: str, text: str) -> bool:
    """Whether the text holds anything that `found_in_text` would accept for the field."""
    return _POSSIBLE.get(kind_of(field), _has_a_word)(text)


def folded(text: str) -> str:
    """Return a text in NFKC, case folded, with single spaces."""
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _SPACES.sub(" ", composed).strip()


def _says(value: str, text: str) -> bool:
    wanted = folded(value)
    return bool(wanted) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded(text)) is not None


def _names_grade(value: str, text: str) -> bool:
    """Whether the text names this grade. A bare "4" does not count: it occurs in nearly every document."""
    grade = parse_grade(value).value
    return grade is not None and any(grade in _grades_of(line) for line in text.splitlines())


def _grades_of(line: str) -> set[str]:
    """Return the grades that a line names explicitly; not a bare number, nor "first" in a sentence."""
    bare = _PRINTED_SPAN.sub(" ", plain(line))
    found: set[str | None] = set()
    for word in _GRADE_WORD.finditer(bare):
        found.update(explicit_grades(bare[max(0, word.start() - _NEAR) : word.end() + _NEAR]))
    found.update(parse_grade(match[1]).value for match in _GRADE_THEN_VALUE.finditer(bare))
    if len(bare.split()) <= _SHORT_LINE_WORDS:
        found.add(parse_grade(bare).value)
    if "kindergarten" in bare:
        found.add("K")
    return {grade for grade in found if grade}


def _has_phone(value: str, text: str) -> bool:
    digits = re.findall(r"[0-9]", value)
    if len(digits) < _PHONE_DIGITS:
        return False
    return re.search(rf"(?<!\d){_PHONE_GAP.join(digits)}(?!\d)", text) is not None


def _has_email(value: str, text: str) -> bool:
    """Whether the text contains the address, ignoring the spaces that recognition puts around @ and dots."""
    wanted = re.escape(folded(value).replace(" ", ""))
    joined = re.sub(r"(?>(?:(?<!\s)\s++)?)([@.])\s*+", r"\1", folded(text))
    return "@" in value and re.search(rf"(?<![\w.]){wanted}(?!\w)", joined) is not None


def _has_a_word(text: str) -> bool:
    return _WORD.search(_MARKS.sub(" ", text)) is not None


def _names_some_grade(text: str) -> bool:
    return any(_grades_of(line) for line in text.splitlines())


def _has_digits(text: str) -> bool:
    return sum(char.isdigit() for char in text) >= _PHONE_DIGITS


_TESTS: dict[FieldKind, Callable[[str, str], bool]] = {
    FieldKind.GRADE: _names_grade,
    FieldKind.PHONE: _has_phone,
    FieldKind.EMAIL: _has_email,
}

_POSSIBLE: dict[FieldKind, Callable[[str], bool]] = {
    FieldKind.GRADE: _names_some_grade,
    FieldKind.PHONE: _has_digits,
    FieldKind.EMAIL: lambda text: "@" in text,
    FieldKind.CHOICE: lambda text: "<" in text,
}

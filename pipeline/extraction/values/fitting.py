"""Whether a value is one that its field can have."""

from __future__ import annotations

from pipeline.extraction.values.dates import parse_date
from pipeline.extraction.values.grades import parse_grade
from pipeline.extraction.values.numbers import parse_number
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import DeclaredField, declared_fields
from pipeline.profiles.patterns import matches


def fits(name: str, value: str) -> bool:
    """Whether a stored value is one of its field's kind and of the pattern that the form gives for it.

    Only grades, dates and numbers are held against their kind: anything may be somebody's name.
    """
    declared = declared_fields().get(name)
    return declared is None or (of_kind(declared, value) == value and of_pattern(declared, value))


def of_kind(declared: DeclaredField, value: str) -> str | None:
    """Return the value in the form in which its kind is stored, None if it is none of the kind."""
    if declared.kind is FieldKind.GRADE:
        return parse_grade(value).value
    if declared.kind is FieldKind.DATE:
        return parse_date(value, declared.language).value
    if declared.kind is FieldKind.NUMBER:
        return parse_number(value).value
    return value


def of_pattern(declared: DeclaredField, value: str) -> bool:
    """Whether the value matches the pattern of its field, if that has one."""
    return declared.pattern is None or matches(declared.pattern, value)

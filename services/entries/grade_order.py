"""The order of grades."""

from __future__ import annotations


def grade_order(grade: str) -> tuple[int, str]:
    """Return what grades are sorted by: kindergarten, then by number, then what is no number, then none ("")."""
    if not grade:
        return 1001, ""
    if grade.upper() == "K":
        return 0, grade
    return (min(int(grade), 999) if grade.isdecimal() else 1000), grade

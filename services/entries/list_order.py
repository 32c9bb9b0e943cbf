"""The orders of the list of entries. Each has an index, so that any page costs the same."""

from __future__ import annotations

from sqlalchemy import Label, func

from core.labels import LabelledEnum
from core.models import Submission

#: "" where there is no name: a keyset knows no nulls.
_STUDENT: Label[str] = func.coalesce(Submission.student_name, "").label("by_student")
_SCHOOL: Label[str] = func.coalesce(Submission.school_name, "").label("by_school")


class ListOrder(LabelledEnum):
    """What the list is sorted by."""

    NEWEST = "newest", "Newest first"
    OLDEST = "oldest", "Oldest first"
    STUDENT = "student", "Student"
    STUDENT_BACK = "student-z", "Student, Z to A"
    SCHOOL = "school", "School"
    SCHOOL_BACK = "school-z", "School, Z to A"

    @property
    def name_column(self) -> Label[str] | None:
        """The expression that it sorts by; None for the time of receipt."""
        if self in (ListOrder.STUDENT, ListOrder.STUDENT_BACK):
            return _STUDENT
        return _SCHOOL if self in (ListOrder.SCHOOL, ListOrder.SCHOOL_BACK) else None

    @property
    def descending(self) -> bool:
        """Whether the greatest value comes first."""
        return self in (ListOrder.NEWEST, ListOrder.STUDENT_BACK, ListOrder.SCHOOL_BACK)

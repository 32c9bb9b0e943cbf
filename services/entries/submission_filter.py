"""Which entries: the filters of the list, of exports and of everything that is done to a selection."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, func

from core.models import Submission
from services.late import is_late


@dataclass(frozen=True)
class SubmissionFilter:
    """Filters of the list; None does not filter."""

    status: str | None = None
    reason: str | None = None
    school: str | None = None
    grade: str | None = None
    batch_id: uuid.UUID | None = None
    needs_review: bool | None = None
    #: Key of the form that it was read with.
    form: str | None = None
    #: Received after the season's deadline.
    late: bool | None = None
    #: Words or beginnings of words of the student's or the school's name.
    text: str | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the conditions on `Submission`."""
        found: list[ColumnElement[bool]] = []
        if self.status:
            found.append(Submission.status == self.status)
        if self.reason:
            found.append(Submission.review_reason_codes.contains([self.reason]))
        if self.school:
            found.append(Submission.school_name == self.school)
        if self.grade:
            found.append(Submission.grade == self.grade)
        if self.batch_id:
            found.append(Submission.batch_id == self.batch_id)
        if self.needs_review is not None:
            found.append(Submission.needs_review.is_(self.needs_review))
        if self.form:
            found.append(Submission.profile == self.form)
        if self.late is not None:
            found.append(is_late() if self.late else ~is_late())
        words = re.findall(r"\w+", self.text or "")
        if words:
            beginnings = " & ".join(f"{word}:*" for word in words)
            found.append(Submission.search.op("@@")(func.to_tsquery("simple", beginnings)))
        return found

    def to_json(self) -> dict[str, Any]:
        """Return what filters, as JSON."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        return {name: str(value) if isinstance(value, uuid.UUID) else value for name, value in given.items()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> SubmissionFilter:
        """Return the filter that `to_json` gave; what this version has no field for does not filter."""
        known = {one.name for one in fields(cls)}
        batch_id = stored.get("batch_id")
        given = {name: value for name, value in stored.items() if name in known}
        return cls(**{**given, "batch_id": uuid.UUID(batch_id) if batch_id else None})

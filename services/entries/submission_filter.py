"""Which entries: the filters of the list, of exports and of everything that is done to a selection."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, cast, false, or_
from sqlalchemy import text as text_of_sql
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.orm import Session

from core.models import Submission
from services.late import is_late
from services.schools.same_school import is_school

_WORD = re.compile(r"[^\W_]")
#: The beginning of an entry's id, which pages show, or the whole of it.
_CODE = re.compile(r"[0-9a-f]{8}[0-9a-f-]*", re.IGNORECASE)
_CODE_LENGTH = 32
_QUERY = text_of_sql(
    "select public.search_query(:looked_for)::text from set_config('plan_cache_mode', 'force_custom_plan', true)"
)
#: What is near is mostly rare, which the planner does not know of words that it has no statistics of: it would go
#: through the whole list.
_NEAR_QUERY = text_of_sql(
    "select q::text from public.search_query(:looked_for, true) q, set_config('enable_indexscan',"
    " case when public.search_is_common(q) then 'on' else 'off' end, true)"
)


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
    #: Words of the student's, the school's or the file's name, or their beginnings, without accents; the end of a
    #: phone number, an e-mail address, or the entry's short code.
    text: str | None = None
    #: In place of the entries that have the text, those that have it with a letter wrong or missing in a word.
    similar: bool | None = None

    def conditions(self, session: Session) -> list[ColumnElement[bool]]:
        """Return the conditions on `Submission`, for statements of the session's transaction."""
        found: list[ColumnElement[bool]] = []
        if self.status:
            found.append(Submission.status == self.status)
        if self.reason:
            found.append(Submission.review_reason_codes.contains([self.reason]))
        if self.school:
            found.append(is_school(self.school))
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
        if self.text and self.searches:
            has_text = or_(_matches(session, self.text), *_of_code(self.text))
            found += [_matches(session, self.text, near=True), ~has_text] if self.similar else [has_text]
        return found

    @property
    def searches(self) -> bool:
        """Whether there is anything in the text that could be found."""
        return bool(_WORD.search(self.text or ""))

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


def _matches(session: Session, text: str, near: bool = False) -> ColumnElement[bool]:
    """Return the condition that an entry has the words, or words that are near them.

    The query is worked out first: how it is best answered depends on how common its words are, which the planner
    knows of words alone. For the same reason no plan is kept that serves any words.
    """
    query = session.scalars(_NEAR_QUERY if near else _QUERY, {"looked_for": text}).one()
    found: ColumnElement[bool] = Submission.search.bool_op("@@")(cast(query, TSQUERY))
    return found if query else false()


def _of_code(text: str) -> list[ColumnElement[bool]]:
    """Return the condition that the entry's id begins so, if the text can be a short code."""
    code = text.strip().replace("-", "").lower()
    if not _CODE.fullmatch(text.strip()) or len(code) > _CODE_LENGTH:
        return []
    first, last = (uuid.UUID(code.ljust(_CODE_LENGTH, end)) for end in "0f")
    return [Submission.id.between(first, last)]

"""The filters of entries in requests."""

from __future__ import annotations

import uuid

from pydantic import Field

from core.models import SubmissionStatus
from services.entries.submission_filter import SubmissionFilter
from web.api.protocol.wire import Given, ShortText


class SubmissionFilters(Given):
    """Which entries; what is left out does not filter."""

    status: SubmissionStatus | None = None
    reason: ShortText | None = Field(None, description="A reason code.")
    school: ShortText | None = None
    grade: ShortText | None = None
    batch: uuid.UUID | None = None
    needs_review: bool | None = None
    form: ShortText | None = Field(None, description="Key of the form that it was read with.")
    q: ShortText | None = Field(
        None,
        description="Words, or their beginnings, of the student's, the school's or the file's name, without "
        "accents; the end of a phone number, an e-mail address, or the entry's short code.",
    )
    similar: bool | None = Field(
        None,
        description="In place of the entries that have `q`, those that have it with a letter wrong or missing.",
    )

    def wanted(self) -> SubmissionFilter:
        """Return the filter; empty texts do not filter."""
        return SubmissionFilter(
            status=self.status,
            reason=self.reason or None,
            school=self.school or None,
            grade=self.grade or None,
            batch_id=self.batch,
            needs_review=self.needs_review,
            form=self.form or None,
            text=self.q or None,
            similar=self.similar or None,
        )

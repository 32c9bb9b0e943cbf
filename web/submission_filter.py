"""The filters of entries in addresses."""

from __future__ import annotations

import uuid
from typing import Any

from werkzeug.datastructures import MultiDict

from core.labels import keys_of
from core.models import SubmissionStatus
from services.entries.submission_filter import SubmissionFilter


def wanted_submissions(given: MultiDict[str, str]) -> SubmissionFilter:
    """Read the filter from parameters of an address or a form; invalid values are ignored."""
    return SubmissionFilter(
        status=given.get("status") if given.get("status") in keys_of(SubmissionStatus) else None,
        reason=_text(given.get("reason")),
        school=_text(given.get("school")),
        grade=_text(given.get("grade")),
        batch_id=given.get("batch", type=uuid.UUID),
        needs_review={"yes": True, "no": False}.get(given.get("needs_review", "")),
        form=_text(given.get("form")),
        late={"yes": True, "no": False}.get(given.get("late", "")),
        text=_text(given.get("q")),
        similar=True if given.get("similar") == "yes" and _text(given.get("q")) else None,
    )


def _text(given: str | None) -> str | None:
    """Return what was typed, at most 200 characters; None for nothing."""
    return (given or "").strip()[:200] or None


def as_sent(wanted: SubmissionFilter) -> dict[str, Any]:
    """Return a filter as parameters of an address or a form."""
    named = {
        "status": wanted.status,
        "reason": wanted.reason,
        "school": wanted.school,
        "grade": wanted.grade,
        "batch": wanted.batch_id,
        "needs_review": None if wanted.needs_review is None else ("yes" if wanted.needs_review else "no"),
        "form": wanted.form,
        "late": None if wanted.late is None else ("yes" if wanted.late else "no"),
        "q": wanted.text,
        "similar": "yes" if wanted.similar else None,
    }
    return {name: str(value) for name, value in named.items() if value is not None}

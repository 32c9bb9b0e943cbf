"""Values that an entry's upload suggests for its empty fields; a person takes them or does not."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.models import COMPLETE_STATUSES, Submission, SubmissionField
from pipeline.profiles.declared import fields_of_form
from pipeline.supabase_db import get_field_values
from pipeline.validation.defaults import DEFAULT_FIELDS
from services.defaults.in_force import defaults_in_force


def offered_values(session: Session, submission: Submission) -> Mapping[str, str]:
    """Return {field: value} for fields of the entry that are empty.

    These are what was said of the whole batch; else what all settled entries of the same upload have in common, if
    they have only one value and none of them lacks it.
    """
    asked = fields_of_form(submission.profile, submission.profile_version)
    stored = get_field_values(session, submission.id, DEFAULT_FIELDS)
    empty = [name for name in DEFAULT_FIELDS if name in asked and not (stored.get(name) or "").strip()]
    if not empty:
        return {}
    said = defaults_in_force(session, submission.batch_id).values
    offered = {**_shared(session, submission), **said}
    return {name: offered[name] for name in empty if name in offered}


def _shared(session: Session, submission: Submission) -> dict[str, str]:
    """Return {field: value} of what all settled entries of the upload have in common."""
    others = (
        Submission.upload_id == submission.upload_id,
        Submission.id != submission.id,
        Submission.status.in_(COMPLETE_STATUSES),
    )
    number = session.scalar(select(func.count()).select_from(Submission).where(*others))
    rows = session.execute(
        select(SubmissionField.name, func.min(SubmissionField.value))
        .join(Submission, Submission.id == SubmissionField.submission_id)
        .where(*others, SubmissionField.name.in_(DEFAULT_FIELDS), SubmissionField.value.is_not(None))
        .group_by(SubmissionField.name)
        .having(func.count(SubmissionField.value.distinct()) == 1, func.count() == number)
    )
    return {row[0]: row[1] for row in rows if row[1]}

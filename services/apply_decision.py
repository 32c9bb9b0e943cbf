"""Bring a person's values into an entry and work out where it stands then."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import InvalidInputError
from core.models import Submission, SubmissionStatus
from pipeline.schema import FIELD_NAMES
from pipeline.validate import can_approve_record, clean_person_value, settled_reason_codes
from services.audit import event
from services.record_rows import load_record, project, set_values
from services.seasons import season_policy

#: Characters that a person may give a field, and one of those that hold a whole text. Lists show the former.
MAX_VALUE, MAX_TEXT = 300, 100_000
TEXT_FIELDS = frozenset({"essay_text", "parent_reaction"})


@dataclass(frozen=True)
class Standing:
    """Where an entry stands after a decision."""

    status: SubmissionStatus
    missing: list[str]


def apply_values(
    session: Session,
    settings: Settings,
    submission: Submission,
    actor_id: uuid.UUID,
    values: Mapping[str, str | None],
    doubted: Collection[str] = (),
) -> Standing:
    """Write the values, clear the reason codes they settle and set the entry's status and version.

    The entry is `resolved` when `can_approve_record` finds nothing missing and no required field is `doubted`
    (its value was rejected and none given instead); else `escalated`. Raises InvalidInputError for a value that
    does not fit its field.
    """
    cleaned = {name: _cleaned(name, value) for name, value in values.items() if name in FIELD_NAMES}
    before = set_values(session, submission, cleaned)
    record = load_record(session, submission)
    policy = season_policy(session, submission.season_id, settings)
    approvable, missing = can_approve_record(record, policy)
    missing += [name for name in doubted if name in policy.required_for(record.doc_class) and name not in missing]
    record.review_reason_codes = settled_reason_codes(record, policy)
    submission.version += 1
    submission.missing_fields = missing
    submission.needs_review = not approvable or bool(missing)
    submission.review_reason_codes = record.review_reason_codes
    status = SubmissionStatus.ESCALATED if submission.needs_review else SubmissionStatus.RESOLVED
    submission.status = status.value
    project(submission, record)
    for name, value in cleaned.items():
        if before.get(name) != value:
            session.add(
                event(submission, "edited", actor_id, field_name=name, before=before.get(name), after=value)
            )
    return Standing(status, missing)


def _cleaned(name: str, value: str | None) -> str | None:
    longest = MAX_TEXT if name in TEXT_FIELDS else MAX_VALUE
    if value is not None and len(value) > longest:
        raise InvalidInputError(f"{name}: at most {longest:,} characters")
    if not any(char.isprintable() and not char.isspace() for char in value or ""):
        return None
    return clean_person_value(name, value)

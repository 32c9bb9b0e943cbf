"""Bring a person's values into an entry and work out where it stands then."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import InvalidInputError
from core.models import Submission, SubmissionStatus
from pipeline.extraction.values.text import word_count
from pipeline.profiles.declared import text_fields
from pipeline.schema import FIELD_NAMES
from pipeline.supabase_db import get_record_by_id, update_record
from pipeline.validate import can_approve_record, clean_person_value, settled_reason_codes
from services.audit import event
from services.seasons import season_policy

#: Characters that a person may give a field, and one of those that hold a whole text. Lists show the former.
MAX_VALUE, MAX_TEXT = 300, 100_000


@dataclass(frozen=True)
class Standing:
    """Where an entry stands after a decision."""

    status: SubmissionStatus
    missing: list[str]
    #: What the fields held before, by name.
    before: Mapping[str, str | None]
    #: What they hold now.
    after: Mapping[str, str | None]

    @property
    def changed(self) -> dict[str, str | None]:
        """The fields whose value is another one now, with that value."""
        return {name: value for name, value in self.after.items() if self.before[name] != value}


def apply_values(
    session: Session,
    settings: Settings,
    submission: Submission,
    values: Mapping[str, str | None],
    doubted: Collection[str] = (),
) -> Standing:
    """Write cleaned values, clear the reason codes they settle and set the entry's status and version.

    The entry is `resolved` when `can_approve_record` finds nothing missing and no required field is `doubted`
    (its value was rejected and none given instead); else `escalated`.
    """
    before = update_record(session, submission.id, values)
    record = get_record_by_id(session, submission.id)
    policy = season_policy(session, submission.season_id, settings)
    approvable, missing = can_approve_record(record, policy)
    missing += [name for name in doubted if name in policy.required_for(record.doc_class) and name not in missing]
    submission.version += 1
    submission.missing_fields = missing
    submission.needs_review = not approvable or bool(missing)
    submission.review_reason_codes = settled_reason_codes(record, policy)
    status = SubmissionStatus.ESCALATED if submission.needs_review else SubmissionStatus.RESOLVED
    submission.status = status.value
    return Standing(status, missing, before, dict(values))


def tell_edits(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    standing: Standing,
    reason: str | None,
    told: Collection[str] = (),
) -> None:
    """Write an event for each value that was changed, but for those that are `told` otherwise."""
    for name, value in standing.changed.items():
        if name in told:
            continue
        session.add(
            event(
                submission,
                "edited",
                actor_id,
                field_name=name,
                before=standing.before[name],
                after=value,
                reason=reason,
            )
        )


def cleaned_values(values: Mapping[str, str | None]) -> dict[str, str | None]:
    """What a person typed, as it is kept. Raises InvalidInputError for a value that does not fit its field."""
    unknown = set(values) - set(FIELD_NAMES)
    if unknown:
        raise InvalidInputError(f"no such field: {', '.join(sorted(unknown))}")
    return with_derived({name: cleaned_value(name, value) for name, value in values.items()})


def with_derived(values: Mapping[str, str | None]) -> dict[str, str | None]:
    """The values, and the count of words where an essay is among them."""
    if "essay_text" not in values:
        return dict(values)
    essay = values["essay_text"]
    return {**values, "word_count": None if essay is None else str(word_count(essay))}


def cleaned_value(name: str, value: str | None) -> str | None:
    """One value as it is kept: None where nothing is left of it. Raises InvalidInputError."""
    longest = MAX_TEXT if name in text_fields() else MAX_VALUE
    if value is not None and len(value) > longest:
        raise InvalidInputError(f"{name}: at most {longest:,} characters")
    if not any(char.isprintable() and not char.isspace() for char in value or ""):
        return None
    return clean_person_value(name, value)

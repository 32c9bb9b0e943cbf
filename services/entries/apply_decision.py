"""Write a person's values into an entry and compute the entry's new status."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import InvalidInputError
from core.messages import Message
from core.models import Submission, SubmissionStatus
from pipeline.extraction.values.text import word_count
from pipeline.profiles.declared import fields_of_form, text_fields
from pipeline.schema import FIELD_NAMES, FieldReading
from pipeline.supabase_db import get_record_by_id, update_record
from pipeline.validate import can_approve_record, clean_person_value, settled_reason_codes, without_duplicate
from pipeline.validation.policy import Policy
from services.audit import event
from services.duplicates.open_pairs import is_doubted
from services.messages.refused import Refused
from services.policy.waivers import Waiver, waive
from services.runs.aside_rows import end_answered
from services.seasons import season_policy

#: Limits in characters of a field's value: of an ordinary field, and of one that holds a whole text.
MAX_VALUE, MAX_TEXT = 300, 100_000


@dataclass(frozen=True)
class Standing:
    """Status and values of an entry after a decision."""

    status: SubmissionStatus
    missing: list[str]
    #: The previous values of the written fields, by name.
    before: Mapping[str, str | None]
    #: The new values of the written fields, by name.
    after: Mapping[str, str | None]

    @property
    def changed(self) -> dict[str, str | None]:
        """The fields whose value has changed, with their new values."""
        return {name: value for name, value in self.after.items() if self.before[name] != value}


def apply_values(
    session: Session,
    settings: Settings,
    submission: Submission,
    values: Mapping[str, str | None],
    doubted: Collection[str] = (),
    policy: Policy | None = None,
    waiver: Waiver | None = None,
    *,
    actor_id: uuid.UUID,
    origins: Mapping[str, FieldReading] | None = None,
) -> Standing:
    """Write cleaned values that this person stands by, and set the entry's status and version.

    The reason codes that they settle are cleared. The entry is `resolved` when `can_approve_record` finds nothing
    missing and no required field is `doubted` (its value was rejected and none given instead); else `escalated`.
    Raises InvalidInputError for a field that its form does not ask for. `policy`: the season's, where it was made
    before. `origins`: readings that the person may have taken the values from; a value that is neither there nor
    in the entry was typed. `waiver`: what is accepted as it is; raises what `waive` raises. What the entry was
    set aside for ends with an answer to it.
    """
    asked = fields_of_form(submission.profile, submission.profile_version)
    if unknown := sorted(set(values) - set(asked)):
        raise InvalidInputError(Refused.NO_SUCH_FIELD, names=unknown)
    before = update_record(session, submission.id, values, actor_id, origins)
    record = get_record_by_id(session, submission.id)
    if not is_doubted(session, submission.id):
        record = without_duplicate(record)
    policy = policy or season_policy(session, submission.season_id, settings)
    if waiver is not None:
        record = waive(session, submission, record, policy, waiver)
    approvable, missing = can_approve_record(record, policy)
    missing += [name for name in doubted if name in policy.required_of(record) and name not in missing]
    submission.version += 1
    submission.missing_fields = missing
    submission.needs_review = not approvable or bool(missing)
    submission.review_reason_codes = settled_reason_codes(record, policy)
    status = SubmissionStatus.ESCALATED if submission.needs_review else SubmissionStatus.RESOLVED
    submission.status = status.value
    end_answered(session, submission.id, [name for name, value in values.items() if value is not None])
    return Standing(status, missing, before, dict(values))


def tell_edits(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    standing: Standing,
    reason: str | None,
    told: Collection[str] = (),
    message: Message | None = None,
) -> None:
    """Add an "edited" event for each changed value, except for fields in `told`, whose events exist already.

    `message`: what the machine says of it.
    """
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
                message=message,
            )
        )


def cleaned_values(values: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return typed values in their stored form. Raises InvalidInputError for an unknown field or invalid value."""
    unknown = set(values) - set(FIELD_NAMES)
    if unknown:
        raise InvalidInputError(Refused.NO_SUCH_FIELD, names=sorted(unknown))
    return with_derived({name: cleaned_value(name, value) for name, value in values.items()})


def with_derived(values: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the values, with `word_count` added if they contain an essay."""
    if "essay_text" not in values:
        return dict(values)
    essay = values["essay_text"]
    return {**values, "word_count": None if essay is None else str(word_count(essay))}


def cleaned_value(name: str, value: str | None) -> str | None:
    """Return one value in its stored form, None if nothing is left of it. Raises InvalidInputError."""
    longest = MAX_TEXT if name in text_fields() else MAX_VALUE
    if value is not None and len(value) > longest:
        raise InvalidInputError(Refused.VALUE_TOO_LONG, field=name, limit=longest)
    if not any(char.isprintable() and not char.isspace() for char in value or ""):
        return None
    return clean_person_value(name, value)

"""Change an entry: decisions and edits."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import ConflictError, ForbiddenError, InvalidInputError
from core.messages import Message
from core.models import DecisionKind, Profile, Submission, SubmissionStatus
from pipeline.extraction.values.text import word_count
from pipeline.profiles import fields_of_form, text_fields
from pipeline.reason_codes import ReasonCode
from pipeline.schema import FIELD_NAMES, FieldReading, SubmissionRecord
from pipeline.supabase_db import get_record_by_id, update_record
from pipeline.validate import can_approve_record, clean_person_value, settled_reason_codes, without_duplicate
from pipeline.validation.certainty import waivable
from pipeline.validation.policy import Policy, WaivedBy
from services.accounts.person import Role
from services.audit import event, tell_values
from services.context import Context
from services.duplicates import is_doubted
from services.entries.decision import begin_decision, tell_items, win_entry
from services.items.holds import refuse_if_held
from services.messages.entries import Conflict, EventReason, Refused
from services.runs.inputs import end_answered
from services.runs.settle import ask_for_missing
from services.seasons import season_policy

_WAITING = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED)
_SETTLED = (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED)
#: Statuses of entries whose values a person may change.
EDITABLE = frozenset({*_WAITING, *_SETTLED})


@dataclass(frozen=True)
class BulkOf:
    """A change of many entries of one season."""

    id: uuid.UUID
    #: The season's, made once for all of them: it looks through every entry for the schools that these teach.
    policy: Policy


@dataclass(frozen=True)
class Edited:
    """Status of the entry after a correction."""

    submission_id: uuid.UUID
    version: int
    status: SubmissionStatus
    missing: list[str]
    #: The id that `undo_decision` takes.
    decision_id: uuid.UUID


def edit_record(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    version: int,
    values: Mapping[str, str | None],
    reason: str | None = None,
    bulk: BulkOf | None = None,
) -> Edited:
    """Write the values. A waiting entry keeps waiting; a settled entry that is now incomplete waits again.

    `bulk`: the bulk change that this is part of. Raises ConflictError, saying who did what, if the entry changed
    since `version`, another person holds it or it is neither settled nor waiting; InvalidInputError for an invalid
    value.
    """
    cleaned = cleaned_values(values)
    if not cleaned:
        raise InvalidInputError(Refused.NO_VALUE)
    with context.database.session() as session:
        submission = win_entry(session, submission_id, version)
        status = SubmissionStatus(submission.status)
        if status not in EDITABLE:
            raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=status)
        refuse_if_held(session, submission_id, actor_id)
        decision = begin_decision(context.settings, session, submission, None, actor_id, cleaned)
        policy = None if bulk is None else bulk.policy
        standing = apply_values(session, context.settings, submission, cleaned, policy=policy, actor_id=actor_id)
        message = None if bulk is None else Message.of(EventReason.AMONG_MANY)
        tell_edits(session, submission, actor_id, standing, reason, message=message)
        decision.before["escalates"] = False
        if status in _WAITING:
            submission.status, submission.needs_review = status.value, True
            tell_items(session, submission_id, standing.changed)
        elif standing.status == SubmissionStatus.ESCALATED:
            ask_for_missing(session, decision.run, standing.missing)
            decision.before["escalates"] = True
        decision_id = decision.keep(
            DecisionKind.EDIT, bulk_id=None if bulk is None else bulk.id, edits=len(standing.changed)
        )
        status = SubmissionStatus(submission.status)
        return Edited(submission.id, submission.version, status, standing.missing, decision_id)


@dataclass(frozen=True)
class Waiver:
    """What a person accepts as it is, and why."""

    actor_id: uuid.UUID
    fields: tuple[str, ...]
    reason: str


def waiver_of(actor_id: uuid.UUID, fields: Collection[str], reason: str | None) -> Waiver | None:
    """Return the waiver of these fields, None for no fields. Raises InvalidInputError without a reason."""
    if not fields:
        return None
    if not (reason or "").strip():
        raise InvalidInputError(Refused.WAIVER_WITHOUT_REASON)
    return Waiver(actor_id, tuple(sorted(set(fields))), (reason or "").strip())


def may_waive(policy: Policy, role: Role) -> bool:
    """Whether a person of this role may accept an entry as it is, by the season's rule."""
    if policy.waived_by is WaivedBy.NOBODY:
        return False
    return role.may_administer if policy.waived_by is WaivedBy.ADMINS else role.may_review


def waive(
    session: Session, submission: Submission, record: SubmissionRecord, policy: Policy, waiver: Waiver
) -> SubmissionRecord:
    """Record on the entry, and in its history, what is accepted; return its record with the waiver.

    Raises ForbiddenError if the person may not, InvalidInputError for a field that cannot be accepted as it is.
    """
    if not may_waive(policy, Role(session.get_one(Profile, waiver.actor_id).role)):
        raise ForbiddenError(Refused.MAY_NOT_WAIVE)
    if refused := sorted(set(waiver.fields) - set(waivable(record, policy))):
        raise InvalidInputError(Refused.NOT_WAIVABLE, fields=refused)
    submission.waived = sorted({*submission.waived, *waiver.fields})
    for name in waiver.fields:
        session.add(
            event(
                submission,
                "waived",
                waiver.actor_id,
                field_name=name,
                reason=waiver.reason,
                # The decision that this is a part of raises the version.
                version=submission.version + 1,
            )
        )
    return record.model_copy(update={"waived": list(submission.waived)})


#: Limits in characters of a field's value: of an ordinary field, and of one that holds a whole text.
MAX_VALUE, MAX_TEXT = 300, 100_000


@dataclass(frozen=True)
class DecidedState:
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
) -> DecidedState:
    """Write cleaned values that this person stands by, and set the entry's status and version.

    The reason codes that they settle are cleared. The entry is `resolved` when `can_approve_record` finds nothing
    missing and no required field is `doubted` (its value was rejected and none given instead); else `escalated`.
    Raises InvalidInputError for a field that its form does not ask for. `policy`: the season's, if it was made
    before. `origins`: readings that the person may have taken the values from; a value that is neither there nor
    in the entry was typed. `waiver`: what is accepted as it is; raises what `waive` raises. An answer that the
    entry was set aside for ends that.
    """
    asked = fields_of_form(submission.profile, submission.profile_version)
    if unknown := sorted(set(values) - set(asked)):
        raise InvalidInputError(Refused.NO_SUCH_FIELD, names=unknown)
    before = update_record(session, submission.id, values, actor_id, origins)
    record = get_record_by_id(session, submission.id)
    if not is_doubted(session, submission.id):
        record = without_duplicate(record)
    season_id, made = submission.season_id, policy
    policy = made or season_policy(session, season_id, settings, with_taught=False)
    if waiver is not None:
        record = waive(session, submission, record, policy, waiver)
    approvable, missing = can_approve_record(record, policy)
    missing += [name for name in doubted if name in policy.required_of(record) and name not in missing]
    codes = settled_reason_codes(record, policy)
    if made is None and ReasonCode.UNKNOWN_SCHOOL in codes:
        # It is not on the list, but settled entries may have it.
        codes = settled_reason_codes(record, season_policy(session, season_id, settings))
    submission.version += 1
    submission.missing_fields = missing
    submission.needs_review = not approvable or bool(missing)
    submission.review_reason_codes = codes
    status = SubmissionStatus.ESCALATED if submission.needs_review else SubmissionStatus.RESOLVED
    submission.status = status.value
    end_answered(session, submission.id, [name for name, value in values.items() if value is not None])
    return DecidedState(status, missing, before, dict(values))


def tell_edits(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    standing: DecidedState,
    reason: str | None,
    recorded: Collection[str] = (),
    message: Message | None = None,
) -> None:
    """Add an "edited" event for each changed value, except for fields in `recorded`, whose events exist already.

    `message`: the machine's explanation.
    """
    told = {name: value for name, value in standing.after.items() if name not in recorded}
    tell_values(session, submission, "edited", standing.before, told, actor_id, reason=reason, message=message)


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

"""Accept an entry as it is: who may, and what is written of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.orm import Session

from core.errors import ForbiddenError, InvalidInputError
from core.models import Profile, Submission
from pipeline.schema import SubmissionRecord
from pipeline.validation.confidence import waivable
from pipeline.validation.policy import Policy, WaivedBy
from services.accounts.roles import Role
from services.audit import event
from services.messages.refused import Refused

__all__ = ["Waiver", "may_waive", "waivable", "waive", "waiver_of"]


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
    """Write on the entry, and in its history, what is accepted; return its record, which honours it.

    Raises ForbiddenError for a person who may not, InvalidInputError for a field that cannot be accepted as it is.
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
                # The decision that it is a part of raises the version.
                version=submission.version + 1,
            )
        )
    return record.model_copy(update={"waived": list(submission.waived)})

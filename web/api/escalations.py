"""The API's escalations: listed, held, settled."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import Field

from core.errors import HeldError
from core.models import EscalationStatus, SecurityEventKind, SubmissionStatus
from services.items.holds import Hold, Kind, release_hold, take_hold
from services.messages.entries import Conflict
from services.review.escalations import Action, EscalationDetail, escalation_detail, resolve_escalation
from services.review.undo import last_decision
from services.review.waiting import WaitingFilter, list_waiting, next_waiting
from web.access import get_context, get_person
from web.api.operation import operation, version_seen
from web.api.protocol import (
    Asked,
    FieldName,
    ListPage,
    Reason,
    RequestModel,
    ResponseModel,
    Share,
    ShortText,
    Told,
    Version,
    Waived,
    Words,
)
from web.api.suggestions import EscalationPageQuery, NextQuery
from web.security.requests import viewed


class EscalationLine(ResponseModel):
    """One line of the queue."""

    id: uuid.UUID
    submission_id: uuid.UUID
    created_at: datetime
    reason: Told
    reason_codes: list[str]
    missing_fields: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    confidence: Share | None


class EscalationList(ListPage[EscalationLine]):
    """Escalations, oldest first."""


class NextEscalation(ResponseModel):
    """The escalation to take next; null if the queue is empty."""

    id: uuid.UUID | None
    submission_id: uuid.UUID | None


class EscalationShape(ResponseModel):
    """One escalation; its entry is `/submissions/{submission_id}`."""

    id: uuid.UUID
    submission_id: uuid.UUID
    version: int
    status: EscalationStatus
    reason: Told
    created_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    held_by: str | None = Field(description="Who has it open.")
    held_until: datetime | None


@operation("GET", "/escalations", rule="reader", answer=EscalationList)
def list_escalated(query: EscalationPageQuery) -> Any:
    """List the entries that wait for a person without a proposal, oldest first."""
    wanted = WaitingFilter(**query.filters(), kind="escalation", place=None)
    return list_waiting(get_context(), wanted, query.cursor or None, query.limit)


@operation("GET", "/escalations/next", rule="reader", answer=NextEscalation)
def next_escalated(query: NextQuery) -> Any:
    """Return the next escalation that no other person holds."""
    wanted = WaitingFilter(**query.filters(), kind="escalation")
    found = next_waiting(get_context(), wanted, query.after, get_person().id)
    return found or NextEscalation(id=None, submission_id=None)


@operation("GET", "/escalations/<uuid:escalation_id>", rule="reader", answer=EscalationShape)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_escalation(escalation_id: uuid.UUID) -> EscalationDetail:
    """Show one escalation."""
    return escalation_detail(get_context(), escalation_id)


# Resolve an escalation: settle, reject, have it read again, ask the model.


class ReadingOptions(RequestModel):
    """Options for reading the entry again."""

    ocr_provider: ShortText | None = None
    profile: ShortText | None = None


class Resolution(RequestModel):
    """A decision on an escalation."""

    version: Version | None = None
    action: Action
    values: dict[FieldName, Words | None] = Field(
        default_factory=dict, max_length=100, description="For `settle`: the values that change."
    )
    asked: Asked = Field(default_factory=list)
    waived: Waived = Field(default_factory=list)
    options: ReadingOptions | None = Field(None, description="For `read_again` and `ask_model`.")
    reason: Reason | None = None


class Resolved(ResponseModel):
    """Status of the entry after the decision."""

    submission_id: uuid.UUID
    status: SubmissionStatus
    decision_id: uuid.UUID | None = Field(description="To take it back; null where it is being read again.")


@operation("POST", "/escalations/<uuid:escalation_id>/resolution", rule="reviewer", answer=Resolved)
def resolve(escalation_id: uuid.UUID, body: Resolution) -> Resolved:
    """Resolve an escalation.

    `settle` writes the values and completes the entry; where only what is `asked` for is missing then, the entry
    waits for that. `reject` rejects it, `read_again` and `ask_model` start its next run.
    """
    context, person, version = get_context(), get_person(), version_seen(body)
    options = body.options.model_dump(exclude_none=True) if body.options else None
    status = resolve_escalation(
        context,
        person.id,
        escalation_id,
        version,
        body.action,
        body.values,
        body.reason,
        options,
        asked=body.asked,
        waived=body.waived,
    )
    entry_id = escalation_detail(context, escalation_id).submission_id
    decides = body.action in ("settle", "reject")
    decision_id = last_decision(context, person.id, entry_id) if decides else None
    return Resolved(submission_id=entry_id, status=status, decision_id=decision_id)


# Holds on proposals and escalations. Taking a hold again prolongs it, which serves as heartbeat.


class HoldShape(ResponseModel):
    """This person's hold."""

    item_id: uuid.UUID
    version: int = Field(description="The item's, which a decision has to name.")
    until: datetime = Field(description="When it ends unless it is taken again.")


@operation("PUT", "/suggestions/<uuid:suggestion_id>/claim", rule="reviewer", answer=HoldShape, problems=(409,))
def hold_proposal(suggestion_id: uuid.UUID) -> Hold:
    """Hold a proposal, or prolong the hold.

    409 says who holds it or who decided it.
    """
    return take_own_hold("suggestion", suggestion_id)


@operation("DELETE", "/suggestions/<uuid:suggestion_id>/claim", rule="reviewer", answer=None)
def release_proposal(suggestion_id: uuid.UUID) -> None:
    """Release the hold on a proposal.

    It is no error if there is none.
    """
    release_hold(get_context(), get_person().id, "suggestion", suggestion_id)


@operation("PUT", "/escalations/<uuid:escalation_id>/claim", rule="reviewer", answer=HoldShape, problems=(409,))
def hold_escalation(escalation_id: uuid.UUID) -> Hold:
    """Hold an escalation, or prolong the hold.

    409 says who holds it or who decided it.
    """
    return take_own_hold("escalation", escalation_id)


@operation("DELETE", "/escalations/<uuid:escalation_id>/claim", rule="reviewer", answer=None)
def release_escalation(escalation_id: uuid.UUID) -> None:
    """Release the hold on an escalation.

    It is no error if there is none.
    """
    release_hold(get_context(), get_person().id, "escalation", escalation_id)


def take_own_hold(kind: Kind, item_id: uuid.UUID) -> Hold:
    """Take and return this person's hold. Raises HeldError if another person holds the item."""
    standing = take_hold(get_context(), get_person().id, kind, item_id)
    if not standing.mine:
        raise HeldError(Conflict.OPEN_ELSEWHERE, who=standing.holder_name, item=kind)
    return standing

"""Resolve an escalation: settle, reject, have it read again, ask the model."""

from __future__ import annotations

import uuid

from pydantic import Field

from core.models import SubmissionStatus
from services.review.escalation_detail import escalation_detail
from services.review.resolve_escalation import Action, resolve_escalation
from services.review.undo_decision import last_decision
from web.api.protocol.operation import operation
from web.api.protocol.versions import version_seen
from web.api.protocol.wire import Asked, FieldName, Given, Reason, ShortText, Shown, Version, Waived, Words
from web.context import get_context, get_person


class ReadingOptions(Given):
    """Options for reading the entry again."""

    ocr_provider: ShortText | None = None
    profile: ShortText | None = None


class Resolution(Given):
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


class Resolved(Shown):
    """Status of the entry after the decision."""

    submission_id: uuid.UUID
    status: SubmissionStatus
    decision_id: uuid.UUID | None = Field(description="To take it back; null where it is being read again.")


@operation(
    "POST",
    "/escalations/<uuid:escalation_id>/resolution",
    tag="escalations",
    rule="reviewer",
    scope="write",
    body=Resolution,
    answer=Resolved,
    versioned=True,
)
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

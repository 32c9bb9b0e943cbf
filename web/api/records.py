"""Correct the values of an entry, and reopen a settled one."""

from __future__ import annotations

import uuid

from pydantic import Field

from core.models import SubmissionStatus
from services.entries.edit_record import Edited, edit_record
from services.entries.reopen_record import reopen_record
from services.review.undo_decision import last_decision
from web.api.protocol.operation import operation
from web.api.protocol.versions import version_seen
from web.api.protocol.wire import FieldName, Given, Reason, Shown, Version, Words
from web.context import get_context, get_person


class RecordEdit(Given):
    """Values to write."""

    version: Version | None = None
    values: dict[FieldName, Words | None] = Field(min_length=1, max_length=100)
    reason: Reason | None = None


class EditedShape(Shown):
    """Status of the entry after a correction."""

    submission_id: uuid.UUID
    version: int
    status: SubmissionStatus
    missing: list[str]
    decision_id: uuid.UUID = Field(description="To take it back.")


class Reopening(Given):
    """The reopening of an entry."""

    version: Version | None = None
    reason: Reason | None = None


class Reopened(Shown):
    """Result of reopening an entry."""

    submission_id: uuid.UUID
    escalation_id: uuid.UUID
    decision_id: uuid.UUID | None = Field(description="To take it back.")


@operation(
    "PATCH",
    "/submissions/<uuid:submission_id>",
    tag="submissions",
    rule="reviewer",
    scope="write",
    body=RecordEdit,
    answer=EditedShape,
    versioned=True,
)
def edit_entry(submission_id: uuid.UUID, body: RecordEdit) -> Edited:
    """Correct values of an entry that is settled or waits."""
    return edit_record(get_context(), get_person().id, submission_id, version_seen(body), body.values, body.reason)


@operation(
    "POST",
    "/submissions/<uuid:submission_id>/reopen",
    tag="submissions",
    rule="reviewer",
    scope="write",
    body=Reopening,
    answer=Reopened,
    versioned=True,
)
def reopen_entry(submission_id: uuid.UUID, body: Reopening) -> Reopened:
    """Reopen a completed, settled or rejected entry, so that it waits for a person again."""
    context, person = get_context(), get_person()
    escalation_id = reopen_record(context, person.id, submission_id, version_seen(body), body.reason)
    decision_id = last_decision(context, person.id, submission_id)
    return Reopened(submission_id=submission_id, escalation_id=escalation_id, decision_id=decision_id)

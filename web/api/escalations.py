"""Escalations: the queue, one in full, the next to take."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import Field

from core.models import EscalationStatus, SecurityEventKind
from services.review.escalation_detail import EscalationDetail, escalation_detail
from services.review.list_escalations import EscalationFilter, list_escalations
from services.review.waiting import WaitingFilter, next_waiting
from web.api.protocol.operation import operation
from web.api.protocol.wire import ListPage, Share, Shown, Told
from web.api.queue_query import EscalationPageQuery, NextQuery
from web.context import get_context, get_person
from web.security.viewed import viewed


class EscalationLine(Shown):
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


class NextEscalation(Shown):
    """The escalation to take next; null if the queue is empty."""

    id: uuid.UUID | None
    submission_id: uuid.UUID | None


class EscalationShape(Shown):
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


@operation(
    "GET",
    "/escalations",
    tag="escalations",
    rule="reader",
    scope="read",
    query=EscalationPageQuery,
    answer=EscalationList,
)
def list_escalated(query: EscalationPageQuery) -> Any:
    """List the entries that wait for a person without a proposal, oldest first."""
    wanted = EscalationFilter(**query.filters())
    return list_escalations(get_context(), query.cursor or None, query.limit, wanted)


@operation(
    "GET",
    "/escalations/next",
    tag="escalations",
    rule="reader",
    scope="read",
    query=NextQuery,
    answer=NextEscalation,
)
def next_escalated(query: NextQuery) -> Any:
    """Return the next escalation that no other person holds."""
    wanted = WaitingFilter(**query.filters(), kind="escalation")
    found = next_waiting(get_context(), wanted, query.after, get_person().id)
    return found or NextEscalation(id=None, submission_id=None)


@operation(
    "GET",
    "/escalations/<uuid:escalation_id>",
    tag="escalations",
    rule="reader",
    scope="read",
    answer=EscalationShape,
)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_escalation(escalation_id: uuid.UUID) -> EscalationDetail:
    """Show one escalation."""
    return escalation_detail(get_context(), escalation_id)

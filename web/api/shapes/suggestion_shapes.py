"""Models of proposals in answers."""

from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import Field

from core.models import FieldDecision, SuggestionStatus
from pipeline.schema import Preferred
from services.review.preselection import Action
from web.api.protocol.wire import ListPage, Share, Shown, Told
from web.api.shapes.entry_shapes import DocumentShape, FieldValue, Place


class ProposedValue(Shown):
    """The current and the proposed value of a field."""

    name: str
    current: str | None
    proposed: str | None


class SuggestionLine(Shown):
    """One line of the queue."""

    id: uuid.UUID
    created_at: datetime
    reason: Told | None
    reason_codes: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    confidence: Share | None
    held_by: str | None = Field(description="Who has it open.")
    held_until: datetime | None
    fields: list[ProposedValue]


class SuggestionList(ListPage[SuggestionLine]):
    """Proposals, oldest first."""


class NextSuggestion(Shown):
    """The proposal to take next; null if the queue is empty."""

    id: uuid.UUID | None


class ProposedField(Shown):
    """One field to decide."""

    name: str
    current: str | None
    proposed: str | None = Field(description="null: nothing to propose; a person fills it in.")
    final: str | None
    confidence: Share
    source: str | None
    method: str | None
    probability: Share | None = Field(description="How probably the proposed value is right.")
    reason: Told | None
    places: list[Place]
    preferred: Preferred = Field(description="Which value is held for the likelier one by what proposed it.")
    preselected: Action = Field(
        description="What the page marks at first: `approve` only where the proposal is preferred."
    )
    decision: FieldDecision


class SuggestionShape(Shown):
    """One proposal in full."""

    id: uuid.UUID
    submission_id: uuid.UUID
    version: int
    status: SuggestionStatus
    reason: Told | None
    created_at: datetime
    resolved_at: datetime | None
    resolved_by: str | None
    student_name: str | None
    confidence: Share | None
    reason_codes: list[str]
    missing_fields: list[str]
    held_by: str | None = Field(description="Who has it open.")
    held_until: datetime | None
    document: DocumentShape
    fields: list[ProposedField]
    others: list[FieldValue] = Field(description="The fields of the record that nothing is proposed for.")
    previous_id: uuid.UUID | None
    next_id: uuid.UUID | None

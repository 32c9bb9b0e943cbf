"""Shapes of entries and proposals in the API."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import Field, model_validator

from core.messages import Message
from core.models import FieldDecision, SubmissionStatus, SuggestionStatus
from pipeline.schema import Preferred
from services.entries.listing import SubmissionFilter
from services.review.details import Action
from web.api.protocol import ListPage, RequestModel, ResponseModel, Share, ShortText, Told
from web.i18n import say


class MessageShape(ResponseModel):
    """A code with its parameters, and the sentence that they make."""

    code: str = Field(description="Stable, for programs.")
    params: dict[str, Any] = Field(description="The values that the code speaks of, by name.")
    text: str = Field(description="The same for people, in the language of the request.")

    @model_validator(mode="before")
    @classmethod
    def _said(cls, value: Any) -> Any:
        if isinstance(value, Message):
            return {**value.to_json(), "text": say(value)}
        return value


# The filters of entries in requests.


class SubmissionFilters(RequestModel):
    """Which entries; what is left out does not filter."""

    status: SubmissionStatus | None = None
    reason: ShortText | None = Field(None, description="A reason code.")
    school: ShortText | None = None
    grade: ShortText | None = None
    batch: uuid.UUID | None = None
    needs_review: bool | None = None
    form: ShortText | None = Field(None, description="Key of the form that it was read with.")
    q: ShortText | None = Field(
        None,
        description="Words, or their beginnings, of the student's, the school's or the file's name, without "
        "accents; the end of a phone number, an e-mail address, or the entry's short code.",
    )
    similar: bool | None = Field(
        None,
        description="In place of the entries that have `q`, those that have it with a letter wrong or missing.",
    )

    def wanted(self) -> SubmissionFilter:
        """Return the filter; empty texts do not filter."""
        return SubmissionFilter(
            status=self.status,
            reason=self.reason or None,
            school=self.school or None,
            grade=self.grade or None,
            batch_id=self.batch,
            needs_review=self.needs_review,
            form=self.form or None,
            text=self.q or None,
            similar=self.similar or None,
        )


# Models shared by several answers: places, fields, pages.


class Place(ResponseModel):
    """A rectangle on a page, in fractions (0-1) of the displayed page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class FieldValue(ResponseModel):
    """One field of the record: its value, its confidence, and all places that it was read from."""

    name: str
    value: str | None
    confidence: Share
    source: str | None = Field(description="acroform, text_layer, ocr, model, school_list, person or null.")
    method: str | None
    places: list[Place]
    probability: Share | None = Field(description="How probably the value is right; null: not estimated.")
    decided_by: str | None = Field(description="Who confirmed or gave the value.")
    decided_at: datetime | None = Field(description="When; null: nobody but the machine has seen it.")
    second_value: str | None = Field(description="What the second reader, a vision model, read.")
    second_agreement: str | None = Field(
        description="agree, differ, only_first, only_second or neither; null: the second reader was not asked."
    )


class PageShape(ResponseModel):
    """One page of the entry: its size in points and its part in the form."""

    number: int
    width: float
    height: float
    role: str
    turned: int = Field(
        description="Clockwise degrees by which it was turned to be read; places are of it as it came in."
    )


class DocumentShape(ResponseModel):
    """The file of the entry, and the entry's pages in it."""

    upload_id: uuid.UUID
    filename: str
    pages: list[PageShape]


class HistoryLine(ResponseModel):
    """One event of the record, or one step of the supervisor."""

    at: datetime
    kind: str
    is_step: bool
    actor: str | None = Field(description="null: the machine.")
    field_name: str | None
    before: str | None
    after: str | None
    reason: str | None = Field(description="What the person wrote.")
    message: Told | None = Field(description="What the machine says.")
    run_no: int | None
    duration_ms: int | None
    model: str | None


# Models of proposals in answers.


class ProposedValue(ResponseModel):
    """The current and the proposed value of a field."""

    name: str
    current: str | None
    proposed: str | None


class SuggestionLine(ResponseModel):
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


class NextSuggestion(ResponseModel):
    """The proposal to take next; null if the queue is empty."""

    id: uuid.UUID | None


class ProposedField(ResponseModel):
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


class SuggestionShape(ResponseModel):
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

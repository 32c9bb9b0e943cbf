"""Decide a proposal field by field, and undo decisions."""

from __future__ import annotations

import uuid
from typing import Literal

from pydantic import AwareDatetime, Field

from core.models import DecisionKind, SubmissionStatus
from services.review.decide_suggestion import Decided, FieldAnswer, decide_suggestion
from services.review.desk_decisions import park_item
from services.review.undo_decision import Undone, undo_decision
from services.review.waiting import ItemKind
from web.api.protocol.operation import operation
from web.api.protocol.versions import version_seen
from web.api.protocol.wire import Asked, FieldName, Given, Reason, Shown, Version, Waived, Words
from web.context import get_context, get_person


class Answer(Given):
    """The answer for one proposed field."""

    action: Literal["approve", "edit", "keep", "reject"] = Field(
        description="`keep`: the value as read is right. `reject`: it stays, and a person has to look at it again."
    )
    value: Words | None = Field(None, description="For `edit`: the value to write; null empties the field.")


class SuggestionDecision(Given):
    """A decision on every field of a proposal."""

    version: Version | None = None
    answers: dict[FieldName, Answer] = Field(
        max_length=100, description="By field; one without an answer is rejected: its value stays, unapproved."
    )
    values: dict[FieldName, Words | None] = Field(
        default_factory=dict, max_length=100, description="Values of fields for which nothing is proposed."
    )
    asked: Asked = Field(default_factory=list)
    waived: Waived = Field(default_factory=list)
    reason: Reason | None = None


class Parking(Given):
    """A time for which an item is out of the queue."""

    version: Version | None = None
    note: Reason | None = None
    until: AwareDatetime | None = Field(None, description="Within a year; a week from now without one.")


class ParkedShape(Shown):
    """What takes the parking back."""

    decision_id: uuid.UUID = Field(description="To take it back.")


class DecidedShape(Shown):
    """Status of the entry after the decision."""

    submission_id: uuid.UUID
    status: SubmissionStatus
    missing: list[str]
    decision_id: uuid.UUID = Field(description="To take it back.")


class UndoneShape(Shown):
    """Result of undoing a decision."""

    submission_id: uuid.UUID
    kind: DecisionKind
    item_id: uuid.UUID | None = Field(description="The proposal or escalation that waits again.")


@operation(
    "POST",
    "/suggestions/<uuid:suggestion_id>/decision",
    tag="suggestions",
    rule="reviewer",
    scope="write",
    body=SuggestionDecision,
    answer=DecidedShape,
    versioned=True,
)
def decide_proposal(suggestion_id: uuid.UUID, body: SuggestionDecision) -> Decided:
    """Decide a proposal."""
    answers = {name: FieldAnswer(answer.action, answer.value) for name, answer in body.answers.items()}
    return decide_suggestion(
        get_context(),
        get_person().id,
        suggestion_id,
        version_seen(body),
        answers,
        body.reason,
        values=body.values,
        asked=body.asked,
        waived=body.waived,
    )


@operation(
    "POST",
    "/suggestions/<uuid:suggestion_id>/parking",
    tag="suggestions",
    rule="reviewer",
    scope="write",
    body=Parking,
    answer=ParkedShape,
    versioned=True,
)
def park_suggestion(suggestion_id: uuid.UUID, body: Parking) -> ParkedShape:
    """Park a proposal with a note; nothing of its entry changes."""
    return _parked("suggestion", suggestion_id, body)


@operation(
    "POST",
    "/escalations/<uuid:escalation_id>/parking",
    tag="escalations",
    rule="reviewer",
    scope="write",
    body=Parking,
    answer=ParkedShape,
    versioned=True,
)
def park_escalation(escalation_id: uuid.UUID, body: Parking) -> ParkedShape:
    """Park an escalation with a note; nothing of its entry changes."""
    return _parked("escalation", escalation_id, body)


def _parked(kind: ItemKind, item_id: uuid.UUID, body: Parking) -> ParkedShape:
    done = park_item(get_context(), get_person().id, kind, item_id, version_seen(body), body.note, body.until)
    return ParkedShape(decision_id=done)


@operation(
    "POST",
    "/decisions/<uuid:decision_id>/undo",
    tag="decisions",
    rule="reviewer",
    scope="write",
    answer=UndoneShape,
    problems=(409,),
)
def undo(decision_id: uuid.UUID) -> Undone:
    """Undo a decision, if the entry has not changed since."""
    return undo_decision(get_context(), get_person().id, decision_id)

"""The API's proposals, decisions on them, one by one and many."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from core.models import DecisionKind, EscalationStatus, SecurityEventKind, SubmissionStatus, SuggestionStatus
from services.items.holds import ItemKind
from services.review.bulk import (
    MAX_BULK,
    BulkChoice,
    BulkPreview,
    BulkResult,
    BulkUndone,
    bulk_decide,
    preview_bulk,
    undo_bulk,
)
from services.review.decisions import Decided, FieldAnswer, decide_suggestion, park_item
from services.review.details import Action, SuggestionDetail, suggestion_detail
from services.review.queues import QueueFilter
from services.review.undo import Undone, undo_decision
from services.review.waiting import WaitingFilter, list_waiting, next_waiting
from web.access import get_context, get_person
from web.api.entry_shapes import DocumentShape, NextSuggestion, Place, SuggestionList, SuggestionShape
from web.api.operation import operation, version_seen
from web.api.protocol import (
    Asked,
    FieldName,
    PageQuery,
    Reason,
    RequestModel,
    ResponseModel,
    SeenVersion,
    Share,
    ShortText,
    Version,
    Waived,
    Words,
)
from web.security.requests import viewed


class Answer(RequestModel):
    """The answer for one proposed field."""

    action: Literal["approve", "edit", "keep", "reject"] = Field(
        description="`keep`: the value as read is right. `reject`: it stays, and a person has to look at it again."
    )
    value: Words | None = Field(None, description="For `edit`: the value to write; null empties the field.")


class SuggestionDecision(RequestModel):
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


class Parking(RequestModel):
    """A time for which an item is out of the queue."""

    version: Version | None = None
    note: Reason | None = None
    until: AwareDatetime | None = Field(None, description="Within a year; a week from now without one.")


class ParkedShape(ResponseModel):
    """What takes the parking back."""

    decision_id: uuid.UUID = Field(description="To take it back.")


class DecidedShape(ResponseModel):
    """Status of the entry after the decision."""

    submission_id: uuid.UUID
    status: SubmissionStatus
    missing: list[str]
    decision_id: uuid.UUID = Field(description="To take it back.")


class UndoneShape(ResponseModel):
    """Result of undoing a decision."""

    submission_id: uuid.UUID
    kind: DecisionKind
    item_id: uuid.UUID | None = Field(description="The proposal or escalation that waits again.")


@operation("POST", "/suggestions/<uuid:suggestion_id>/decision", rule="reviewer", answer=DecidedShape)
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


@operation("POST", "/suggestions/<uuid:suggestion_id>/parking", rule="reviewer", answer=ParkedShape)
def park_suggestion(suggestion_id: uuid.UUID, body: Parking) -> ParkedShape:
    """Park a proposal with a note; nothing of its entry changes."""
    return _parked("suggestion", suggestion_id, body)


@operation("POST", "/escalations/<uuid:escalation_id>/parking", rule="reviewer", answer=ParkedShape)
def park_escalation(escalation_id: uuid.UUID, body: Parking) -> ParkedShape:
    """Park an escalation with a note; nothing of its entry changes."""
    return _parked("escalation", escalation_id, body)


def _parked(kind: ItemKind, item_id: uuid.UUID, body: Parking) -> ParkedShape:
    done = park_item(get_context(), get_person().id, kind, item_id, version_seen(body), body.note, body.until)
    return ParkedShape(decision_id=done)


@operation("POST", "/decisions/<uuid:decision_id>/undo", rule="reviewer", answer=UndoneShape, problems=(409,))
def undo(decision_id: uuid.UUID) -> Undone:
    """Undo a decision, if the entry has not changed since."""
    return undo_decision(get_context(), get_person().id, decision_id)


# Query parameters of the two review queues.


class QueueQuery(RequestModel):
    """Filters of both queues."""

    reason: ShortText | None = Field(None, description="A reason code.")
    grade: ShortText | None = None
    school: ShortText | None = None
    field: FieldName | None = Field(None, description="A field that is proposed or missing.")
    batch: uuid.UUID | None = None
    min_confidence: Share | None = None
    max_confidence: Share | None = None
    is_empty: bool | None = Field(None, description="Whether a required field is empty without a proposal.")

    def filters(self) -> dict[str, Any]:
        """Return the filters for the use cases, without empty values."""
        given = self.model_dump(exclude={"cursor", "limit", "after"}, exclude_none=True)
        return {name: value for name, value in given.items() if value != ""}


class NextQuery(QueueQuery):
    """Filters of a queue, and the item that was shown last."""

    after: uuid.UUID | None = Field(None, description="The item that the next one follows; none: the first.")


class SuggestionPageQuery(QueueQuery, PageQuery):
    """A page of the proposals."""

    status: SuggestionStatus = SuggestionStatus.PENDING


class EscalationPageQuery(QueueQuery, PageQuery):
    """A page of the escalations."""

    status: EscalationStatus = EscalationStatus.PENDING


# Bulk decisions on proposals: preview, decide, undo.


class BulkFieldShape(ResponseModel):
    """One field of a proposal, and the effect on it of approving the whole proposal."""

    name: str
    current: str | None
    proposed: str | None
    answer: Action = Field(description="`approve` and `keep` decide the field; the others leave it open.")
    must_be_shown: bool = Field(
        description="Approving would change or confirm a value that was read by recognition: show its place."
    )
    place: Place | None


class BulkItemShape(ResponseModel):
    """One proposal, and all that approving it vouches for."""

    suggestion_id: uuid.UUID
    version: int
    student_name: str | None
    unclear: bool = Field(description="Has to be decided by itself: approving it here is refused.")
    document: DocumentShape
    fields: list[BulkFieldShape] = Field(description="All fields of the proposal, those that are confirmed too.")
    changes: list[BulkFieldShape] = Field(description="Of these, the ones that approving would change.")
    stays_open: list[str] = Field(description="Names of the fields that still need a person afterwards.")


class BulkPreviewShape(ResponseModel):
    """The proposals that a bulk decision with a filter would concern."""

    items: list[BulkItemShape] = Field(description=f"The oldest {MAX_BULK} that nobody else holds.")
    held: int = Field(description="Others that somebody else has open; they are left alone.")
    total: int = Field(description="All that the filter matches.")


class SeenItem(RequestModel):
    """A proposal at the version that was previewed."""

    suggestion_id: uuid.UUID
    version: SeenVersion
    shown: frozenset[FieldName] = Field(
        frozenset(),
        max_length=100,
        description="The fields whose place on the page the person was shown beside the values.",
    )


class BulkDecision(RequestModel):
    """One decision on many proposals."""

    items: list[SeenItem] = Field(min_length=1, max_length=MAX_BULK)
    action: Literal["approve", "reject"]
    reason: Reason | None = None


class BulkResultShape(ResponseModel):
    """Result of a bulk decision."""

    bulk_id: uuid.UUID = Field(description="To take it back.")
    decided: int
    came_back: int = Field(description="Of these, entries that wait again because something is still open.")
    lost: int = Field(
        description="Decided or changed by somebody else in the meantime, or not fit to be approved."
    )
    held: int
    unshown: int = Field(description="Not approved: a field that `must_be_shown` was not `shown`.")
    unclear: int = Field(description="Not approved: to be decided by itself.")
    waiting: int = Field(
        description="Entries of the season that wait in the queue after it; 999 for that many or more."
    )


class BulkUndoneShape(ResponseModel):
    """Result of undoing a bulk decision."""

    undone: int
    kept: int = Field(description="Entries that have changed since, or whose decision was taken back already.")


@operation("GET", "/suggestions/bulk", rule="reviewer", answer=BulkPreviewShape)
def preview_bulk_decision(query: QueueQuery) -> BulkPreview:
    """Preview the changes of a bulk decision with a filter."""
    return preview_bulk(get_context(), get_person().id, QueueFilter(**query.filters()))


@operation("POST", "/suggestions/bulk", rule="reviewer", answer=BulkResultShape)
def decide_in_bulk(body: BulkDecision) -> BulkResult:
    """Approve or reject many proposals.

    Each is decided at the version that was previewed; one that has changed or another person holds is skipped.
    Approving takes the preselected answers: a value that is not preferred is never approved here.
    """
    items = [BulkChoice(item.suggestion_id, item.version, item.shown) for item in body.items]
    return bulk_decide(get_context(), get_person().id, items, body.action, body.reason)


@operation("POST", "/suggestions/bulk/<uuid:bulk_id>/undo", rule="reviewer", answer=BulkUndoneShape)
def undo_bulk_decision(bulk_id: uuid.UUID) -> BulkUndone:
    """Undo a bulk decision for all entries that have not changed since."""
    return undo_bulk(get_context(), get_person().id, bulk_id)


# Proposals: the queue, one in full, the next to take.


@operation("GET", "/suggestions", rule="reader", answer=SuggestionList)
def list_proposals(query: SuggestionPageQuery) -> Any:
    """List the proposals, oldest first."""
    wanted = WaitingFilter(**query.filters(), kind="suggestion", place=None)
    return list_waiting(get_context(), wanted, query.cursor or None, query.limit)


@operation("GET", "/suggestions/next", rule="reader", answer=NextSuggestion)
def next_proposal(query: NextQuery) -> NextSuggestion:
    """Return the next proposal that no other person holds."""
    wanted = WaitingFilter(**query.filters(), kind="suggestion")
    found = next_waiting(get_context(), wanted, query.after, get_person().id)
    return NextSuggestion(id=found.id if found else None)


@operation("GET", "/suggestions/<uuid:suggestion_id>", rule="reader", answer=SuggestionShape)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_proposal(suggestion_id: uuid.UUID) -> SuggestionDetail:
    """Show one proposal: each field with its evidence, and the record around it."""
    return suggestion_detail(get_context(), suggestion_id)

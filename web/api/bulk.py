"""Bulk decisions on proposals: preview, decide, undo."""

from __future__ import annotations

import uuid
from typing import Literal

from pydantic import Field

from services.review.bulk_decide import BulkChoice, BulkResult, BulkUndone, bulk_decide, undo_bulk
from services.review.bulk_preview import MAX_BULK, BulkPreview, preview_bulk
from services.review.preselection import Action
from web.api.protocol.operation import operation
from web.api.protocol.wire import FieldName, Given, Reason, SeenVersion, Shown
from web.api.queue_query import QueueQuery
from web.api.shapes.entry_shapes import DocumentShape, Place
from web.api.suggestions import suggestion_filter
from web.context import get_context, get_person


class BulkFieldShape(Shown):
    """One field of a proposal, and the effect on it of approving the whole proposal."""

    name: str
    current: str | None
    proposed: str | None
    answer: Action = Field(description="`approve` and `keep` decide the field; the others leave it open.")
    must_be_shown: bool = Field(
        description="Approving would change or confirm a value that was read by recognition: show its place."
    )
    place: Place | None


class BulkItemShape(Shown):
    """One proposal, and all that approving it vouches for."""

    suggestion_id: uuid.UUID
    version: int
    student_name: str | None
    unclear: bool = Field(description="Has to be decided by itself: approving it here is refused.")
    document: DocumentShape
    fields: list[BulkFieldShape] = Field(description="All fields of the proposal, those that are confirmed too.")
    changes: list[BulkFieldShape] = Field(description="Of these, the ones that approving would change.")
    stays_open: list[str] = Field(description="Names of the fields that still need a person afterwards.")


class BulkPreviewShape(Shown):
    """The proposals that a bulk decision with a filter would concern."""

    items: list[BulkItemShape] = Field(description=f"The oldest {MAX_BULK} that nobody else holds.")
    held: int = Field(description="Others that somebody else has open; they are left alone.")
    total: int = Field(description="All that the filter matches.")


class SeenItem(Given):
    """A proposal at the version that was previewed."""

    suggestion_id: uuid.UUID
    version: SeenVersion
    shown: frozenset[FieldName] = Field(
        frozenset(),
        max_length=100,
        description="The fields whose place on the page the person was shown beside the values.",
    )


class BulkDecision(Given):
    """One decision on many proposals."""

    items: list[SeenItem] = Field(min_length=1, max_length=MAX_BULK)
    action: Literal["approve", "reject"]
    reason: Reason | None = None


class BulkResultShape(Shown):
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


class BulkUndoneShape(Shown):
    """Result of undoing a bulk decision."""

    undone: int
    kept: int = Field(description="Entries that have changed since, or whose decision was taken back already.")


@operation(
    "GET",
    "/suggestions/bulk",
    tag="suggestions",
    rule="reviewer",
    scope="read",
    query=QueueQuery,
    answer=BulkPreviewShape,
)
def preview_bulk_decision(query: QueueQuery) -> BulkPreview:
    """Preview the changes of a bulk decision with a filter."""
    return preview_bulk(get_context(), get_person().id, suggestion_filter(query))


@operation(
    "POST",
    "/suggestions/bulk",
    tag="suggestions",
    rule="reviewer",
    scope="write",
    body=BulkDecision,
    answer=BulkResultShape,
)
def decide_in_bulk(body: BulkDecision) -> BulkResult:
    """Approve or reject many proposals.

    Each is decided at the version that was previewed; one that has changed or another person holds is skipped.
    Approving takes the preselected answers: a value that is not preferred is never approved here.
    """
    items = [BulkChoice(item.suggestion_id, item.version, item.shown) for item in body.items]
    return bulk_decide(get_context(), get_person().id, items, body.action, body.reason)


@operation(
    "POST",
    "/suggestions/bulk/<uuid:bulk_id>/undo",
    tag="suggestions",
    rule="reviewer",
    scope="write",
    answer=BulkUndoneShape,
)
def undo_bulk_decision(bulk_id: uuid.UUID) -> BulkUndone:
    """Undo a bulk decision for all entries that have not changed since."""
    return undo_bulk(get_context(), get_person().id, bulk_id)

"""One answer to many proposals: preview, decide, take back."""

from __future__ import annotations

import uuid
from typing import Literal

from pydantic import Field

from services.review.bulk_decide import (
    MAX_BULK,
    BulkPreview,
    BulkResult,
    BulkUndone,
    bulk_decide,
    preview_bulk,
    undo_bulk,
)
from web.api.protocol.operation import operation
from web.api.protocol.wire import Given, Reason, SeenVersion, Shown
from web.api.queue_query import QueueQuery
from web.api.shapes.suggestion_shapes import ProposedValue
from web.api.suggestions import suggestion_filter
from web.context import get_context, get_person


class BulkItemShape(Shown):
    """One proposal, and the values that approving it would change."""

    suggestion_id: uuid.UUID
    version: int
    student_name: str | None
    changes: list[ProposedValue]


class BulkPreviewShape(Shown):
    """What a bulk decision over a filter would be about."""

    items: list[BulkItemShape] = Field(description=f"The oldest {MAX_BULK} that nobody else holds.")
    held: int = Field(description="Others that somebody else has open; they are left alone.")
    total: int = Field(description="All that the filter matches.")


class SeenItem(Given):
    """A proposal at the version that was previewed."""

    suggestion_id: uuid.UUID
    version: SeenVersion


class BulkDecision(Given):
    """One answer to many proposals."""

    items: list[SeenItem] = Field(min_length=1, max_length=MAX_BULK)
    action: Literal["approve", "reject"]
    reason: Reason | None = None


class BulkResultShape(Shown):
    """What became of it."""

    bulk_id: uuid.UUID = Field(description="To take it back.")
    decided: int
    lost: int = Field(
        description="Decided or changed by somebody else in the meantime, or not fit to be approved."
    )
    held: int


class BulkUndoneShape(Shown):
    """What was taken back."""

    undone: int
    kept: int = Field(description="Entries that have changed since, or whose decision was taken back already.")


@operation(
    "GET", "/suggestions/bulk", tag="suggestions", rule="reviewer", query=QueueQuery, answer=BulkPreviewShape
)
def preview_bulk_decision(query: QueueQuery) -> BulkPreview:
    """Say what a bulk decision over a filter would change."""
    return preview_bulk(get_context(), get_person().id, suggestion_filter(query))


@operation(
    "POST", "/suggestions/bulk", tag="suggestions", rule="reviewer", body=BulkDecision, answer=BulkResultShape
)
def decide_in_bulk(body: BulkDecision) -> BulkResult:
    """Approve or reject many proposals.

    Each at the version that was previewed; one that changed, or that somebody else has open, is passed over.
    """
    items = [(item.suggestion_id, item.version) for item in body.items]
    return bulk_decide(get_context(), get_person().id, items, body.action, body.reason)


@operation(
    "POST",
    "/suggestions/bulk/<uuid:bulk_id>/undo",
    tag="suggestions",
    rule="reviewer",
    answer=BulkUndoneShape,
)
def undo_bulk_decision(bulk_id: uuid.UUID) -> BulkUndone:
    """Take a bulk decision back, wherever the entry stands as it left it."""
    return undo_bulk(get_context(), get_person().id, bulk_id)

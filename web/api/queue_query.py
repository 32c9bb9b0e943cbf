"""Query parameters of the two review queues."""

from __future__ import annotations

import uuid
from typing import Any

from pydantic import Field

from core.models import EscalationStatus, SuggestionStatus
from web.api.protocol.wire import FieldName, Given, PageQuery, Share, ShortText


class QueueQuery(Given):
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

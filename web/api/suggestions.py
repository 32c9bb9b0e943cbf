"""Proposals: the queue, one in full, the next to take."""

from __future__ import annotations

import uuid
from typing import Any

from core.models import SecurityEventKind
from services.review.list_suggestions import SuggestionFilter, list_suggestions
from services.review.suggestion_detail import SuggestionDetail, suggestion_detail
from services.review.waiting import WaitingFilter, next_waiting
from web.api.protocol.operation import operation
from web.api.queue_query import NextQuery, QueueQuery, SuggestionPageQuery
from web.api.shapes.suggestion_shapes import NextSuggestion, SuggestionList, SuggestionShape
from web.context import get_context, get_person
from web.security.viewed import viewed


@operation(
    "GET",
    "/suggestions",
    tag="suggestions",
    rule="reader",
    scope="read",
    query=SuggestionPageQuery,
    answer=SuggestionList,
)
def list_proposals(query: SuggestionPageQuery) -> Any:
    """List the proposals, oldest first."""
    return list_suggestions(get_context(), suggestion_filter(query), query.cursor or None, query.limit)


@operation(
    "GET",
    "/suggestions/next",
    tag="suggestions",
    rule="reader",
    scope="read",
    query=NextQuery,
    answer=NextSuggestion,
)
def next_proposal(query: NextQuery) -> NextSuggestion:
    """Return the next proposal that no other person holds."""
    wanted = WaitingFilter(**query.filters(), kind="suggestion")
    found = next_waiting(get_context(), wanted, query.after, get_person().id)
    return NextSuggestion(id=found.id if found else None)


@operation(
    "GET",
    "/suggestions/<uuid:suggestion_id>",
    tag="suggestions",
    rule="reader",
    scope="read",
    answer=SuggestionShape,
)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_proposal(suggestion_id: uuid.UUID) -> SuggestionDetail:
    """Show one proposal: each field with its evidence, and the record around it."""
    return suggestion_detail(get_context(), suggestion_id)


def suggestion_filter(query: QueueQuery) -> SuggestionFilter:
    """Return the queue's filter for the query parameters."""
    return SuggestionFilter(**query.filters())

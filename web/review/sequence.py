"""Navigation in the review queues: URLs of an item's neighbours under the person's filter."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from services.review.next_item import WaitingEscalation, next_escalation, next_item
from services.review.previous_item import previous_escalation, previous_item
from services.review.queue_filter import EscalationFilter, SuggestionFilter
from web.access import access
from web.context import get_context, get_person
from web.review import blueprint
from web.review.filters import filter_of, in_address


@blueprint.get("/suggestions/first")
@access("reviewer")
def start() -> ResponseReturnValue:
    narrowed = in_address(request.args)
    return redirect(next_suggestion_url(None, narrowed) or url_for("review.suggestions", **narrowed))


@blueprint.get("/escalations/first")
@access("reviewer")
def start_escalations() -> ResponseReturnValue:
    narrowed = in_address(request.args)
    return redirect(next_escalation_url(None, narrowed) or url_for("review.escalations", **narrowed))


def next_suggestion_url(after: uuid.UUID | None, narrowed: Mapping[str, Any]) -> str | None:
    """Return the URL of the next proposal that no other person holds, None without one."""
    return _suggestion(
        next_item(get_context(), filter_of(SuggestionFilter, narrowed), after, get_person().id), narrowed
    )


def previous_suggestion_url(before: uuid.UUID, narrowed: Mapping[str, Any]) -> str | None:
    """Return the URL of the previous proposal in the same way."""
    return _suggestion(
        previous_item(get_context(), filter_of(SuggestionFilter, narrowed), before, get_person().id), narrowed
    )


def next_escalation_url(after: uuid.UUID | None, narrowed: Mapping[str, Any]) -> str | None:
    """Return the URL of the next escalation that no other person holds, None without one."""
    return _escalation(
        next_escalation(get_context(), filter_of(EscalationFilter, narrowed), after, get_person().id), narrowed
    )


def previous_escalation_url(before: uuid.UUID, narrowed: Mapping[str, Any]) -> str | None:
    """Return the URL of the previous escalation in the same way."""
    return _escalation(
        previous_escalation(get_context(), filter_of(EscalationFilter, narrowed), before, get_person().id),
        narrowed,
    )


def queue_done(endpoint: str, narrowed: Mapping[str, Any]) -> str:
    """Return the URL of an empty queue. With a filter, `done` tells the page that all matches are decided."""
    return url_for(endpoint, **({"done": "1", **narrowed} if narrowed else {}))


def _suggestion(found: uuid.UUID | None, narrowed: Mapping[str, Any]) -> str | None:
    return url_for("review.suggestion", suggestion_id=found, **narrowed) if found else None


def _escalation(found: WaitingEscalation | None, narrowed: Mapping[str, Any]) -> str | None:
    if found is None:
        return None
    return url_for("review.escalation", escalation_id=found.id, submission_id=found.submission_id, **narrowed)

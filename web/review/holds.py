"""Holds on proposals and escalations: taken on opening, prolonged by heartbeats, released on leaving."""

from __future__ import annotations

import uuid

from flask import url_for
from flask.typing import ResponseReturnValue

from services.review.standing_hold import hold_on_pending
from web.access import access
from web.context import get_context, get_person
from web.desk.holds import released, take, told_hold
from web.review import blueprint
from web.review.filters import sent_along
from web.review.queue import next_url


@blueprint.post("/suggestions/<uuid:suggestion_id>/claim")
@access("reviewer")
def hold_suggestion(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    page = url_for("review.suggestion", suggestion_id=suggestion_id)
    return take("suggestion", suggestion_id, page, lambda: next_url(suggestion_id, sent_along()))


@blueprint.get("/suggestions/<uuid:suggestion_id>/claim")
@access("reviewer")
def suggestion_holder(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    return told_hold(hold_on_pending(get_context(), get_person().id, "suggestion", suggestion_id))


@blueprint.post("/suggestions/<uuid:suggestion_id>/release")
@access("reviewer")
def release_suggestion(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    return released("suggestion", suggestion_id)


@blueprint.post("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>/claim")
@access("reviewer")
def hold_escalation(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    page = url_for("review.escalation", escalation_id=escalation_id, submission_id=submission_id)
    return take("escalation", escalation_id, page, lambda: next_url(escalation_id, sent_along()))


@blueprint.get("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>/claim")
@access("reviewer")
def escalation_holder(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    return told_hold(hold_on_pending(get_context(), get_person().id, "escalation", escalation_id))


@blueprint.post("/escalations/<uuid:escalation_id>/release")
@access("reviewer")
def release_escalation(escalation_id: uuid.UUID) -> ResponseReturnValue:
    return released("escalation", escalation_id)

"""Undo a decision, as long as the entry has not changed since."""

from __future__ import annotations

import uuid

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.models import DecisionKind
from services.review.undo_decision import last_decision, undo_decision
from web.access import access
from web.context import get_context, get_person
from web.review import blueprint
from web.review.filters import in_address, sent_along


@blueprint.post("/undo")
@access("reviewer")
def undo_last() -> ResponseReturnValue:
    """Undo this person's last decision of any kind."""
    last = last_decision(get_context(), get_person().id, None)
    if last is None:
        flash(_("You have no decision to undo."))
        return redirect(url_for("review.queue", **sent_along()))
    return undo(last)


@blueprint.post("/decisions/<uuid:decision_id>/undo")
@access("reviewer")
def undo(decision_id: uuid.UUID) -> ResponseReturnValue:
    """Undo one decision. `undone` in the address has the page bring back what was typed for it."""
    undone = undo_decision(get_context(), get_person().id, decision_id)
    flash(_("Undone. The entry is as it was before."), "success")
    narrowed = in_address(request.args) or sent_along()
    entry, item = undone.submission_id, undone.item_id
    if undone.kind == DecisionKind.SUGGESTION and item:
        return redirect(url_for("review.suggestion", suggestion_id=item, undone=1, **narrowed))
    if undone.kind == DecisionKind.ESCALATION and item:
        return redirect(
            url_for("review.escalation", escalation_id=item, submission_id=entry, undone=1, **narrowed)
        )
    return redirect(url_for("submissions.detail", submission_id=entry))

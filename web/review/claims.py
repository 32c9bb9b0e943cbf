"""Claims: opening an item takes it, a heartbeat keeps it, leaving it lets go."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from flask import flash, jsonify, redirect, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from services.claim import Claim, Kind, claim, release_claim
from services.queries.standing_claim import standing_claim
from web.access import access
from web.context import get_context, get_person
from web.negotiation import wants_json
from web.review import blueprint


@blueprint.post("/suggestions/<uuid:suggestion_id>/claim")
@access("reviewer")
def claim_suggestion(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    return claimed("suggestion", suggestion_id, url_for("review.suggestion", suggestion_id=suggestion_id))


@blueprint.get("/suggestions/<uuid:suggestion_id>/claim")
@access("reviewer")
def suggestion_holder(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    return told_claim(standing_claim(get_context(), get_person().id, "suggestion", suggestion_id))


@blueprint.post("/suggestions/<uuid:suggestion_id>/release")
@access("reviewer")
def release_suggestion(suggestion_id: uuid.UUID) -> ResponseReturnValue:
    return released("suggestion", suggestion_id)


@blueprint.post("/escalations/<uuid:escalation_id>/of/<uuid:submission_id>/claim")
@access("reviewer")
def claim_escalation(escalation_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    page = url_for("review.escalation", escalation_id=escalation_id, submission_id=submission_id)
    return claimed("escalation", escalation_id, page)


@blueprint.get("/escalations/<uuid:escalation_id>/claim")
@access("reviewer")
def escalation_holder(escalation_id: uuid.UUID) -> ResponseReturnValue:
    return told_claim(standing_claim(get_context(), get_person().id, "escalation", escalation_id))


@blueprint.post("/escalations/<uuid:escalation_id>/release")
@access("reviewer")
def release_escalation(escalation_id: uuid.UUID) -> ResponseReturnValue:
    return released("escalation", escalation_id)


def claimed(kind: Kind, item_id: uuid.UUID, page: str) -> ResponseReturnValue:
    """Take an item: JSON for a script, its page for a form."""
    taken = claim(get_context(), get_person().id, kind, item_id)
    if wants_json():
        return told_claim(taken)
    if not taken.mine:
        flash(open_at(taken.holder_name, taken.until), "problem")
    return redirect(page)


def told_claim(standing: Claim | None) -> ResponseReturnValue:
    """For a script: whose it is, whether it may be taken, and the sentence for people."""
    if standing is None:
        return jsonify(mine=False, free=True, sentence=_("Nobody has this open any more."))
    sentence = "" if standing.mine else open_at(standing.holder_name, standing.until)
    return jsonify(mine=standing.mine, free=False, sentence=sentence)


def released(kind: Kind, item_id: uuid.UUID) -> ResponseReturnValue:
    """Let go of an item."""
    release_claim(get_context(), get_person().id, kind, item_id)
    return "", 204


def open_at(who: str, until: datetime) -> str:
    """The sentence that tells who has an item open."""
    return _("%(who)s has this open until %(time)s.", who=who, time=until.astimezone(UTC).strftime("%H:%M UTC"))

"""Holds on audits: taken on opening, prolonged by heartbeats, released on leaving."""

from __future__ import annotations

import uuid

from flask.typing import ResponseReturnValue

from services.audits.audit_detail import audit_detail
from services.review.standing_hold import hold_on_pending
from web.access import access
from web.audits import blueprint
from web.audits.pages import page_url
from web.context import get_context, get_person
from web.desk.holds import released, take, told_hold


@blueprint.post("/<uuid:audit_id>/claim")
@access("overseer")
def hold_audit(audit_id: uuid.UUID) -> ResponseReturnValue:
    return take("audit", audit_id, page_url(audit_detail(get_context(), get_person().id, audit_id)), lambda: None)


@blueprint.get("/<uuid:audit_id>/claim")
@access("overseer")
def audit_holder(audit_id: uuid.UUID) -> ResponseReturnValue:
    return told_hold(hold_on_pending(get_context(), get_person().id, "audit", audit_id))


@blueprint.post("/<uuid:audit_id>/release")
@access("overseer")
def release_audit(audit_id: uuid.UUID) -> ResponseReturnValue:
    return released("audit", audit_id)

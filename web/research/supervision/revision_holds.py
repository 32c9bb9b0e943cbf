"""Holds on revisions: taken on opening, prolonged by heartbeats, released on leaving."""

from __future__ import annotations

import uuid

from flask import url_for
from flask.typing import ResponseReturnValue

from services.review.standing_hold import hold_on_pending
from web.access import access
from web.context import get_context, get_person
from web.desk.holds import released, take, told_hold
from web.desk.next_revision import next_revision_url
from web.research import blueprint


@blueprint.post("/revisions/<uuid:revision_id>/claim")
@access("researcher")
def hold_revision(revision_id: uuid.UUID) -> ResponseReturnValue:
    page = url_for("research.revision", revision_id=revision_id)
    return take("revision", revision_id, page, lambda: next_revision_url(revision_id))


@blueprint.get("/revisions/<uuid:revision_id>/claim")
@access("researcher")
def revision_holder(revision_id: uuid.UUID) -> ResponseReturnValue:
    return told_hold(hold_on_pending(get_context(), get_person().id, "revision", revision_id))


@blueprint.post("/revisions/<uuid:revision_id>/release")
@access("researcher")
def release_revision(revision_id: uuid.UUID) -> ResponseReturnValue:
    return released("revision", revision_id)

"""Holds on revisions: taken on opening, prolonged by heartbeats, released on leaving."""

from __future__ import annotations

import uuid

from flask import url_for
from flask.typing import ResponseReturnValue

from services.review.standing_hold import standing_hold
from web.access import access
from web.context import get_context, get_person
from web.desk.holds import released, take, told_hold
from web.research import blueprint


@blueprint.post("/revisions/<uuid:revision_id>/claim")
@access("researcher")
def hold_revision(revision_id: uuid.UUID) -> ResponseReturnValue:
    return take("revision", revision_id, url_for("research.revision", revision_id=revision_id))


@blueprint.get("/revisions/<uuid:revision_id>/claim")
@access("researcher")
def revision_holder(revision_id: uuid.UUID) -> ResponseReturnValue:
    return told_hold(standing_hold(get_context(), get_person().id, "revision", revision_id))


@blueprint.post("/revisions/<uuid:revision_id>/release")
@access("researcher")
def release_revision(revision_id: uuid.UUID) -> ResponseReturnValue:
    return released("revision", revision_id)

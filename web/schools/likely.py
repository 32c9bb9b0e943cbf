"""The schools that a written name may mean, for the picker of a review page."""

from __future__ import annotations

from dataclasses import asdict

from flask import jsonify, request
from flask.typing import ResponseReturnValue

from services.schools.likely_schools import likely_schools
from web.access import access
from web.context import get_context
from web.schools import blueprint


@blueprint.get("/likely")
@access("reader")
def likely() -> ResponseReturnValue:
    """Return the listed school that `text` names, if any, and the most similar ones."""
    return jsonify(asdict(likely_schools(get_context(), request.args.get("text", "")[:300])))

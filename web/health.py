"""Whether the product is well, for monitors."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from services.health import health
from web.access import access
from web.context import get_context

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
@access("public")
def healthz() -> ResponseReturnValue:
    """503 when database or queue are down; a missing worker degrades, files wait for it."""
    found = health(get_context())
    answers = found["database"] == "ok" and found["queue"] == "ok"
    return jsonify(found), 200 if answers else 503

"""The health check for monitoring."""

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
    """Return the health. 503 if database or queue are down; "degraded" without a worker, for which files wait."""
    found = health(get_context())
    answers = found["database"] == "ok" and found["queue"] == "ok"
    return jsonify(found), 200 if answers else 503

"""The health checks for monitoring: `/healthz`, whether it runs, and `/readyz`, whether it can do its work."""

from __future__ import annotations

import time
from collections.abc import Mapping

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from services.context import Context
from services.health import health
from services.readiness import Part, PartState, is_ready, readiness
from web.access import access
from web.context import get_context

blueprint = Blueprint("health", __name__)

#: Seconds that an answer of `/readyz` holds: anybody may ask, and each try writes a file.
_HOLDS = 2.0
_KEPT = "second_reader_readiness"


@blueprint.get("/healthz")
@access("public")
def healthz() -> ResponseReturnValue:
    """Return the health. 503 if database or queue are down; "degraded" without a worker, for which files wait."""
    found = health(get_context())
    answers = found["database"] == "ok" and found["queue"] == "ok"
    return jsonify(found), 200 if answers else 503


@blueprint.get("/readyz")
@access("public")
def readyz() -> ResponseReturnValue:
    """Return the state of database, migrations, queue and file store; 503 if one is not as it should be."""
    found = _lately(get_context())
    ready = is_ready(found)
    states = {part.value: state.value for part, state in found.items()}
    return jsonify({"ready": ready, **states}), 200 if ready else 503


def _lately(context: Context) -> Mapping[Part, PartState]:
    """Try the parts of this context, or return what a try of the last moments found."""
    tried, at, found = current_app.extensions.get(_KEPT, (None, 0.0, {}))
    if tried is not context or time.monotonic() - at > _HOLDS:
        found = readiness(context)
        current_app.extensions[_KEPT] = context, time.monotonic(), found
    kept: Mapping[Part, PartState] = found
    return kept

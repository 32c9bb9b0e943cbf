"""Redirect to the trace of a run on LangSmith."""

from __future__ import annotations

import uuid

from flask import redirect
from flask.typing import ResponseReturnValue

from services.runs.trace_page import trace_page
from web.access import access
from web.admin import blueprint
from web.context import get_context


@blueprint.get("/traces/<uuid:trace_id>")
@access("overseer")
def trace(trace_id: uuid.UUID) -> ResponseReturnValue:
    return redirect(trace_page(get_context(), trace_id))

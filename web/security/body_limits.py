"""Bound what somebody who is not signed in can make the server read, and how many parameters an address has."""

from __future__ import annotations

from flask import abort, current_app, request
from flask_login import current_user

from core.config import STRANGERS_BYTES
from web.access import rule_of


def bound_body() -> None:
    """Refuse a body that is too large for somebody who is not signed in; its form is bounded likewise.

    Aborts with 413 on public pages and with 401 elsewhere, where the same would be read after sign-in. A smaller
    form whose session has ended is read, so that what was typed can be given back. Aborts with 400 for an address
    with more parameters than a form may have fields.
    """
    if request.query_string.count(b"&") >= current_app.config["MAX_FORM_PARTS"]:
        abort(400)
    if request.method in ("GET", "HEAD") or current_user.is_authenticated:
        return
    request.max_content_length = request.max_form_memory_size = STRANGERS_BYTES
    if (request.content_length or 0) > STRANGERS_BYTES:
        view = current_app.view_functions.get(request.endpoint or "")
        abort(413 if view is None or rule_of(view) == "public" else 401)

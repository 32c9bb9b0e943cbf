"""Bound what somebody who is not signed in can make the server read."""

from __future__ import annotations

from flask import abort, current_app, request
from flask_login import current_user

from web.access import rule_of

#: Bytes of a form of the public pages: sign-in, links, language, theme.
PUBLIC_BYTES = 64 * 1024
#: Bytes of any other form; a form whose session has ended is read, so that what was typed can be given back.
LOST_BYTES = 1024 * 1024


def bound_body() -> None:
    """Abort with 413 if the body is too large for somebody who is not signed in; forms are bounded likewise."""
    if request.method in ("GET", "HEAD") or current_user.is_authenticated:
        return
    view = current_app.view_functions.get(request.endpoint or "")
    limit = PUBLIC_BYTES if view is None or rule_of(view) == "public" else LOST_BYTES
    request.max_content_length = limit
    request.max_form_memory_size = limit
    if (request.content_length or 0) > limit:
        abort(413)

"""The part of a page that its script fetches again and again."""

from __future__ import annotations

from typing import Any

from flask import make_response, render_template, request
from flask.typing import ResponseReturnValue


def changing_part(fingerprint: str, template: str, **values: Any) -> ResponseReturnValue:
    """Render a part of a page; answer 304 where the browser has the part of this fingerprint."""
    if fingerprint in request.if_none_match:
        response = make_response("", 304)
    else:
        response = make_response(render_template(template, **values))
    response.set_etag(fingerprint)
    # The browser may store it, but must revalidate it each time.
    response.headers["Cache-Control"] = "private, no-cache"
    return response

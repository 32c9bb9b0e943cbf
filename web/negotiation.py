"""Content negotiation: a page or JSON."""

from __future__ import annotations

from flask import request

#: Prefix of all API paths, including those that do not exist.
API_ROOT = "/api/"


def wants_json() -> bool:
    """Return whether to answer with JSON: for API paths, and for scripts that prefer it to HTML."""
    if request.path.startswith(API_ROOT):
        return True
    accepts = request.accept_mimetypes
    return accepts["application/json"] > accepts["text/html"]

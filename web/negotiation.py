"""What the client wants to get."""

from __future__ import annotations

from flask import request

#: Beneath it lies every address of the API, those that do not exist included.
API_ROOT = "/api/"


def wants_json() -> bool:
    """Whether JSON is preferred to a page; browsers ask for pages, our scripts and the API's clients for JSON."""
    if request.path.startswith(API_ROOT):
        return True
    accepts = request.accept_mimetypes
    return accepts["application/json"] > accepts["text/html"]

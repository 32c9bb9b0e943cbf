"""What the client wants to get."""

from __future__ import annotations

from flask import request


def wants_json() -> bool:
    """Whether JSON is preferred to a page; browsers ask for pages, our scripts for JSON."""
    accepts = request.accept_mimetypes
    return accepts["application/json"] > accepts["text/html"]

"""Identify API clients by their bearer token."""

from __future__ import annotations

from flask import Request

from services.accounts.api_tokens import person_of_token
from services.accounts.person import Person
from web.context import get_context

#: Limit of a token's length in characters; tokens have 46.
_LONGEST = 200


def person_of_request(request: Request) -> Person | None:
    """Return the owner of the request's token, None without a valid token."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token.isascii() or len(token) > _LONGEST:
        return None
    return person_of_token(get_context(), token)

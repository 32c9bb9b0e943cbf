"""Identify API clients by their bearer token."""

from __future__ import annotations

from flask import Request

from services.accounts.tokens.api_tokens import LiveToken, find_token
from web.context import get_context

#: Limit of a token's length in characters; tokens have 46.
_LONGEST = 200


def token_of_request(request: Request) -> LiveToken | None:
    """Return the request's token, None without a valid one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token.isascii() or len(token) > _LONGEST:
        return None
    return find_token(get_context(), token)

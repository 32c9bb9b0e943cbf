"""Who calls: the person whose token the request carries."""

from __future__ import annotations

from flask import Request

from services.accounts.api_tokens import person_of_token
from services.accounts.person import Person
from web.context import get_context

#: A token is 46 characters; what is much longer is none.
_LONGEST = 200


def person_of_request(request: Request) -> Person | None:
    """The person, or None without a token that opens anything."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token.isascii() or len(token) > _LONGEST:
        return None
    return person_of_token(get_context(), token)

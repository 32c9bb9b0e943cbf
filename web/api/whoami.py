"""The owner of the token."""

from __future__ import annotations

import uuid

from services.accounts.person import Person
from services.accounts.roles import Role
from web.api.protocol.operation import operation
from web.api.protocol.wire import Shown
from web.context import get_person


class Me(Shown):
    """The owner of the token."""

    id: uuid.UUID
    name: str
    email: str
    role: Role


@operation("GET", "/me", tag="me", rule="signed_in", scope="read", answer=Me)
def who_am_i() -> Person:
    """Return the owner of the token."""
    return get_person()

"""What this program does at Supabase Auth with the accounts of people, with the key of the service role."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any, Literal

from core.auth.connection import Connection
from core.auth.refusals import KNOWN_ADDRESS, UNKNOWN_PERSON, RefusedByAuth, answers

#: How long a closed account is banned: Auth takes an end alone, in the hours of Go's durations.
_FOR_GOOD = "876000h"


@dataclass(frozen=True)
class MadeLink:
    """A link that Auth has made, to be handed over by us: no letter is sent."""

    person_id: uuid.UUID
    kind: Literal["invite", "recovery"]
    token_hash: str = field(repr=False)


class AuthAdmin:
    """Every method raises AuthUnavailableError and AuthRefusedError."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection, self._key = connection, key

    def make_account(
        self, person_id: uuid.UUID, email: str, role: str, password: str | None = None
    ) -> uuid.UUID | None:
        """Make an account and return its id; None if the address has one.

        With a password the address counts as confirmed. The id is another than `person_id` where the version of
        Auth does not take one. Raises PasswordRefusedError.
        """
        given: dict[str, Any] = {"id": str(person_id), "email": email, "app_metadata": {"role": role}}
        if password is not None:
            given |= {"password": password, "email_confirm": True}
        try:
            with answers(KNOWN_ADDRESS):
                made = self._connection.admin(self._key).create_user(given)
                return uuid.UUID(made.user.id)
        except RefusedByAuth:
            return None

    def make_link(self, email: str, kind: Literal["invite", "recovery"]) -> MadeLink | None:
        """Make a link; None for an invitation to an address that is confirmed.

        An invitation makes the account if the address has none.
        """
        try:
            with answers(KNOWN_ADDRESS):
                made = self._connection.admin(self._key).generate_link({"type": kind, "email": email})
                return MadeLink(uuid.UUID(made.user.id), kind, made.properties.hashed_token)
        except RefusedByAuth:
            return None

    def set_password(self, person_id: uuid.UUID, password: str) -> str | None:
        """Set the password and return the address that it goes with; None if Auth does not know the person.

        Raises PasswordRefusedError.
        """
        try:
            with answers(UNKNOWN_PERSON):
                admin = self._connection.admin(self._key)
                known = admin.update_user_by_id(str(person_id), {"password": password, "email_confirm": True})
                return str(known.user.email)
        except RefusedByAuth:
            return None

    def tell(self, person_id: uuid.UUID, role: str, is_open: bool) -> None:
        """Write a person's role into their tokens to come, and whether they get any. No error if Auth has none."""
        told = {"app_metadata": {"role": role}, "ban_duration": "none" if is_open else _FOR_GOOD}
        try:
            with answers(UNKNOWN_PERSON):
                self._connection.admin(self._key).update_user_by_id(str(person_id), told)
        except RefusedByAuth:
            return

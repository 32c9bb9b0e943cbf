"""The person behind a request."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from core.models import Profile
from services.accounts.roles import Role


@dataclass(frozen=True)
class Person:
    """Somebody who is signed in, or about to be."""

    id: uuid.UUID
    email: str
    display_name: str
    role: Role
    #: A session that carries another number has been ended.
    session_version: int

    @property
    def name(self) -> str:
        return self.display_name or self.email


def person_of(profile: Profile) -> Person:
    """Take from a row what a request may know of it."""
    return Person(
        id=profile.id,
        email=profile.email,
        display_name=profile.display_name,
        role=Role(profile.role),
        session_version=profile.session_version,
    )


def may_sign_in(profile: Profile, demo_accounts: bool) -> bool:
    """Whether this account is open. Rows of a demo left in a database are shut wherever the demo is off."""
    return profile.is_active and (demo_accounts or not profile.is_demo)

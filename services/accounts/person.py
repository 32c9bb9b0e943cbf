"""The person who makes a request."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from core.models import Profile
from services.accounts.roles import Role


@dataclass(frozen=True)
class Person:
    """A person who is signed in or is signing in."""

    id: uuid.UUID
    email: str
    display_name: str
    role: Role
    #: Sessions that carry another number are no longer valid.
    session_version: int
    #: What Supabase Auth granted for signing in; None where it keeps no passwords, and within a session.
    auth_session: uuid.UUID | None = None
    #: "en" or "es", and a key of `web.templating.THEMES`; None: as the browser has it.
    language: str | None = None
    theme: str | None = None

    @property
    def name(self) -> str:
        return self.display_name or self.email


def person_of(profile: Profile) -> Person:
    """Return the part of an account's row that requests work with."""
    return Person(
        id=profile.id,
        email=profile.email,
        display_name=profile.display_name,
        role=Role(profile.role),
        session_version=profile.session_version,
        language=profile.language,
        theme=profile.theme,
    )


def may_sign_in(profile: Profile, demo_accounts: bool) -> bool:
    """Return whether the account is active. Demo accounts are not, unless demo accounts are on."""
    return profile.is_active and (demo_accounts or not profile.is_demo)

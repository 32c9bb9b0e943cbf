"""List the accounts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from core.models import Profile
from services.accounts.roles import Role
from services.context import Context


@dataclass(frozen=True)
class UserRow:
    """One account."""

    id: uuid.UUID
    email: str
    display_name: str
    role: Role
    is_active: bool
    is_demo: bool
    #: Whether the person was invited and has not chosen a password yet, or has not signed in by Supabase Auth.
    is_invited: bool
    created_at: datetime
    last_sign_in_at: datetime | None
    #: Whether Supabase Auth has yet to be told of a change.
    auth_due: bool


def list_users(context: Context) -> list[UserRow]:
    """Return all accounts, active ones first, each group in the order of the addresses."""
    query = select(Profile).order_by(Profile.is_active.desc(), Profile.email)
    with context.database.session() as session:
        return [
            UserRow(
                id=row.id,
                email=row.email,
                display_name=row.display_name,
                role=Role(row.role),
                is_active=row.is_active,
                is_demo=row.is_demo,
                is_invited=(row.password_hash if context.auth is None else row.last_sign_in_at) is None,
                created_at=row.created_at,
                last_sign_in_at=row.last_sign_in_at,
                auth_due=row.auth_due and context.auth is not None,
            )
            for row in session.scalars(query)
        ]

"""The account that owns work started on the command line without naming a person."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from core.models import Profile
from services.accounts.roles import Role
from services.context import Context

_ADDRESS = "terminal@localhost"


def terminal_person(context: Context) -> uuid.UUID:
    """Return the id of the oldest active admin, else of a special account that cannot sign in."""
    with context.database.session() as session:
        admin = session.scalar(
            select(Profile.id)
            .where(Profile.role == Role.ADMIN.value, Profile.is_active)
            .order_by(Profile.created_at, Profile.id)
            .limit(1)
        )
        return admin or _nobody(context)


def _nobody(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        session.execute(
            insert(Profile)
            .values(email=_ADDRESS, display_name="Terminal", role=Role.OFFICER.value, is_active=False)
            .on_conflict_do_nothing()
        )
        return session.scalars(select(Profile.id).where(Profile.email == _ADDRESS)).one()

"""Accounts with published passwords, for a demo on the local machine only."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import func, select

from core.errors import ConfigurationError
from core.models import Profile
from services.accounts.passwords import hash_password
from services.accounts.roles import Role
from services.context import Context


@dataclass(frozen=True)
class DemoAccount:
    """One account of the demo; shown on the sign-in page."""

    email: str
    display_name: str
    role: Role
    password: str


DEMO_ACCOUNTS: tuple[DemoAccount, ...] = (
    DemoAccount("reviewer@example.org", "Rosa Reviewer", Role.REVIEWER, "demo-reviewer"),
    DemoAccount("officer@example.org", "Olga Officer", Role.OFFICER, "demo-officer"),
    DemoAccount("uploader@example.org", "Ulises Uploader", Role.UPLOADER, "demo-uploader"),
    DemoAccount("auditor@example.org", "Aiko Auditor", Role.AUDITOR, "demo-auditor"),
    DemoAccount("admin@example.org", "Ada Admin", Role.ADMIN, "demo-administrator"),
)


def create_demo_accounts(context: Context) -> dict[Role, uuid.UUID]:
    """Create the demo accounts that do not exist yet and return the ids of all by role.

    Raises ConfigurationError unless DEMO_ACCOUNTS is on (`Settings` refuses it together with an external
    database or a public address).
    """
    if not context.settings.demo_accounts:
        raise ConfigurationError("DEMO_ACCOUNTS must be true to make demo accounts")
    return {account.role: _ensure(context, account) for account in DEMO_ACCOUNTS}


def _ensure(context: Context, account: DemoAccount) -> uuid.UUID:
    with context.database.session() as session:
        profile = session.scalar(select(Profile).where(func.lower(Profile.email) == account.email))
        if profile is None:
            profile = Profile(email=account.email, is_demo=True, password_hash=None)
            session.add(profile)
        if not profile.is_demo:
            raise ConfigurationError(f"{account.email} is a real account; the demo will not touch it")
        if profile.password_hash is None:
            profile.password_hash = hash_password(account.password)
        profile.role = account.role.value
        profile.display_name = account.display_name
        session.flush()
        return profile.id

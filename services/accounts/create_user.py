"""Create an account with a password, without an invitation: for the first admin and the demo."""

from __future__ import annotations

import uuid

from sqlalchemy.exc import IntegrityError

from core.errors import InvalidInputError
from core.models import Profile, SecurityEventKind
from services.accounts.display_name import normal_name
from services.accounts.email_address import normal_email
from services.accounts.passwords import hash_new_password
from services.accounts.roles import Role
from services.context import Context
from services.messages.account import AccountRefused
from services.security_events import record_event


def create_user(context: Context, email: str, role: Role, password: str, display_name: str = "") -> uuid.UUID:
    """Create the account and return its id. Raises InvalidInputError for an address in use, a weak password
    or a long name."""
    address = normal_email(email)
    profile = Profile(
        email=address,
        role=role.value,
        display_name=normal_name(display_name),
        password_hash=hash_new_password(password, address),
    )
    try:
        with context.database.session() as session:
            session.add(profile)
            session.flush()
            record_event(session, SecurityEventKind.ACCOUNT_MADE, subject_id=profile.id, role=role.value)
    except IntegrityError as exc:
        raise InvalidInputError(AccountRefused.ADDRESS_TAKEN) from exc
    return profile.id

"""Create an account with a password, without an invitation: for the first admin and the demo."""

from __future__ import annotations

import uuid

from sqlalchemy.exc import IntegrityError

from core.errors import InvalidInputError
from core.models import Profile, SecurityEventKind
from services.accounts.at_auth.grants import auth_of
from services.accounts.at_auth.passwords import require_acceptable_at_auth
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
    profile = Profile(email=address, role=role.value, display_name=normal_name(display_name))
    if context.auth is None:
        profile.password_hash = hash_new_password(password, address)
    else:
        profile.id = _made_at_auth(context, address, role, password)
    try:
        with context.database.session() as session:
            session.add(profile)
            session.flush()
            record_event(session, SecurityEventKind.ACCOUNT_MADE, subject_id=profile.id, role=role.value)
    except IntegrityError as exc:
        raise InvalidInputError(AccountRefused.ADDRESS_TAKEN) from exc
    return profile.id


def _made_at_auth(context: Context, address: str, role: Role, password: str) -> uuid.UUID:
    """Make the account at Auth first: without a row here nobody signs in with it."""
    require_acceptable_at_auth(password, address)
    made = auth_of(context).admin.make_account(uuid.uuid4(), address, role.value, password)
    if made is None:
        raise InvalidInputError(AccountRefused.ADDRESS_TAKEN)
    return made

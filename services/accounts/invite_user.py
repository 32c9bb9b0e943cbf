"""Invite a person: create an account without a password, and a link through which they choose one."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from core.errors import InvalidInputError
from core.models import Profile, SecurityEventKind
from services.accounts.account_tokens import issue_token
from services.accounts.display_name import normal_name
from services.accounts.email_address import normal_email
from services.accounts.roles import Role
from services.context import Context
from services.messages.account import AccountRefused
from services.security_events import record_event


def invite_user(
    context: Context,
    email: str,
    role: Role,
    display_name: str = "",
    actor_id: uuid.UUID | None = None,
    language: str | None = None,
) -> str:
    """Create the account and return the token of the invitation's link; `language` is that of its pages and mails.

    Inviting a person again replaces an invitation that was not accepted yet.

    Raises InvalidInputError for an address whose account has a password, and for a long name.
    """
    address = normal_email(email)
    try:
        with context.database.session() as session:
            profile = session.scalar(select(Profile).where(func.lower(Profile.email) == address).with_for_update())
            if profile is None:
                profile = Profile(email=address)
                session.add(profile)
            elif profile.password_hash is not None:
                raise InvalidInputError(AccountRefused.ADDRESS_TAKEN)
            profile.role = role.value
            profile.display_name = normal_name(display_name)
            profile.language = language or profile.language
            session.flush()
            record_event(
                session, SecurityEventKind.INVITED, actor_id=actor_id, subject_id=profile.id, role=role.value
            )
            return issue_token(session, profile.id, "invitation")
    except IntegrityError as exc:
        raise InvalidInputError(AccountRefused.JUST_INVITED) from exc

"""Invite a person by Supabase Auth: an account there and its row here, under one id, and a link to hand over."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from core.auth.admin import MadeLink
from core.errors import InvalidInputError
from core.models import Profile, SecurityEventKind
from services.accounts.at_auth.grants import auth_of
from services.accounts.at_auth.outbox import tell_auth
from services.accounts.display_name import normal_name
from services.accounts.email_address import normal_email
from services.accounts.roles import Role
from services.context import Context
from services.messages.account import AccountRefused
from services.security_events import record_event


def invite_at_auth(
    context: Context, email: str, role: Role, display_name: str = "", actor_id: uuid.UUID | None = None
) -> MadeLink:
    """Make the account and return the link by which its owner chooses a password.

    An account of ours that Auth does not know gets one there under the same id, and keeps its role and name if it
    was used before: so people who had their password here are taken along. Inviting again replaces an invitation
    that was not accepted yet.

    Raises InvalidInputError for an address whose account is in use, and for a long name; AuthUnavailableError and
    AuthRefusedError, after which nobody signs in with what Auth may have made: there is no row here.
    """
    address, name = normal_email(email), normal_name(display_name)
    with context.database.session() as session:
        known = session.scalar(select(Profile).where(func.lower(Profile.email) == address))
    link = _link(context, address, role, known)
    try:
        with context.database.session() as session:
            profile = session.get(Profile, link.person_id, with_for_update=True)
            if profile is None:
                profile = Profile(id=link.person_id, email=address)
                session.add(profile)
            if profile.last_sign_in_at is None:
                profile.role, profile.display_name = role.value, name
            profile.auth_due = True
            session.flush()
            record_event(
                session, SecurityEventKind.INVITED, actor_id=actor_id, subject_id=profile.id, role=profile.role
            )
    except IntegrityError as exc:
        raise InvalidInputError(AccountRefused.JUST_INVITED) from exc
    tell_auth(context, link.person_id)
    return link


def _link(context: Context, address: str, role: Role, known: Profile | None) -> MadeLink:
    admin = auth_of(context).admin
    # Under our id, where the address has none at Auth: an invitation alone would make up another.
    admin.make_account(known.id if known else uuid.uuid4(), address, role.value)
    link = admin.make_link(address, "invite")
    if link is None and known is None:
        # Somebody made the account at Supabase, and its owner has confirmed the address.
        link = admin.make_link(address, "recovery")
    if link is None:
        raise InvalidInputError(AccountRefused.ADDRESS_TAKEN)
    if known is not None and known.id != link.person_id:
        raise InvalidInputError(AccountRefused.OTHER_AT_AUTH)
    return link

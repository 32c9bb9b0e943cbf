"""Hand a personal link over: by mail, or to the admin, who passes it on."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, select

from core.clock import utcnow
from core.errors import MailError
from core.mail.send import mail_is_configured
from core.models import Profile
from services.accounts.account_tokens import LIFETIMES
from services.accounts.invite_user import invite_user
from services.accounts.letters.send_letter import link_of, send_letter
from services.accounts.request_password_reset import request_password_reset
from services.accounts.roles import Role
from services.context import Context
from services.messages.account_letters import AccountLetter


@dataclass(frozen=True)
class HandedOver:
    """What became of a link."""

    #: Whose it is.
    email: str
    #: For the admin to pass on; "" where it was sent.
    token: str = ""
    #: Why it could not be sent; None where it was, and where that was not asked for.
    error: MailError | None = None


@dataclass(frozen=True)
class Invitation:
    """Whom to invite."""

    email: str
    role: Role
    display_name: str = ""
    #: "en" or "es": of the mail and, until they choose another, of their pages.
    language: str | None = None


def hand_over_invitation(
    context: Context, invited: Invitation, actor_id: uuid.UUID, by_mail: bool = True
) -> HandedOver:
    """Invite a person, once more if they were invited, and send the link where mails can be sent.

    A mail that fails undoes nothing: the link is then handed to the admin. Raises what `invite_user` raises.
    """
    token = invite_user(
        context, invited.email, invited.role, invited.display_name, actor_id, language=invited.language
    )
    with context.database.session() as session:
        inviter = session.get_one(Profile, actor_id)

    def send(profile: Profile) -> None:
        send_letter(
            context.settings,
            profile,
            AccountLetter.INVITED_SUBJECT,
            AccountLetter.INVITED,
            who=inviter.display_name or inviter.email,
            link=link_of(context.settings, "invitation", token),
            date=context.settings.office_day(utcnow() + LIFETIMES["invitation"]),
        )

    return _handed_over(context, invited.email, token, send if by_mail else None)


def hand_over_reset(
    context: Context, email: str, actor_id: uuid.UUID | None, by_mail: bool = True, language: str | None = None
) -> HandedOver:
    """Make a link for a new password, and send it where mails can be sent. Raises NotFoundError."""
    token = request_password_reset(context, email, actor_id)

    def send(profile: Profile) -> None:
        send_letter(
            context.settings,
            profile,
            AccountLetter.RESET_SUBJECT,
            AccountLetter.RESET,
            language,
            link=link_of(context.settings, "password_reset", token),
            hours=LIFETIMES["password_reset"] // timedelta(hours=1),
        )

    return _handed_over(context, email, token, send if by_mail else None)


def _handed_over(context: Context, email: str, token: str, send: Callable[[Profile], None] | None) -> HandedOver:
    with context.database.session() as session:
        address = email.strip().lower()
        profile = session.scalars(select(Profile).where(func.lower(Profile.email) == address)).one()
    if send is None or not mail_is_configured(context.settings):
        return HandedOver(profile.email, token)
    try:
        send(profile)
    except MailError as error:
        return HandedOver(profile.email, token, error)
    return HandedOver(profile.email)

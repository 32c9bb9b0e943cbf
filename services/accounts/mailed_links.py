"""Links by mail with which people set their password: invitations and resets, and the letters that bring them."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import AppError, InvalidInputError, LinkExpiredError, MailDeferredError, MailError, NotFoundError
from core.mail import Mail, language_of, mail_is_configured, send_mail
from core.messages import Message, Param, say
from core.models import AccountToken, Profile, ResetRequest, SecurityEventKind
from core.tracing.log import get_logger
from services.accounts.at_auth import person_of_grant, set_password
from services.accounts.passwords import hash_new_password, secret_hash
from services.accounts.person import Person, Role, has_address, may_sign_in, normal_email, normal_name, person_of
from services.audit import record_event
from services.context import Context
from services.messages.office import AccountLetter, AccountRefused
from services.recovery.kinds import RESETS
from services.recovery.work import keeping, queue_rows, take_lease

Purpose = Literal["invitation", "password_reset"]
LIFETIMES: dict[Purpose, timedelta] = {"invitation": timedelta(days=7), "password_reset": timedelta(hours=4)}
#: Where the links lead; a test compares them with the routes.
_PATHS: dict[Purpose, str] = {"invitation": "/invitation/", "password_reset": "/password-reset/"}
#: What is recorded when one was used.
_EVENTS: dict[Purpose, SecurityEventKind] = {
    "invitation": SecurityEventKind.INVITATION_ACCEPTED,
    "password_reset": SecurityEventKind.PASSWORD_RESET,
}
log = get_logger(__name__)


def invited_person(context: Context, token: str) -> Person:
    """Return the person whom the link invites. Raises LinkExpiredError."""
    with context.database.reading() as session:
        return person_of(_owner(context, session, token, "invitation"))


def accept_invitation(
    context: Context, token: str, password: str, display_name: str = "", language: str | None = None
) -> Person:
    """Set the password, the name and the language, if one is given, and return the person.

    Raises LinkExpiredError, and InvalidInputError for a weak password or a long name.
    """
    said = {"display_name": normal_name(display_name), "language": language}
    return _with_new_password(context, token, "invitation", password, said)


def person_to_reset(context: Context, token: str) -> Person:
    """Return the person whose password the link resets. Raises LinkExpiredError."""
    with context.database.reading() as session:
        return person_of(_owner(context, session, token, "password_reset"))


def reset_password(context: Context, token: str, password: str) -> Person:
    """Set the password; return the person. Raises LinkExpiredError, or InvalidInputError for a weak password."""
    return _with_new_password(context, token, "password_reset", password, {})


def _with_new_password(
    context: Context, token: str, purpose: Purpose, password: str, said: Mapping[str, str | None]
) -> Person:
    """Set the password of the link's owner, and what they said of themselves; use the link up."""
    grant = None
    if context.auth is not None:
        with context.database.session() as session:
            owner = _owner(context, session, token, purpose)
        grant = set_password(context, owner.id, owner.email, password)
    with context.database.session() as session:
        profile = _owner(context, session, token, purpose)
        if grant is None:
            profile.password_hash = hash_new_password(password, profile.email)
        for name, value in said.items():
            setattr(profile, name, value or getattr(profile, name))
        use_token(session, token)
        note_new_password(session, profile)
        record_event(session, _EVENTS[purpose], actor_id=profile.id)
    return person_of(profile) if grant is None else person_of_grant(context, grant)


def _owner(context: Context, session: Session, token: str, purpose: Purpose) -> Profile:
    """Return the owner of a link. Raises LinkExpiredError, also for an invited person with a password here."""
    profile = profile_of_token(session, token, purpose)
    if purpose == "invitation" and context.auth is None and profile.password_hash is not None:
        raise LinkExpiredError
    return profile


# Ask for a link to choose a new password. It is mailed; the page does not tell whether an account has the address.


def ask_for_reset(context: Context, email: str, language: str) -> None:
    """Have a worker send the link, if the address has an account with a password.

    The same is done for every address: one row is looked for, one is written and one job is queued. Someone who
    asks again before the mail is sent gets one mail.
    """
    with context.database.session() as session:
        profile = session.scalar(select(Profile).where(has_address(email), Profile.password_hash.is_not(None)))
        known = profile is not None and may_sign_in(profile, context.settings.demo_accounts)
        made = session.scalar(
            insert(ResetRequest)
            .values(id=uuid.uuid4(), profile_id=profile.id if profile and known else None, language=language)
            .on_conflict_do_update(index_elements=[ResetRequest.profile_id], set_={"language": language})
            .returning(ResetRequest.id)
        )
    queue_rows(context, RESETS, made)


def send_reset(context: Context, request_id: uuid.UUID) -> bool:
    """Make the link, send it and delete the request; return False if there was nothing to do.

    Raises LeaseLostError, and MailError: each attempt makes a link of its own, and the one before stops working.
    """
    lease = take_lease(context, RESETS, request_id)
    if lease is None:
        return False
    with keeping(context, lease):
        with context.database.session() as session:
            row = lease.hold(session)
            profile = session.get(Profile, row.profile_id) if row.profile_id else None
            language, email = row.language, profile.email if profile else ""
        if email:
            # The account may have been closed meanwhile.
            with suppress(NotFoundError):
                handed = hand_over_reset(context, email, None, language=language)
                if handed.error is not None:
                    raise handed.error
        forget_reset(context, request_id)
    return True


def fail_reset(context: Context, request_id: uuid.UUID, error: AppError) -> None:
    """Delete the request, since the link cannot be sent; the log says why."""
    log.warning("reset_not_sent", code=error.code)
    forget_reset(context, request_id)


def forget_reset(context: Context, request_id: uuid.UUID) -> None:
    """Delete the request."""
    context.database.execute(delete(ResetRequest).where(ResetRequest.id == request_id))


@dataclass(frozen=True)
class HandedOver:
    #: Whose it is.
    email: str
    #: For the admin to pass on; "" where it was sent.
    token: str = ""
    #: Why it could not be sent; None if it was sent, or was not to be.
    error: MailError | None = None


@dataclass(frozen=True)
class Invitation:
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
    inviter = context.database.get_one(Profile, actor_id)

    def send(profile: Profile) -> None:
        send_letter(
            context.settings,
            profile,
            AccountLetter.INVITED_SUBJECT,
            AccountLetter.INVITED,
            who=inviter.display_name or inviter.email,
            link=personal_link(context.settings, "invitation", token),
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
            link=personal_link(context.settings, "password_reset", token),
            hours=LIFETIMES["password_reset"] // timedelta(hours=1),
        )

    return _handed_over(context, email, token, send if by_mail else None)


def _handed_over(context: Context, email: str, token: str, send: Callable[[Profile], None] | None) -> HandedOver:
    profile = context.database.one(select(Profile).where(has_address(email)))
    if send is None or not mail_is_configured(context.settings):
        return HandedOver(profile.email, token)
    try:
        send(profile)
    except MailError as error:
        return HandedOver(profile.email, token, error)
    return HandedOver(profile.email)


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

    Raises InvalidInputError for an address whose account has a password or is closed, and for a long name.
    """
    address = normal_email(email)
    try:
        with context.database.session() as session:
            profile = session.scalar(select(Profile).where(func.lower(Profile.email) == address).with_for_update())
            if profile is None:
                profile = Profile(email=address)
                session.add(profile)
            elif profile.password_hash is not None or not profile.is_active:
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


def request_password_reset(context: Context, email: str, actor_id: uuid.UUID | None = None) -> str:
    """Return the token of a new link. The old password works until the link is used. Raises NotFoundError."""
    with context.database.session() as session:
        # Locked, so that of two links asked for at once only the later one works.
        profile = session.scalar(select(Profile).where(has_address(email), Profile.is_active).with_for_update())
        if profile is None:
            raise NotFoundError("no active account with this address")
        record_event(session, SecurityEventKind.RESET_LINK_MADE, actor_id=actor_id, subject_id=profile.id)
        return issue_token(session, profile.id, "password_reset")


# Single-use tokens for the links of invitations and password resets. Only their hashes are stored.


def issue_token(session: Session, profile_id: uuid.UUID, purpose: Purpose) -> str:
    """Make and return a token; an earlier token of the same purpose stops working."""
    session.execute(
        delete(AccountToken).where(AccountToken.profile_id == profile_id, AccountToken.purpose == purpose)
    )
    token = secrets.token_urlsafe(32)
    session.add(
        AccountToken(
            profile_id=profile_id,
            purpose=purpose,
            token_hash=secret_hash(token),
            expires_at=utcnow() + LIFETIMES[purpose],
        )
    )
    return token


def profile_of_token(session: Session, token: str, purpose: Purpose) -> Profile:
    """Return the owner of a token. Raises LinkExpiredError if it was used, has expired or is unknown."""
    profile = session.scalar(
        select(Profile)
        .join(AccountToken, AccountToken.profile_id == Profile.id)
        .where(
            AccountToken.token_hash == secret_hash(token),
            AccountToken.purpose == purpose,
            AccountToken.used_at.is_(None),
            AccountToken.expires_at > utcnow(),
            Profile.is_active,
        )
    )
    if profile is None:
        raise LinkExpiredError
    return profile


def use_token(session: Session, token: str) -> None:
    """Mark the token as used. Raises LinkExpiredError if it was used before."""
    used = session.execute(
        update(AccountToken)
        .where(AccountToken.token_hash == secret_hash(token), AccountToken.used_at.is_(None))
        .values(used_at=func.now())
        .returning(AccountToken.id)
    )
    if used.first() is None:
        raise LinkExpiredError


def note_new_password(session: Session, profile: Profile) -> None:
    """End the account's sessions and links after its password was set, in whatever way."""
    profile.session_version += 1
    void_links(session, profile.id)


def void_links(session: Session, profile_id: uuid.UUID) -> None:
    """Let none of the account's links work any more."""
    session.execute(
        update(AccountToken)
        .where(AccountToken.profile_id == profile_id, AccountToken.used_at.is_(None))
        .values(used_at=func.now())
    )


def personal_link(settings: Settings, purpose: Purpose, token: str) -> str:
    """Return the address of a personal link, for a mail."""
    return settings.public_link(_PATHS[purpose] + token)


def send_letter(
    settings: Settings,
    profile: Profile,
    subject: AccountLetter,
    text: AccountLetter,
    language: str | None = None,
    **params: Param,
) -> None:
    """Send the mail now; `language` is for a person who has chosen none. Raises MailError."""
    reader = language_of(profile.language or language)
    mail = Mail(
        to=profile.email,
        to_name=profile.display_name,
        subject=say(Message.of(subject), reader),
        text=say(Message.of(text, **params), reader) + "\n",
    )
    try:
        send_mail(settings, mail)
    except MailDeferredError as exc:
        # The error's own message is for queued mails, which are retried.
        raise MailDeferredError(AccountLetter.NOT_SENT) from exc

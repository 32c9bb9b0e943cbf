"""Send a mail about an account, in the language of whoever gets it."""

from __future__ import annotations

from core.config import Settings
from core.errors import MailDeferredError
from core.mail.language import language_of
from core.mail.mail import Mail
from core.mail.send import send_mail
from core.messages import Message, Param
from core.models import Profile
from core.saying import say
from services.accounts.account_tokens import Purpose
from services.messages.account_letters import AccountLetter

#: Where the links lead; `tests/services/accounts/letters` holds them against the routes.
_PATHS: dict[Purpose, str] = {"invitation": "/invitation/", "password_reset": "/password-reset/"}


def link_of(settings: Settings, purpose: Purpose, token: str) -> str:
    """Return the address of a personal link, as it stands in a mail."""
    return settings.public_link(_PATHS[purpose] + token)


def send_letter(
    settings: Settings,
    profile: Profile,
    subject: AccountLetter,
    text: AccountLetter,
    language: str | None = None,
    **params: Param,
) -> None:
    """Send the mail now; `language` is for whoever has not chosen any. Raises MailError."""
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
        # Said of mails that wait in the table: they are sent again by themselves.
        raise MailDeferredError(AccountLetter.NOT_SENT) from exc

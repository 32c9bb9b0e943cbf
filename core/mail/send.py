"""Send a mail by the provider that the settings name."""

from __future__ import annotations

from typing import Protocol

from core.config import Settings
from core.errors import MailNotConfiguredError
from core.mail.mail import Mail
from core.mail.smtp import SmtpServer


class MailProvider(Protocol):
    """Whoever takes mails."""

    def send(self, mail: Mail) -> str:
        """Hand over a mail and return its Message-ID. Raises MailError."""

    def check(self) -> None:
        """Try whether mails would be taken, without sending one. Raises MailError."""


class NoMail:
    """The provider where no server is named."""

    def send(self, mail: Mail) -> str:
        """Raises MailNotConfiguredError."""
        raise MailNotConfiguredError("SMTP_HOST is not set")

    def check(self) -> None:
        """Raises MailNotConfiguredError."""
        raise MailNotConfiguredError("SMTP_HOST is not set")


def mail_is_configured(settings: Settings) -> bool:
    """Whether there is a server to send mails by."""
    return settings.smtp_host is not None


def open_mail(settings: Settings) -> MailProvider:
    """Return the provider; connects to nothing yet."""
    return SmtpServer.of(settings) if mail_is_configured(settings) else NoMail()


def send_mail(settings: Settings, mail: Mail) -> str:
    """Send a mail now and return its Message-ID. Raises MailError; its `retryable` says whether later may help."""
    return open_mail(settings).send(mail)

"""A mail server that is spoken to by SMTP, one connection a mail."""

from __future__ import annotations

import contextlib
import smtplib
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parseaddr

from pydantic import SecretStr

from core.config import Settings
from core.mail.failures import translate
from core.mail.mail import Mail, in_ascii


@dataclass(frozen=True)
class SmtpServer:
    """How to reach a server. The certificates of `SSL_CERT_FILE`, or of the system, say whom to trust."""

    host: str
    port: int
    security: str
    user: str | None
    password: SecretStr | None
    sender: str
    timeout: float

    @classmethod
    def of(cls, settings: Settings) -> SmtpServer:
        """The server that the settings name; `SMTP_HOST` and `MAIL_FROM` are set."""
        assert settings.smtp_host and settings.mail_from
        return cls(
            settings.smtp_host,
            settings.mail_port,
            settings.smtp_security,
            settings.smtp_user,
            settings.smtp_password,
            settings.mail_from,
            settings.smtp_timeout_seconds,
        )

    def send(self, mail: Mail) -> str:
        """Hand over a mail and return its Message-ID once the server has accepted it. Raises MailError."""
        message = mail.message(self.sender)
        with self._connected() as server:
            try:
                # `send_message` would write ">From" for lines that begin with "From".
                server.sendmail(in_ascii(parseaddr(self.sender)[1]), [in_ascii(mail.to)], message.as_bytes())
            except OSError as error:
                raise translate(error, "message") from None
        return str(message["Message-ID"]).strip("<> ")

    def check(self) -> None:
        """Connect and sign in, and send nothing. Raises MailError."""
        with self._connected():
            pass

    @contextlib.contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        step, server = "connect", None
        try:
            server = self._open()
            if self.security == "starttls":
                step = "starttls"
                server.starttls(context=ssl.create_default_context())
            if self.user and self.password:
                step = "sign-in"
                server.login(self.user, self.password.get_secret_value())
        except OSError as error:
            if server is not None:
                server.close()
            raise translate(error, step) from None
        try:
            yield server
        finally:
            # What the server accepted stays accepted, however the connection ends.
            with contextlib.suppress(OSError):
                server.quit()
            server.close()

    def _open(self) -> smtplib.SMTP:
        # Our name in the greeting: `smtplib` would ask the resolver for it, which may take seconds.
        name = in_ascii(parseaddr(self.sender)[1]).rpartition("@")[2]
        if self.security == "tls":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(self.host, self.port, name, timeout=self.timeout, context=context)
        return smtplib.SMTP(self.host, self.port, name, timeout=self.timeout)

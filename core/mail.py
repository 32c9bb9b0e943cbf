"""Send mail over SMTP."""

from __future__ import annotations

import contextlib
import io
import re
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid, parseaddr
from functools import cache
from gettext import GNUTranslations, NullTranslations
from typing import Any, Protocol

import idna
from babel.dates import format_date
from babel.numbers import format_decimal
from pydantic import SecretStr

from core.clock import utcnow
from core.config import ROOT, Settings
from core.errors import (
    MailAwayError,
    MailDeferredError,
    MailError,
    MailInvalidError,
    MailNotConfiguredError,
    MailRecipientError,
    MailRefusedError,
    MailSignInError,
    MailTlsError,
)
from core.messages import Language

# The languages of mails, which are written outside of any request.


#: Locales for dates and numbers by the codes of languages.
_LOCALES = {"en": "en", "es": "es_MX"}


class _Catalog:
    """A language with the catalog of `translations/`."""

    def __init__(self, code: str) -> None:
        self.code = code
        path = ROOT / "translations" / code / "LC_MESSAGES" / "messages.mo"
        self._texts: NullTranslations = NullTranslations()
        if path.is_file():
            with path.open("rb") as file:
                self._texts = GNUTranslations(file)

    def translated(self, text: str) -> str:
        """Return a text in this language, in English where the catalog has none."""
        return self._texts.gettext(text) if text else text

    def number(self, value: float) -> str:
        return str(format_decimal(value, "#,##0.##", locale=_LOCALES[self.code]))

    def day(self, iso: str) -> str:
        """Return a date, given in ISO form, as letters have it: "November 29, 2026", "29 de noviembre de 2026"."""
        return str(format_date(date.fromisoformat(iso[:10]), "long", locale=_LOCALES[self.code]))


@cache
def language_of(code: str | None) -> Language:
    """Return the language of a code; English for an unknown one or none."""
    return _Catalog(code if code in _LOCALES else "en")


# Send a mail by the provider that the settings name.


class MailProvider(Protocol):
    def send(self, mail: Mail) -> str:
        """Hand over a mail and return its Message-ID. Raises MailError."""

    def check(self) -> None:
        """Check that mails would be accepted, without sending one. Raises MailError."""


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


# A mail server, reached over SMTP by one connection a mail.


#: Most bytes of one reply. A reply to EHLO, the longest, has one or two thousand.
_LONGEST_REPLY = 64 * 1024
#: Bytes sent at once: what TLS encrypts as one.
_RECORD = 16 * 1024


@dataclass(frozen=True)
class SmtpServer:
    """How to reach a server. The certificates of `SSL_CERT_FILE`, or of the system, say whom to trust."""

    host: str
    port: int
    security: str
    user: str | None
    password: SecretStr | None
    sender: str
    #: Seconds that one mail may take, from connecting to the server's last reply.
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
                raise as_mail_error(error, "message") from None
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
        except (OSError, ValueError) as error:
            if server is not None:
                server.close()
            raise as_mail_error(error, step) from None
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
        context = ssl.create_default_context() if self.security == "tls" else None
        return _Connection(self.host, self.port, name, self.timeout, context)


class _Deadline:
    """The moment by which a mail must have been handed over."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left; raises TimeoutError when there are none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time for one mail is over")
        return left


class _Connection(smtplib.SMTP):
    """A connection with one deadline for all that is done over it, and with bounded replies.

    `smtplib` limits each read of the socket alone: a server that sends a byte a second, or lines without end,
    would hold it for as long as it likes. Only the look-up of the host's name has the resolver's own limits.
    """

    def __init__(self, host: str, port: int, name: str, seconds: float, context: ssl.SSLContext | None) -> None:
        """Connect, with TLS at once if there is a context, and read the greeting. Raises OSError."""
        self._deadline, self._context = _Deadline(seconds), context
        super().__init__(host, port, name, timeout=seconds)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        connected = self._reached(host, port)
        if self._context is None:
            return connected
        connected.settimeout(self._deadline.left())
        return self._context.wrap_socket(connected, server_hostname=host)

    def _reached(self, host: str, port: int) -> socket.socket:
        """Try the addresses of a name in turn, within the deadline. Raises OSError."""
        refused: OSError = socket.gaierror("no address")
        for *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            try:
                return socket.create_connection((str(address[0]), port), self._deadline.left())
            except OSError as error:
                refused = error
        raise refused

    def send(self, s: Any) -> None:
        """Send within the deadline. See `smtplib.SMTP.send`."""
        data = s.encode(self.command_encoding) if isinstance(s, str) else bytes(s)
        for start in range(0, len(data), _RECORD):
            self._hurry()
            super().send(data[start : start + _RECORD])

    def getreply(self) -> tuple[int, bytes]:
        """Read a reply within the deadline. See `smtplib.SMTP.getreply`."""
        if self.file is None and self.sock is not None:
            self._replies = _Replies(self.sock, self._deadline)
            self.file = io.BufferedReader(self._replies)
        self._replies.got = 0
        reply = super().getreply()
        # A handshake may follow, which has the time-out of the socket. The reply itself was in time.
        with contextlib.suppress(TimeoutError):
            self._hurry()
        return reply

    def _hurry(self) -> None:
        """Limit the socket's next step to the time that is left. Raises TimeoutError."""
        if self.sock is not None:
            self.sock.settimeout(self._deadline.left())


class _Replies(io.RawIOBase):
    """A server's replies, read within a deadline; `got`: bytes of the current reply so far."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._socket, self._deadline = sock, deadline
        self.got = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what has come. Raises TimeoutError, and OSError for a reply that does not end."""
        if self.got > _LONGEST_REPLY:
            raise OSError("a reply without end")
        self._socket.settimeout(self._deadline.left())
        read = self._socket.recv_into(buffer)
        self.got += read
        return read


# Tell failures of a mail server apart: who has to do something, and whether trying again helps.


#: The enhanced status at the beginning of a reply (RFC 3463).
_ENHANCED = re.compile(rb"^([245]\.\d{1,3}\.\d{1,3})\b")


def as_mail_error(error: OSError | ValueError, step: str) -> MailError:
    """Return the typed error of an exception of `smtplib` or of the connection.

    `step` is what was being done. Of the server's reply, only the codes are carried over: it may quote an address.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
        return _by_code(code, _bytes(text), step, MailRecipientError)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return _by_code(error.smtp_code, _bytes(error.smtp_error), step, MailSignInError)
    if isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 400:
        kind = MailTlsError if step == "starttls" else MailRefusedError
        return _by_code(error.smtp_code, _bytes(error.smtp_error), step, kind)
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return {"starttls": MailTlsError, "sign-in": MailSignInError}.get(step, MailRecipientError)(
            f"{step}: not supported by the server"
        )
    if isinstance(error, ValueError) and not isinstance(error, OSError):
        # A challenge that is not Base64, or a password with non-ASCII characters.
        return MailSignInError(f"{step}: {type(error).__name__}")
    if isinstance(error, smtplib.SMTPException) and step == "sign-in" and type(error) is smtplib.SMTPException:
        return MailSignInError(f"{step}: no way to sign in that both sides know")
    if isinstance(error, ssl.SSLError):
        return MailTlsError(f"{step}: {error.reason or type(error).__name__}")
    # `smtplib` says "disconnected" of a time-out too, whose own exception is then the context.
    return MailAwayError(f"{step}: {type(error.__context__ or error).__name__}")


def _by_code(code: int, text: bytes, step: str, for_good: type[MailError]) -> MailError:
    """4xx passes (RFC 5321, 4.2.1), as greylisting does; 5xx does not."""
    enhanced = _ENHANCED.match(text)
    detail = f"{step}: {code}{' ' + enhanced.group(1).decode() if enhanced else ''}"
    return MailDeferredError(detail) if 400 <= code < 500 else for_good(detail)


def _bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


# One mail, as data that is safe to put into headers.


#: What would end a header, or hide in one. Python decodes an encoded word (RFC 2047) in a text that is given, and
#: writes a line break that it held as one: before 3.11.10 that begins another header (CVE-2024-6923).
_UNFIT = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]|=\?")
#: Characters of one header; what is longer is a text in the wrong place.
_LONGEST = 900
#: Not every server takes bytes beyond ASCII.
_POLICY = SMTP.clone(cte_type="7bit")
_ADDRESS = re.compile(r"[^\s@<>(),;:\\\"\[\]]+@[^\s@<>(),;:\\\"\[\]]+")


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one person. Raises MailInvalidError for an address or a header that is not one."""

    to: str
    subject: str
    text: str
    html: str | None = None
    to_name: str = ""
    #: Where answers go; None: to MAIL_FROM.
    reply_to: str | None = None
    #: Identifier of the message, without angle brackets; the same for each attempt. None: one is made.
    message_id: str | None = None

    def __post_init__(self) -> None:
        for name, value in (("to", self.to), ("reply_to", self.reply_to)):
            if value is not None and not is_address(value):
                raise MailInvalidError(f"{name} is not an address")
        for name, value in (("subject", self.subject), ("to_name", self.to_name), ("id", self.message_id or "")):
            if _UNFIT.search(value) or len(value) > _LONGEST:
                raise MailInvalidError(f"{name} does not fit into a header")
        if not _encodes("".join((self.subject, self.to_name, self.text, self.html or ""))):
            raise MailInvalidError("a text has half a character")

    def message(self, sender: str) -> EmailMessage:
        """Return it in the form that is sent. `sender` is MAIL_FROM."""
        name, address = parseaddr(sender)
        message = EmailMessage(policy=_POLICY)
        message["From"] = Address(name, addr_spec=in_ascii(address))
        message["To"] = Address(self.to_name, addr_spec=in_ascii(self.to))
        if self.reply_to is not None:
            message["Reply-To"] = Address(addr_spec=in_ascii(self.reply_to))
        message["Subject"] = self.subject
        message["Date"] = format_datetime(utcnow())
        domain = in_ascii(address).rpartition("@")[2]
        message["Message-ID"] = f"<{self.message_id}>" if self.message_id else make_msgid(domain=domain)
        # RFC 3834: programs that answer mails by themselves leave these alone.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(self.text)
        if self.html is not None:
            message.add_alternative(self.html, subtype="html")
        return message


def is_address(value: str) -> bool:
    """Whether a text can stand as one address in a header, with nothing else in it."""
    if len(value) > 254 or _UNFIT.search(value) or not _ADDRESS.fullmatch(value):
        return False
    try:
        Address(addr_spec=in_ascii(value))
    except (ValueError, MessageError):
        return False
    return True


def in_ascii(address: str) -> str:
    """Return an address with its domain as servers know it (RFC 5890). Raises ValueError."""
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain if domain.isascii() else idna.encode(domain, uts46=True).decode()}"


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

"""A mail server that is spoken to by SMTP, one connection a mail."""

from __future__ import annotations

import contextlib
import io
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Any

from pydantic import SecretStr

from core.config import Settings
from core.mail.failures import translate
from core.mail.mail import Mail, in_ascii

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
        except (OSError, ValueError) as error:
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
        """Let the socket's next step take no longer than is left. Raises TimeoutError."""
        if self.sock is not None:
            self.sock.settimeout(self._deadline.left())


class _Replies(io.RawIOBase):
    """What a server says, read within a deadline; `got`: how many bytes of the current reply there were."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._socket, self._deadline = sock, deadline
        self.got = 0

    def readable(self) -> bool:
        """Return True: this can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what has come. Raises TimeoutError, and OSError for a reply that does not end."""
        if self.got > _LONGEST_REPLY:
            raise OSError("a reply without end")
        self._socket.settimeout(self._deadline.left())
        read = self._socket.recv_into(buffer)
        self.got += read
        return read

"""A mail server of this machine that takes mails over SMTP and can fail in the ways of real ones.

with MailServer() as server:
    send_mail(settings.model_copy(update=server.settings), mail)
    [mail] = server.received
"""

from __future__ import annotations

import asyncio
import contextlib
import socketserver
import ssl
import threading
import time
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTPUTF8
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


class MailServer:
    """Keeps what it takes in `received`. What is set between two mails holds for the next."""

    def __init__(
        self,
        *,
        user: str | None = None,
        password: str | None = None,
        tls: ssl.SSLContext | None = None,
        implicit_tls: bool = False,
    ) -> None:
        """With `user`, only who signs in may send; with `tls`, by STARTTLS, or from the first byte on."""
        self.received: list[EmailMessage] = []
        #: Who sent each, and to whom.
        self.envelopes: list[Envelope] = []
        #: Replies in place of taking a recipient, by address; "" stands for all.
        self.recipient_replies: dict[str, str] = {}
        #: Replies in place of taking messages, each for one message.
        self.message_replies: list[str] = []
        #: Whether the connection breaks off as soon as a message was taken, before the reply.
        self.drops = False
        #: Whether it keeps silent from the first recipient on.
        self.silent = False
        self._user, self._password = user, password
        self._lock = threading.Lock()
        self._tls, self._implicit = tls, implicit_tls
        self._controller = _Controller(self)

    @property
    def port(self) -> int:
        return int(self._controller.port)

    @property
    def settings(self) -> dict[str, Any]:
        """Values of settings that send by this server, without TLS."""
        return self.settings_of(self.port)

    @staticmethod
    def settings_of(port: int) -> dict[str, Any]:
        """The same of a server of this machine at a port."""
        return {
            "smtp_host": "127.0.0.1",
            "smtp_port": port,
            "smtp_security": "none",
            "smtp_timeout_seconds": 5.0,
            "mail_from": "Contest office <office@example.org>",
            "public_url": "https://entries.example.org",
        }

    @property
    def environment(self) -> dict[str, str]:
        """The same as variables, for processes."""
        return {name.upper(): str(value) for name, value in self.settings.items()}

    def to(self, address: str) -> list[EmailMessage]:
        """The mails that were taken for this address, in order."""
        with self._lock:
            pairs = list(zip(self.envelopes, self.received, strict=True))
        return [mail for envelope, mail in pairs if address in envelope.rcpt_tos]

    def clear(self) -> None:
        with self._lock:
            self.received.clear()
            self.envelopes.clear()

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    # What aiosmtpd calls.

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._user and not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.silent:
            await asyncio.sleep(60)
        if reply := self.recipient_replies.get(address) or self.recipient_replies.get(""):
            return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.message_replies:
            return self.message_replies.pop(0)
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=SMTPUTF8)
        assert isinstance(message, EmailMessage)
        with self._lock:
            self.received.append(message)
            self.envelopes.append(envelope)
        if self.drops and server.transport is not None:
            server.transport.abort()
        return "250 OK"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        right = isinstance(data, LoginPassword) and (data.login, data.password) == (
            (self._user or "").encode(),
            (self._password or "").encode(),
        )
        return AuthResult(success=right, handled=right)


class _Controller(Controller):
    def __init__(self, owner: MailServer) -> None:
        context = owner._tls if owner._implicit else None
        super().__init__(owner, hostname="127.0.0.1", port=0, ready_timeout=5.0, ssl_context=context)
        self.owner = owner

    def factory(self) -> SMTP:
        owner = self.owner
        starttls = owner._tls if not owner._implicit else None
        return SMTP(
            owner,
            hostname="mail.example.org",
            enable_SMTPUTF8=True,
            require_starttls=starttls is not None,
            tls_context=starttls,
            authenticator=owner.authenticate if owner._user else None,
            auth_require_tls=False,
        )

    def _trigger_server(self) -> None:
        """The base class connects to the port that it was given, which was 0."""
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextlib.contextmanager
def endless(first: bytes, again: bytes, times: int, pause: float = 0.0) -> Iterator[dict[str, Any]]:
    """Settings of a server that says `first`, takes a command if that is a greeting, and says `again` often.

    It hangs up then, so that who bears with it to the end sees a connection that is gone.
    """

    class Talks(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                self.wfile.write(first)
                if first:
                    self.rfile.readline()
                for _ in range(times):
                    self.wfile.write(again)
                    time.sleep(pause)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talks) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield MailServer.settings_of(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()

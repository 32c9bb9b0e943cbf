"""Mails over a server of this machine: what arrives, and what each failure is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.config import Settings, load_settings
from core.errors import (
    ConfigurationError,
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
from core.mail import Mail, mail_is_configured, open_mail, send_mail
from tests.support.mail_server import MailServer, endless
from tests.support.servers.tls import certified

MAIL = Mail("ana@example.org", "Hello", "Text")


def by(server: MailServer, **changes: Any) -> Settings:
    return load_settings(_env_file=None, **(server.settings | changes))


def test_a_mail_arrives_as_it_was_written(mail_server: MailServer) -> None:
    mail = Mail(
        "ana@bücher.example",
        "Faltan datos: Peña — ✎ " + "a" * 90,
        "Grüße\n\n.\nFrom here",
        "<p>Grüße</p>",
        to_name='Peña, Ana "A"',
        reply_to="desk@example.org",
        message_id="fixed.1@example.org",
    )
    assert send_mail(by(mail_server), mail) == "fixed.1@example.org"
    [got] = mail_server.to("ana@xn--bcher-kva.example")
    assert got["To"].addresses[0].display_name == 'Peña, Ana "A"'
    assert got["From"] == "Contest office <office@example.org>" and got["Reply-To"] == "desk@example.org"
    assert got["Subject"] == mail.subject and got["Message-ID"] == "<fixed.1@example.org>"
    assert got["Auto-Submitted"] == "auto-generated" and got["Date"].datetime is not None
    text, html = got.get_body(("plain",)), got.get_body(("html",))
    assert text is not None and text.get_content().replace("\r", "") == mail.text + "\n"
    assert html is not None and "Grüße" in html.get_content()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("to", "ana@example.org\nBcc: all@example.org"),
        ("to", "ana@example.org, bo@example.org"),
        ("to", "Ana <ana@example.org>"),
        ("subject", "Hello\r\nBcc: all@example.org"),
        ("to_name", "Ana\u2028Bcc"),
        ("to_name", "=?utf-8?q?Ana=0ABcc=3A_all=40example=2Eorg?="),
        ("subject", "=?utf-8?b?QQpCY2M6IGFsbEBleGFtcGxlLm9yZw==?="),
        ("to", "=?utf-8?q?a=0ABcc=3Ax?=@example.org"),
        ("reply_to", "nobody"),
        ("text", "half \ud800"),
    ],
)
def test_nothing_gets_into_the_headers(name: str, value: str) -> None:
    with pytest.raises(MailInvalidError):
        Mail(**({"to": "ana@example.org", "subject": "Hello", "text": ""} | {name: value}))


def _reply(address: str, text: str) -> Callable[[MailServer], None]:
    return lambda server: server.recipient_replies.update({address: text})


@pytest.mark.parametrize(
    ("prepare", "kind", "detail"),
    [
        (_reply("ana@example.org", "550 5.1.1 no ana here"), MailRecipientError, "message: 550 5.1.1"),
        (_reply("", "451 4.7.1 greylisted"), MailDeferredError, "message: 451 4.7.1"),
        (lambda server: server.message_replies.append("554 spam"), MailRefusedError, "message: 554"),
        (lambda server: server.message_replies.append("452 full"), MailDeferredError, "message: 452"),
        (lambda server: setattr(server, "silent", True), MailAwayError, "message: TimeoutError"),
        (lambda server: setattr(server, "drops", True), MailAwayError, "message: SMTPServerDisconnected"),
    ],
)
def test_each_failure_has_a_name(
    mail_server: MailServer, prepare: Callable[[MailServer], None], kind: type[MailError], detail: str
) -> None:
    prepare(mail_server)
    with pytest.raises(kind) as caught:
        send_mail(by(mail_server, smtp_timeout_seconds=0.2 if mail_server.silent else 5), MAIL)
    assert type(caught.value) is kind and caught.value.detail == detail
    assert caught.value.retryable is (kind in (MailAwayError, MailDeferredError))


GREETING = b"220 mail.example.org\r\n"


@pytest.mark.parametrize(
    ("first", "again", "detail"),
    [
        (b"", b"220-mail\r\n" * 1000, "connect: OSError"),
        (GREETING, b"250-SIZE\r\n" * 1000, "message: OSError"),
        (GREETING, b"250-" + b"x" * 2000 + b"\r\n", "message: OSError"),
    ],
)
def test_a_reply_without_end_is_not_read_to_its_end(first: bytes, again: bytes, detail: str) -> None:
    with endless(first, again, 2000) as settings, pytest.raises(MailAwayError) as caught:
        send_mail(load_settings(_env_file=None, **settings), MAIL)
    assert caught.value.detail == detail


@pytest.mark.parametrize("first", [b"", GREETING])
@pytest.mark.parametrize("again", [b"2", b"220-\r\n"])
def test_a_server_that_dawdles_has_the_time_of_one_mail(first: bytes, again: bytes) -> None:
    with endless(first, again, 100, pause=0.05) as settings, pytest.raises(MailError) as caught:
        send_mail(load_settings(_env_file=None, **settings | {"smtp_timeout_seconds": 0.4}), MAIL)
    step = "message" if first else "connect"
    assert caught.value.detail == f"{step}: TimeoutError"


def test_one_signs_in() -> None:
    with MailServer(user="desk", password="word") as server:
        send_mail(by(server, smtp_user="desk", smtp_password="word"), MAIL)
        with pytest.raises(MailSignInError):
            open_mail(by(server, smtp_user="desk", smtp_password="other")).check()
        with pytest.raises(MailRefusedError):
            send_mail(by(server), MAIL)
    assert len(server.received) == 1


def test_a_challenge_that_is_no_base64_is_a_failure_of_the_sign_in() -> None:
    with endless(GREETING, b"250-x\r\n250 AUTH LOGIN\r\n334 a\r\n", 1, pause=0.3) as settings:
        given = load_settings(_env_file=None, **settings, smtp_user="desk", smtp_password="word")
        with pytest.raises(MailSignInError):
            open_mail(given).check()


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_protected_connection(security: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, certificate = certified("localhost", tmp_path)
    with MailServer(tls=context, implicit_tls=security == "tls") as server:
        settings = by(server, smtp_security=security, smtp_host="localhost")
        with pytest.raises(MailTlsError):
            send_mail(settings, MAIL)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        send_mail(settings, MAIL)
        with pytest.raises(MailTlsError):
            send_mail(by(server, smtp_security=security), MAIL)  # The certificate is not that of 127.0.0.1.
    assert len(server.received) == 1


def test_without_tls_at_the_server_nothing_is_sent(mail_server: MailServer) -> None:
    with pytest.raises(MailTlsError):
        send_mail(by(mail_server, smtp_security="starttls"), MAIL)
    assert mail_server.received == []


def test_no_server() -> None:
    settings = load_settings(_env_file=None)
    assert not mail_is_configured(settings)
    with pytest.raises(MailNotConfiguredError):
        send_mail(settings, MAIL)
    with MailServer() as server:
        gone = by(server)
    with pytest.raises(MailAwayError):
        open_mail(gone).check()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"smtp_host": "mail.example.org"}, "MAIL_FROM and PUBLIC_URL"),
        ({"smtp_user": "desk"}, "SMTP_USER and SMTP_PASSWORD"),
        ({"smtp_user": "desk", "smtp_password": "word"}, "SMTP_HOST"),
        ({"mail_from": "the office"}, "MAIL_FROM"),
        ({"public_url": "entries.example.org"}, "PUBLIC_URL"),
        (
            {
                "smtp_host": "mail.example.org",
                "smtp_user": "desk",
                "smtp_password": "word",
                "smtp_security": "none",
                "mail_from": "office@example.org",
                "public_url": "https://entries.example.org",
            },
            "SMTP_SECURITY",
        ),
    ],
)
def test_what_does_not_fit_together_is_named(given: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        load_settings(_env_file=None, **given)

"""Tell failures of a mail server apart: who has to do something, and whether trying again helps."""

from __future__ import annotations

import re
import smtplib
import ssl

from core.errors import (
    MailAwayError,
    MailDeferredError,
    MailError,
    MailRecipientError,
    MailRefusedError,
    MailSignInError,
    MailTlsError,
)

#: The enhanced status at the beginning of a reply (RFC 3463).
_ENHANCED = re.compile(rb"^([245]\.\d{1,3}\.\d{1,3})\b")


def translate(error: OSError | ValueError, step: str) -> MailError:
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
        # A challenge that is no Base64, or a password of other letters than ASCII.
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

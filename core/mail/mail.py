"""One mail, as data that is safe to put into headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid, parseaddr

import idna

from core.clock import utcnow
from core.errors import MailInvalidError

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
    #: Name of the recipient.
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

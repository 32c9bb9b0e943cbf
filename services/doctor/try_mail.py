"""Try the mail server: connect and sign in, without sending anything."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from core.config import LOOPBACK
from core.errors import MailError
from core.mail.send import mail_is_configured, open_mail
from core.models import MailState
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, fine, wrong
from services.mails.list_mails import count_mails


def try_mail(context: Context) -> Iterator[Finding]:
    """Yield whether mails would be taken, are protected on their way, and were all sent."""
    settings = context.settings
    if not mail_is_configured(settings):
        yield doubtful(DoctorCode.MAIL_NONE)
        return
    began = time.monotonic()
    try:
        open_mail(settings).check()
    except MailError as error:
        yield wrong(DoctorCode.MAIL_FAILS, time.monotonic() - began, problem=error.told)
    else:
        yield fine(DoctorCode.MAIL_ANSWERS, time.monotonic() - began)
    if settings.smtp_security == "none" and settings.smtp_host not in LOOPBACK:
        yield doubtful(DoctorCode.MAIL_OPEN)
    # What a database that does not answer means is told by its own check.
    with suppress(SQLAlchemyError):
        if failed := count_mails(context)[MailState.FAILED]:
            yield doubtful(DoctorCode.MAILS_FAILED, count=failed)

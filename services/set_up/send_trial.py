"""Send a trial mail to the admin who sets the installation up."""

from __future__ import annotations

import time
import uuid

from core.errors import MailError, MailNotConfiguredError
from core.messages import Message
from core.models import Profile, SetUpKey
from services.accounts.letters.send_letter import send_letter
from services.context import Context
from services.doctor.findings import Finding, Severity
from services.messages.account_letters import AccountLetter
from services.messages.set_up import SetUpTold
from services.set_up.note_step import note_finding


def send_trial(context: Context, actor_id: uuid.UUID, language: str) -> Finding:
    """Send a mail to the person's own address, note what came of it and return that."""
    with context.database.session() as session:
        profile = session.get_one(Profile, actor_id)
    began = time.monotonic()
    try:
        send_letter(
            context.settings,
            profile,
            AccountLetter.TRIAL_SUBJECT,
            AccountLetter.TRIAL,
            language,
            link=context.settings.public_url or "",
        )
    except MailNotConfiguredError:
        finding = Finding(Severity.LOOK, Message.of(SetUpTold.MAIL_NONE))
    except MailError as error:
        told = Message.of(SetUpTold.MAIL_FAILS, problem=error.told)
        finding = Finding(Severity.WRONG, told, time.monotonic() - began)
    else:
        finding = Finding(Severity.FINE, Message.of(SetUpTold.MAIL_SENT), time.monotonic() - began)
    return note_finding(context, actor_id, SetUpKey.MAIL, finding)

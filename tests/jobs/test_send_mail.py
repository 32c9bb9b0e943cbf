"""A letter and a notice through the real queue: one worker sends each once."""

from __future__ import annotations

import dataclasses

from sqlalchemy import select

from core.models import OutgoingMail
from services.context import Context
from services.mails.notices import tell_batches
from services.reconcile import reconcile
from tests.support import factories
from tests.support.mail_server import MailServer
from tests.support.office import wait_until, working


def test_a_worker_sends_what_waits(context: Context, mail_server: MailServer) -> None:
    context.redis.flushdb()
    office = dataclasses.replace(context, settings=context.settings.model_copy(update=mail_server.settings))
    with office.database.session() as session:
        owner = factories.make_profile(session).email
        upload = factories.make_upload(session, factories.make_batch(session, factories.make_profile(session)))
        factories.make_submission(session, upload, status="completed")
        factories.make_mail(session, recipient=owner)
    assert tell_batches(office) == 1
    assert reconcile(office) >= 1, "the letter was not queued yet"
    with working(office):
        wait_until(lambda: len(mail_server.received) == 2, "both mails", seconds=60)

        def all_sent() -> bool:
            return set(office.database.scalars(select(OutgoingMail.state))) == {"sent"}

        wait_until(all_sent, "the end of both", seconds=30)
    assert len(mail_server.received) == 2

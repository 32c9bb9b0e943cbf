"""Mails that wait are sent once; what fails for now is tried again, what fails for good waits for an admin."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select, update

from core.clock import utcnow
from core.errors import ConflictError, NotFailedError
from core.models import OutgoingMail
from core.queue import job_ids
from services.context import Context
from services.mails.mails import (
    KEPT_DAYS,
    cancel_mail,
    count_mails,
    list_mails,
    purge_mails,
    retry_mail,
    send_waiting,
)
from services.reconcile import requeue
from services.recovery.kinds import MAIL_WAITS, MAILS
from services.recovery.work import take_lease
from tests.support import factories
from tests.support.mail_server import MailServer


@pytest.fixture
def office(context: Context, mail_server: MailServer) -> Iterator[Context]:
    """The context with a mail server."""
    context.redis.flushdb()
    yield replace(context, settings=context.settings.model_copy(update=mail_server.settings))


def waiting(context: Context, **values: Any) -> uuid.UUID:
    with context.database.session() as session:
        return factories.make_mail(session, **values).id


def of(context: Context, mail_id: uuid.UUID) -> OutgoingMail:
    return context.database.get_one(OutgoingMail, mail_id)


def test_two_workers_send_one_mail(office: Context, mail_server: MailServer) -> None:
    key = waiting(office, subject="Año", body="Señora,\n\nFalta el grado.")
    sent: list[bool] = []
    workers = [threading.Thread(target=lambda: sent.append(send_waiting(office, key))) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    [mail] = mail_server.to("family@example.org")
    assert sorted(sent) == [False, False, True] and mail["Message-ID"] == f"<{key}@example.org>"
    assert mail["Subject"] == "Año" and "Falta el grado." in mail.get_content()
    row = of(office, key)
    assert (row.state, row.attempts, row.error) == ("sent", 1, None) and row.sent_at is not None
    assert requeue(office, MAILS) == 0


def test_what_is_greylisted_is_sent_later(office: Context, mail_server: MailServer) -> None:
    key = waiting(office)
    mail_server.recipient_replies[""] = "451 4.7.1 later"
    assert not send_waiting(office, key)
    row = of(office, key)
    assert (row.state, row.error_code, row.lease_owner) == ("waiting", "mail_deferred", None)
    assert 50 < (row.due_at - utcnow()).total_seconds() <= MAIL_WAITS[0].total_seconds()
    assert requeue(office, MAILS) == 0 and not send_waiting(office, key)
    mail_server.recipient_replies.clear()
    office.database.execute(update(OutgoingMail).values(due_at=func.now()))
    assert requeue(office, MAILS) == 1 and send_waiting(office, key)
    assert len(mail_server.received) == 1


def test_attempts_have_an_end(office: Context, mail_server: MailServer) -> None:
    key = waiting(office, attempts=MAILS.most_attempts - 1)
    mail_server.message_replies.append("452 4.2.2 full")
    assert not send_waiting(office, key)
    assert of(office, key).state == "failed"


def test_what_is_refused_waits_for_an_admin(office: Context, mail_server: MailServer) -> None:
    key = waiting(office)
    mail_server.recipient_replies[""] = "550 5.1.1 nobody"
    assert not send_waiting(office, key)
    [view] = list_mails(office).rows
    assert (view.state, view.error and view.error.code) == ("failed", "mail_recipient")
    mail_server.recipient_replies.clear()
    retry_mail(office, key)
    assert job_ids(office.redis).queued == [MAILS.job_id(key)]
    with pytest.raises(NotFailedError):
        retry_mail(office, key)
    assert send_waiting(office, key) and of(office, key).error is None
    with pytest.raises(ConflictError):
        cancel_mail(office, key)


def test_after_a_crash_it_has_the_same_name(office: Context, mail_server: MailServer) -> None:
    """The gap that ADR 37 names: taken by the server, and not known here."""
    key = waiting(office)
    assert take_lease(office, MAILS, key) is not None
    mail_server.drops = True
    office.database.execute(update(OutgoingMail).values(lease_until=func.now()))
    assert not send_waiting(office, key)
    mail_server.drops = False
    office.database.execute(update(OutgoingMail).values(due_at=func.now()))
    assert send_waiting(office, key)
    assert [mail["Message-ID"] for mail in mail_server.received] == [f"<{key}@example.org>"] * 2


def test_a_mail_that_waits_is_cancelled(office: Context, mail_server: MailServer) -> None:
    key, under_way = waiting(office), waiting(office)
    assert take_lease(office, MAILS, under_way) is not None
    with pytest.raises(ConflictError):
        cancel_mail(office, under_way)
    cancel_mail(office, key)
    assert not send_waiting(office, key) and mail_server.received == []
    assert {state.value: number for state, number in count_mails(office).items() if number} == {
        "waiting": 1,
        "cancelled": 1,
    }


def test_old_ones_go(office: Context) -> None:
    old, young, waits = waiting(office, state="failed"), waiting(office, state="failed"), waiting(office)
    past = func.now() - func.make_interval(0, 0, 0, KEPT_DAYS + 1)
    office.database.execute(update(OutgoingMail).where(OutgoingMail.id.in_([old, waits])).values(created_at=past))
    assert purge_mails(office) == 1
    assert set(office.database.scalars(select(OutgoingMail.id))) == {young, waits}

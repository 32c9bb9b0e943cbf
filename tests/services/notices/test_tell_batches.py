"""Who hears of a batch that has become quiet: once for each state, in their language, and of no child."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from core.models import NoticeKind, OutgoingMail, Profile, Run, Submission, Upload, UploadBatch
from services.context import Context
from services.mails.notices import choose_notices, tell_batches
from services.reconcile import reconcile
from tests.support import factories
from tests.support.mail_server import MailServer


@pytest.fixture
def office(context: Context, mail_server: MailServer) -> Iterator[Context]:
    """The context with a mail server."""
    yield replace(context, settings=context.settings.model_copy(update=mail_server.settings))


def batch(context: Context, *statuses: str, **values: Any) -> tuple[Profile, UploadBatch]:
    with context.database.session() as session:
        owner = factories.make_profile(session, **values)
        made = factories.make_batch(session, owner)
        upload = factories.make_upload(session, made)
        for number, status in enumerate(statuses):
            factories.make_submission(session, upload, status=status, chunk_index=number, student_name="Ana Ruiz")
        return owner, made


def change(context: Context, **values: Any) -> None:
    context.database.execute(update(Submission).values(**values))


def mails(context: Context) -> list[OutgoingMail]:
    return context.database.scalars(select(OutgoingMail).order_by(OutgoingMail.created_at))


def test_once_for_each_state(office: Context) -> None:
    owner, made = batch(office, "completed", "escalated", "processing")
    assert tell_batches(office) == 0, "one is being read"
    change(office, status="completed", needs_review=False)
    with office.database.session() as session:
        first = session.scalars(select(Submission)).first()
        assert first is not None
        first.status, first.needs_review = "escalated", True
    reconcile(office)
    assert tell_batches(office) == 0
    [waits] = mails(office)
    assert (waits.kind, waits.recipient, waits.batch_id) == ("own_batch_waits", owner.email, made.id)
    assert "Entries: 3. Complete: 2. Waiting for a person: 1." in waits.body
    assert f"https://entries.example.org/batches/{made.id}" in waits.body
    assert "Ana" not in waits.body + waits.subject
    change(office, status="resolved", needs_review=False)
    assert tell_batches(office) == 1
    assert [mail.kind for mail in mails(office)] == ["own_batch_waits", "own_batch_done"]
    change(office, status="escalated", needs_review=True)
    assert tell_batches(office) == 0, "they were told that it waits"


def test_a_pass_that_is_to_come_is_waited_for(office: Context) -> None:
    batch(office, "completed")
    with office.database.session() as session:
        submission = session.scalars(select(Submission)).one()
        run = factories.make_run(session, submission, batch_due=True).run_id
    assert tell_batches(office) == 0
    with office.database.session() as session:
        session.get_one(Run, run).batch_due = False
    assert tell_batches(office) == 1


def test_who_hears_of_it(office: Context) -> None:
    owner, _ = batch(office, "suggested", language="es")
    with office.database.session() as session:
        wants = factories.make_profile(session, "reviewer", notices=["any_batch_waits"])
        factories.make_profile(session, "reviewer")
        factories.make_profile(session, "uploader", notices=["any_batch_waits"])
        factories.make_profile(session, "reviewer", notices=["any_batch_waits"], is_active=False)
    assert tell_batches(office) == 2
    assert {(mail.recipient, mail.kind, mail.language) for mail in mails(office)} == {
        (owner.email, "own_batch_waits", "es"),
        (wants.email, "any_batch_waits", "en"),
    }
    spanish, english = sorted(mails(office), key=lambda mail: mail.language == "en")
    assert spanish.body != english.body


def test_who_does_not_want_it_hears_nothing(office: Context) -> None:
    owner, _ = batch(office, "completed")
    choose_notices(office, owner.id, [NoticeKind.OWN_BATCH_WAITS])
    assert tell_batches(office) == 0 and mails(office) == []


def test_who_types_an_entry_in_is_not_told_of_it(office: Context) -> None:
    batch(office, "resolved")
    office.database.execute(update(Upload).values(status="typed"))
    assert tell_batches(office) == 0 and mails(office) == []


def test_without_a_server_nothing_is_kept_for_later(context: Context, mail_server: MailServer) -> None:
    batch(context, "completed")
    assert tell_batches(context) == 0
    office = replace(context, settings=context.settings.model_copy(update=mail_server.settings))
    assert tell_batches(office) == 0 and mails(office) == []

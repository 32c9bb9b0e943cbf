"""The accounting finds nothing where all is well, and each defect that is planted."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import psycopg
import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from core.config import Settings
from core.models import Upload
from lab.faults.accounting import Account, account_for
from lab.faults.deciding import Decided
from lab.faults.material import Drawn
from lab.faults.sending import ACKNOWLEDGED, REFUSED, UNKNOWN, Attempt
from lab.faults.stored_files import FilesInFolder
from services.context import Context
from services.review.decisions import FieldAnswer, decide_suggestion
from services.uploads.submit import IncomingFile, submit_files
from tests.support import factories
from tests.support.site import person, tidy_context

LISTS = ("missing", "doubled", "orphans", "half", "misreported", "left")


@dataclass
class Office:
    """Three files that were sent, one of them unreadable, and one decision."""

    context: Context
    drawn: list[Drawn] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    decided: Decided = field(default_factory=Decided)
    jobs: list[str] = field(default_factory=list)

    def account(self) -> Account:
        files = FilesInFolder(self.context.settings.var_dir / "files")
        with psycopg.connect(str(self.context.settings.database_url)) as connection:
            return account_for(connection, files, self.drawn, self.attempts, self.decided, self.jobs)

    def sql(self, *statements: str) -> None:
        """Change rows behind the product's back, whatever its triggers say."""
        with self.context.database.session() as session:
            session.execute(text("set local session_replication_role = replica"))
            for statement in statements:
                session.execute(text(statement))


@pytest.fixture
def office(settings: Settings) -> Iterator[Office]:
    with tidy_context(settings) as context:
        office = Office(context)
        sender = person(context, "uploader")
        for name, records in (("good", 1), ("proposed", 1), ("bad", 0)):
            file = Drawn(name, ".pdf", name.encode(), records, 1)
            office.drawn.append(file)
            office.attempts.append(Attempt(f"{name}.pdf", file.digest, ACKNOWLEDGED, "201"))
            submit_files(context, sender.id, [IncomingFile(f"{name}.pdf", file.data)])
        with context.database.session() as session:
            settle(session, "good", "completed")
            _, run = settle(session, "proposed", "suggested")
            suggestion = factories.make_suggestion(session, run)
            factories.make_suggestion_field(session, suggestion)
            bad = upload_of(session, "bad")
            bad.status, bad.error_code = "failed", "not_a_document"
        actor = person(context, "reviewer").id
        done = decide_suggestion(context, actor, suggestion.id, 1, {"grade": FieldAnswer("approve")})
        office.decided.acknowledged.append(str(done.decision_id))
        yield office


def upload_of(session: Session, name: str) -> Upload:
    return session.scalars(select(Upload).where(Upload.original_filename == f"{name}.pdf")).one()


def settle(session: Session, name: str, status: str):  # type: ignore[no-untyped-def]
    upload = upload_of(session, name)
    upload.status, upload.entry_count = "split", 1
    submission = factories.make_submission(session, upload, status=status)
    factories.make_field(session, submission)
    return submission, factories.make_run(session, submission, outcome=status)


def test_all_is_well(office: Office) -> None:
    account = office.account()
    assert account.sentences == [] and account.accounted == 3


def doubled(office: Office) -> None:
    with office.context.database.session() as session:
        upload = upload_of(session, "good")
        upload.entry_count = 2
        twin = factories.make_submission(session, upload, chunk_index=1, status="completed")
        factories.make_field(session, twin)
        factories.make_run(session, twin, outcome="completed")


def unfinished(office: Office) -> None:
    office.sql("update submissions set status = 'processing' where status = 'completed'")


def not_sent(office: Office) -> None:
    office.drawn.append(Drawn("lost", ".pdf", b"lost", 1, 1))


def taken_for_readable(office: Office) -> None:
    office.drawn[2] = replace(office.drawn[2], records=1)


def failed_by_accident(office: Office) -> None:
    office.sql("update uploads set error_code = 'internal_error' where status = 'failed'")


def two_pending(office: Office) -> None:
    office.sql("update submissions set status = 'suggested', needs_review = true where status = 'completed'")


def file_without_row(office: Office) -> None:
    office.context.store.put(f"originals/{uuid.uuid4()}/{uuid.uuid4()}", b"x")


def artifact_of_no_run(office: Office) -> None:
    office.context.store.put(f"artifacts/{uuid.uuid4()}/1/text.txt", b"x")


def half_written(office: Office) -> None:
    folder = office.context.settings.var_dir / "files" / ".incoming"
    (folder / uuid.uuid4().hex).write_bytes(b"x")


def empty_batch(office: Office) -> None:
    with office.context.database.session() as session:
        factories.make_batch(session)


def fewer_than_the_batch_says(office: Office) -> None:
    office.sql(
        "update upload_batches set file_count = 2 where id = (select min(id::text)::uuid from upload_batches)"
    )


def row_without_file(office: Office) -> None:
    with office.context.database.session() as session:
        office.context.store.delete(upload_of(session, "bad").storage_key)


def no_decision(office: Office) -> None:
    office.sql("delete from review_decisions")
    office.decided.acknowledged.clear()


def undecided_field(office: Office) -> None:
    office.sql("update review_suggestion_fields set decision = 'pending', decided_by = null, decided_at = null")


def waiting_again(office: Office) -> None:
    office.sql("update review_suggestions set status = 'pending', resolved_at = null, resolved_by_user_id = null")


def not_in_the_trail(office: Office) -> None:
    office.sql("delete from review_events where actor_id is not null")


def settled_after_the_decision(office: Office) -> None:
    office.sql(
        "insert into review_events (season_id, submission_id, kind, run_no, version)"
        " select season_id, submission_id, 'suggested', run_no, version from review_events"
        " where actor_id is not null limit 1"
    )


def decision_not_there(office: Office) -> None:
    office.decided.acknowledged.append(str(uuid.uuid4()))


def not_taken_back(office: Office) -> None:
    office.decided.taken_back += office.decided.acknowledged


def acknowledged_and_lost(office: Office) -> None:
    office.attempts.append(Attempt("other.pdf", office.drawn[0].digest, ACKNOWLEDGED, "201"))


def refused_and_there(office: Office) -> None:
    office.attempts[0] = replace(office.attempts[0], told=REFUSED)


def other_bytes(office: Office) -> None:
    with office.context.database.session() as session:
        office.context.store.put(upload_of(session, "good").storage_key, b"other")


def leased(office: Office) -> None:
    office.sql("update runs set lease_owner = 'somebody', lease_until = now() + interval '1 hour'")


def left_on_the_queue(office: Office) -> None:
    office.jobs.append("upload-x")


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (doubled, "doubled"),
        (unfinished, "missing"),
        (not_sent, "missing"),
        (taken_for_readable, "missing"),
        (failed_by_accident, "missing"),
        (two_pending, "missing"),
        (file_without_row, "orphans"),
        (artifact_of_no_run, "orphans"),
        (half_written, "orphans"),
        (empty_batch, "orphans"),
        (fewer_than_the_batch_says, "orphans"),
        (row_without_file, "orphans misreported"),
        (no_decision, "half"),
        (undecided_field, "half"),
        (not_in_the_trail, "half"),
        (settled_after_the_decision, "half"),
        (decision_not_there, "half"),
        (not_taken_back, "half"),
        (acknowledged_and_lost, "misreported"),
        (refused_and_there, "misreported"),
        (other_bytes, "misreported"),
        (leased, "left"),
        (left_on_the_queue, "left"),
    ],
)
def test_a_planted_defect_is_found(office: Office, plant: Callable[[Office], None], found: str) -> None:
    plant(office)
    account = office.account()
    assert [name for name in LISTS if getattr(account, name)] == found.split(), account.sentences


def test_what_happened_to_an_entry_that_is_not_accounted_for_is_told(office: Office) -> None:
    office.sql("update submissions set status = 'processing' where status <> 'completed'")
    (told,) = office.account().missing
    assert "decision on suggestion" in told and "person field_approved grade run 1" in told


def test_a_proposal_that_waits_after_its_decision_is_found(office: Office) -> None:
    waiting_again(office)
    assert office.account().half


def test_an_attempt_that_was_told_nothing_may_be_there_or_not(office: Office) -> None:
    office.attempts[0] = replace(office.attempts[0], told=UNKNOWN)
    office.attempts.append(Attempt("other.pdf", office.drawn[0].digest, UNKNOWN, "ReadError"))
    assert office.account().sentences == []

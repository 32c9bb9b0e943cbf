"""The joint pass over a batch changes what went on before other files were read, unless a person came first."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, update

from core.errors import NotFoundError
from core.models import Escalation, ReviewEvent, Run, Submission, SubmissionField, Upload, UploadBatch
from core.models.leases import BATCH_LEASES
from pipeline.joint_pass.respelling import respell
from pipeline.joint_pass.votes import Member
from pipeline.orchestrator.artifacts import first_key, load_reading
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord
from services.accounts.person import person_of
from services.batches import typed_in
from services.batches.typed_in import receive_batch
from services.context import Context
from services.recovery.kinds import BATCHES, RUNS
from services.recovery.work import take_lease
from services.runs import joint_pass
from services.runs.joint_pass import decide_batch, decide_together, fail_batch, hand_on, read_anew
from services.runs.run import run_policy, run_submission
from tests.support import factories
from tests.support.office import make_person
from tests.support.site import person
from tests.support.stored_readings import keep

RIGHT, OFF = "Juniper Hills", "Junlper Hills"
STACK = (RIGHT,) * 4


@pytest.fixture
def context(context: Context) -> Context:
    """Without the supervisor, so that no page is looked at."""
    return replace(context, settings=context.settings.model_copy(update={"use_orchestrator": False}))


def new_batch(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return factories.make_batch(session).id


def add(context: Context, batch_id: uuid.UUID, *schools: str) -> list[uuid.UUID]:
    """A scanned file whose entries were read, decided together and have gone on: their ids."""
    ids = []
    with context.database.session() as session:
        upload = factories.make_upload(
            session, session.get_one(UploadBatch, batch_id), entry_count=len(schools), status="split"
        )
        for index, school in enumerate(schools):
            entry = factories.make_submission(session, upload, chunk_index=index, status="processing")
            factories.make_run(session, entry, status="read")
            keep(context, entry.id, school)
            ids.append(entry.id)
    go_on(context, decide_together(context, upload.id))
    return ids


def go_on(context: Context, run_ids: Sequence[str]) -> None:
    for run_id in run_ids:
        assert run_submission(context, run_id)


def run_of(context: Context, submission_id: uuid.UUID) -> Run:
    """The latest run of an entry."""
    latest = select(Run).where(Run.submission_id == submission_id).order_by(Run.run_no.desc()).limit(1)
    return context.database.one(latest)


def afters(context: Context, submission_id: uuid.UUID) -> list[str]:
    return [change["after"] for change in run_of(context, submission_id).together or ()]


def school_of(context: Context, submission_id: uuid.UUID) -> str | None:
    return context.database.get_one(Submission, submission_id).school_name


def is_due(context: Context, batch_id: uuid.UUID) -> bool:
    return context.database.scalar(select(BATCHES.due).where(UploadBatch.id == batch_id)) is True


def set_all(context: Context, model: type, **values: object) -> None:
    context.database.execute(update(model).values(**values))


def once_more(context: Context, batch_id: uuid.UUID) -> list[str]:
    """The pass as if something had been read long after the last one."""
    set_all(context, Run, batch_due=True)
    set_all(context, UploadBatch, together_at=None)
    return decide_batch(context, batch_id)


def test_a_file_that_joins_respells_what_went_on_before(context: Context) -> None:
    batch = new_batch(context)
    (early,) = add(context, batch, OFF)
    assert school_of(context, early) == OFF
    add(context, batch, *STACK)
    begun = decide_batch(context, batch)
    assert begun == [f"{early}:2"]
    go_on(context, begun)
    assert school_of(context, early) == RIGHT
    with context.database.session() as session:
        statuses = session.scalars(
            select(Escalation.status).where(Escalation.submission_id == early).order_by(Escalation.run_id)
        ).all()
        way = session.scalars(select(SubmissionField.way).where(SubmissionField.way.is_not(None))).one()
        codes = session.get_one(Submission, early).review_reason_codes
    assert statuses == ["superseded", "pending"]
    assert way == {"code": "way_as_in_upload", "params": {"count": 4}}
    assert "SPELLED_AS_OTHERS" in codes


def test_twice_is_once(context: Context) -> None:
    batch = new_batch(context)
    add(context, batch, OFF, "Somewhere Else")
    add(context, batch, *STACK, "Junipor Hills")
    go_on(context, decide_batch(context, batch))
    assert decide_batch(context, batch) == [] and not is_due(context, batch)
    assert once_more(context, batch) == []


def test_the_order_of_files_does_not_matter_and_it_is_the_decision_over_all(context: Context) -> None:
    files = ((OFF, "Oak Mill"), (RIGHT, RIGHT, "Junipor Hills"), (RIGHT, "Oak Hill", "Juniper Hils"))
    wanted = respell([member(f"{at}-{index}", school) for at, index, school in _placed(files)])
    assert len(wanted) == 3
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        batch, found = new_batch(context), {}
        for at in order:
            ids = add(context, batch, *files[at])
            found.update({f"{at}-{index}": one for index, one in enumerate(ids)})
            set_all(context, UploadBatch, together_at=None)
            go_on(context, decide_batch(context, batch))
        for key, submission_id in found.items():
            assert afters(context, submission_id) == [change.after for change in wanted.get(key, ())], order


def _placed(files: Sequence[Sequence[str]]) -> list[tuple[int, int, str]]:
    return [(at, index, school) for at, file in enumerate(files) for index, school in enumerate(file)]


def member(key: str, school: str) -> Member:
    """An entry as the joint pass of the regression check has it."""
    reading = FieldReading(value=school, confidence=0.7, source=Source.OCR)
    return Member(
        SubmissionRecord(submission_id=key, school_name=school, readings={"school_name": reading}), "folder"
    )


def test_what_a_person_has_open_or_has_touched_is_left_alone(context: Context) -> None:
    batch, person = new_batch(context), make_person(context, "reviewer")
    held, touched, decided = add(context, batch, OFF, "Junipor Hills", "Junijer Hills")
    with context.database.session() as session:
        until = func.now() + timedelta(minutes=5)
        session.execute(
            update(Escalation)
            .where(Escalation.submission_id == held)
            .values(claimed_by=person, claimed_until=until)
        )
        season_id = session.get_one(Submission, touched).season_id
        session.add(ReviewEvent(season_id=season_id, submission_id=touched, actor_id=person, kind="edited"))
        session.get_one(Submission, decided).status = "resolved"
    add(context, batch, *STACK)
    assert decide_batch(context, batch) == []
    with context.database.session() as session:
        assert set(session.scalars(select(Escalation.status).where(Escalation.submission_id == held))) == {
            "pending"
        }
        assert set(session.scalars(select(Run.run_no))) == {1}
    assert not is_due(context, batch)


def test_what_the_machine_completed_is_opened_again_and_goes_to_a_person(context: Context) -> None:
    batch = new_batch(context)
    (completed,) = add(context, batch, "JuniperHills")
    with context.database.session() as session:
        entry = session.get_one(Submission, completed)
        entry.status, entry.needs_review = "completed", False
    add(context, batch, *STACK)
    (run_id,) = decide_batch(context, batch)
    run = run_of(context, completed)
    # Its own letters carry the change; still nobody has seen it.
    (change,) = run.together or ()
    assert (change["after"], change["carried"], run.reopened) == (RIGHT, False, True)
    lease = take_lease(context, RUNS, run_id)
    assert lease is not None and not run_policy(context, lease).auto_complete
    assert context.database.get_one(Submission, completed).status == "queued"


def test_a_change_that_the_batch_contradicts_is_taken_back(context: Context) -> None:
    batch = new_batch(context)
    *_, off = add(context, batch, *("Oak Hill School",) * 4, "Oak Hilll School")
    assert afters(context, off) == ["Oak Hill School"]
    add(context, batch, *("Oak Hilll School",) * 2)
    begun = decide_batch(context, batch)
    assert begun == [f"{off}:2"] and run_of(context, off).reopened
    go_on(context, begun)
    assert school_of(context, off) == "Oak Hilll School"
    record, _ = load_reading(context.store, f"artifacts/{off}/2")
    assert record.readings["school_name"].disagrees_with is None
    assert once_more(context, batch) == []


def test_strangers_change_nothing(context: Context) -> None:
    batch = new_batch(context)
    for school in ("Juniper Hills", "Brightwater", "Oak Mill"):
        add(context, batch, school)
    assert is_due(context, batch)
    assert decide_batch(context, batch) == [] and not is_due(context, batch)


def test_a_batch_of_one_file_needs_no_pass_of_its_own(context: Context) -> None:
    batch = new_batch(context)
    add(context, batch, *STACK, OFF)
    assert not is_due(context, batch) and decide_batch(context, batch) == []


def test_it_waits_for_what_is_read_and_for_the_last_pass(context: Context) -> None:
    batch = new_batch(context)
    add(context, batch, RIGHT)
    add(context, batch, RIGHT)
    with context.database.session() as session:
        unread = factories.make_upload(session, session.get_one(UploadBatch, batch), status="stored").id
    assert not is_due(context, batch)
    with context.database.session() as session:
        entry = factories.make_submission(session, session.get_one(Upload, unread), status="queued")
        run = factories.make_run(session, entry, status="queued")
        session.get_one(Upload, unread).status = "split"
    assert not is_due(context, batch)
    with context.database.session() as session:
        session.get_one(Run, run.run_id).status = "failed"
    assert is_due(context, batch)
    decide_batch(context, batch)
    add(context, batch, RIGHT)
    assert not is_due(context, batch), "the last pass was a moment ago"
    set_all(context, UploadBatch, together_at=func.now() - timedelta(hours=1))
    assert is_due(context, batch)


def test_a_pass_that_was_killed_goes_on_with_the_rest(context: Context) -> None:
    batch = new_batch(context)
    ids = sorted(add(context, batch, OFF, "Junipor Hills"))
    add(context, batch, *STACK)
    assert take_lease(context, BATCHES, batch) is not None
    # As far as a worker came that was killed between two entries.
    run = context.database.get_one(Run, f"{ids[0]}:1")
    hand_on(context.store, run)
    change = {"field": "school_name", "before": OFF, "after": RIGHT, "support": 4, "way": {}}
    off = {**change, "before": school_of(context, ids[0])}
    with context.database.session() as session:
        assert read_anew(session, run.run_id, [off], reopened=True) is not None
        session.execute(update(UploadBatch).values(**BATCH_LEASES.ended))
    assert not is_due(context, batch), "the entry that was begun is read first"
    context.redis.flushdb()
    go_on(context, [f"{ids[0]}:2"])
    # The run's end finds that the pass is due and queues it.
    assert len(context.redis.keys("rq:job:batch-*")) == 1
    assert decide_batch(context, batch) == [f"{ids[1]}:2"]
    go_on(context, [f"{ids[1]}:2"])
    assert [school_of(context, one) for one in ids] == [RIGHT, RIGHT]
    assert once_more(context, batch) == []


def test_a_pass_that_cannot_be_done_leaves_every_entry_as_it_is(context: Context) -> None:
    batch = new_batch(context)
    (early,) = add(context, batch, OFF)
    add(context, batch, *STACK)
    fail_batch(context, batch, NotFoundError("no reading"))
    assert not is_due(context, batch) and decide_batch(context, batch) == []
    assert school_of(context, early) == OFF
    # The next file makes it due again.
    add(context, batch, RIGHT)
    assert decide_batch(context, batch) == [f"{early}:2"]


def test_an_entry_whose_first_reading_was_not_kept_counts_and_stays(context: Context) -> None:
    batch = new_batch(context)
    *_, respelled = add(context, batch, *STACK, OFF)
    context.store.delete(first_key(f"artifacts/{respelled}/1"))
    (early,) = add(context, batch, "Junipor Hills")
    assert afters(context, early) == [RIGHT]
    assert decide_batch(context, batch) == []
    assert school_of(context, respelled) == RIGHT


def test_the_day_of_the_batch_given_meanwhile_waits_for_the_pass_or_goes_first(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = person_of(person(context, "reviewer"))
    batch = new_batch(context)
    (early,) = add(context, batch, OFF)
    add(context, batch, *STACK)
    begins, locked = threading.Event(), threading.Event()
    anew, change = joint_pass.read_anew, typed_in.batch_to_change

    def begun(*args: Any, **named: Any) -> str | None:
        begins.set()
        assert locked.wait(10)
        return anew(*args, **named)

    def changed(*args: Any) -> UploadBatch:
        # The entries are locked.
        locked.set()
        return change(*args)

    monkeypatch.setattr(joint_pass, "read_anew", begun)
    monkeypatch.setattr(typed_in, "batch_to_change", changed)
    with ThreadPoolExecutor(1) as pool:
        runs = pool.submit(decide_batch, context, batch)
        assert begins.wait(10)
        receive_batch(context, ana, batch, "2026-01-02")
        assert runs.result(30) == [f"{early}:2"]
    assert context.database.get_one(Submission, early).received_on == date(2026, 1, 2)

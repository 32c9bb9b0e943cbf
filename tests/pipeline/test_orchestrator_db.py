"""The recorder on a real database: once each, under the lease only."""

import threading
import time
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text, update

from core.database import Database
from core.errors import LeaseLostError
from core.llm.ledger import ModelCall
from core.messages import Message
from core.models import ModelCallRow, OrchestratorLog, ReviewSuggestion, ReviewSuggestionField, Run
from core.models.leases import RUN_LEASES
from pipeline.orchestrator.context import Proposal, ProposedField, StepLog
from pipeline.orchestrator_db import DatabaseRecorder, locked_run
from pipeline.pages.page_model import Box
from pipeline.reason_codes import ProposalReason, RunReason
from pipeline.schema import EvidenceBox
from tests.support.reading.orchestration import insert_run

STEP = StepLog(
    step=1,
    action="run_pipeline",
    reason=Message.of(RunReason.FOUND_NOTHING),
    state={"tries": 1},
    tools_used=["run_pipeline"],
    duration_ms=12,
    model="m",
    tokens_in=10,
    tokens_out=2,
    cost_usd=0.000123,
)
PLACE = EvidenceBox(page=2, box=Box(0.1, 0.2, 0.3, 0.4))
PROPOSAL = Proposal(
    Message.of(RunReason.MISSING, fields=["grade"]),
    (
        ProposedField("grade", None, "4", 0.7, "ocr", "other_page", Message.of(ProposalReason.NOTHING), PLACE),
        ProposedField("school_name", None, None, reason=Message.of(ProposalReason.NOTHING)),
    ),
)
CALL = ModelCall("missing_fields", "groq", "m", 10, 2, 100, 0.000123, "error", "http_429")


def recorder(database: Database, run_id: str, owner: str = "worker-1") -> DatabaseRecorder:
    return DatabaseRecorder(database, RUN_LEASES.held_by(run_id, owner))


def test_a_repeated_step_is_one_row(database: Database) -> None:
    run_id = insert_run(database)
    for _ in range(2):
        recorder(database, run_id).log_step(STEP)
    row = database.one(select(OrchestratorLog).where(OrchestratorLog.run_id == run_id))
    assert (row.step, row.action_taken, row.tools_used) == (1, "run_pipeline", ["run_pipeline"])
    assert (row.tokens_in, row.tokens_out, float(row.cost_usd)) == (10, 2, 0.000123)
    assert row.owner_user_id is not None


def test_a_repeated_proposal_is_the_first_one(database: Database) -> None:
    run_id = insert_run(database)
    first = recorder(database, run_id).propose(PROPOSAL)
    second = recorder(database, run_id).propose(Proposal(Message.of(RunReason.FOUND_NOTHING), ()))
    assert first == second == recorder(database, run_id).proposed()
    with database.session() as session:
        row = session.scalars(select(ReviewSuggestion).where(ReviewSuggestion.run_id == run_id)).one()
        fields = session.scalars(
            select(ReviewSuggestionField)
            .where(ReviewSuggestionField.suggestion_id == row.id)
            .order_by(ReviewSuggestionField.name)
        ).all()
    assert row.proposed_updates == {"grade": "4"}
    assert [(field.name, field.proposed_value, field.page) for field in fields] == [
        ("grade", "4", 2),
        ("school_name", None, None),
    ]
    assert fields[0].x1 == pytest.approx(0.3)


def test_before_there_is_a_proposal_there_is_none(database: Database) -> None:
    assert recorder(database, insert_run(database)).proposed() is None


def test_simultaneous_proposals_are_one(database: Database) -> None:
    run_id = insert_run(database)
    gate = threading.Barrier(8)
    ids: list[str] = []

    def propose() -> None:
        gate.wait()
        ids.append(recorder(database, run_id).propose(PROPOSAL))

    threads = [threading.Thread(target=propose) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 8
    assert len(set(ids)) == 1
    fields = database.scalar(
        select(func.count())
        .select_from(ReviewSuggestionField)
        .join(ReviewSuggestion, ReviewSuggestion.id == ReviewSuggestionField.suggestion_id)
        .where(ReviewSuggestion.run_id == run_id)
    )
    assert fields == len(PROPOSAL.fields)


def test_a_model_call_is_written_and_remembered(database: Database) -> None:
    run_id = insert_run(database)
    ledger = recorder(database, run_id).ledger
    ledger.record(CALL)
    assert ledger.calls == [CALL]
    row = database.one(select(ModelCallRow).where(ModelCallRow.run_id == run_id))
    assert (row.status, row.error_code, row.tokens_in) == ("failed", "http_429", 10)


@pytest.mark.parametrize(
    "lost",
    [
        {"lease_owner": "worker-2"},
        {"lease_until": func.now() - timedelta(seconds=1)},
        {"lease_owner": None, "lease_until": None},
    ],
    ids=["taken over", "run out", "given back"],
)
def test_without_the_lease_nothing_is_written(lost: dict[str, object], database: Database) -> None:
    run_id = insert_run(database)
    writer = recorder(database, run_id)
    database.execute(update(Run).where(Run.run_id == run_id).values(**lost))
    with pytest.raises(LeaseLostError):
        writer.log_step(STEP)
    with pytest.raises(LeaseLostError):
        writer.propose(PROPOSAL)
    with pytest.raises(LeaseLostError):
        writer.ledger.record(CALL)
    with database.session() as session:
        for table in (OrchestratorLog, ReviewSuggestion, ModelCallRow):
            assert session.scalar(select(func.count()).select_from(table).where(table.run_id == run_id)) == 0


def test_a_step_that_was_logged_before_is_refused_without_the_lease(database: Database) -> None:
    run_id = insert_run(database)
    recorder(database, run_id).log_step(STEP)
    with pytest.raises(LeaseLostError):
        recorder(database, run_id, "worker-2").log_step(STEP)


def test_a_step_that_waits_for_a_takeover_is_refused(database: Database) -> None:
    """The statement has begun under the lease; the row that it waits for comes back with another holder."""
    run_id = insert_run(database)
    refused: list[LeaseLostError] = []

    def log_step() -> None:
        try:
            recorder(database, run_id).log_step(STEP)
        except LeaseLostError as exc:
            refused.append(exc)

    with database.session() as session:
        session.execute(update(Run).where(Run.run_id == run_id).values(lease_owner="worker-2"))
        thread = threading.Thread(target=log_step)
        thread.start()
        waits = text("select 1 from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid)) limit 1")
        while thread.is_alive() and not session.scalar(waits):
            time.sleep(0.01)
    thread.join()
    assert len(refused) == 1
    assert database.scalars(select(OrchestratorLog).where(OrchestratorLog.run_id == run_id)) == []


def test_another_run_of_the_same_entry_is_another_lease(database: Database) -> None:
    run_id = insert_run(database)
    with pytest.raises(LeaseLostError):
        recorder(database, run_id.replace(":1", ":2")).log_step(STEP)


def test_nobody_takes_the_lease_between_check_and_write(database: Database) -> None:
    """While a write is under way, a takeover waits for it."""
    run_id = insert_run(database)
    taken = threading.Event()

    def take_over() -> None:
        database.execute(update(Run).where(Run.run_id == run_id).values(lease_owner="worker-2"))
        taken.set()

    with database.session() as session:
        locked_run(session, RUN_LEASES.held_by(run_id, "worker-1"))
        thread = threading.Thread(target=take_over)
        thread.start()
        assert not taken.wait(0.3)
    thread.join()
    assert taken.is_set()

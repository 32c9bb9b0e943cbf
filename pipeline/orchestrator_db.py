"""The recorder on PostgreSQL: steps, proposals and model calls of a run, written only under its lease.

Each write locks the run's row first. A worker whose lease has expired or was taken gets LeaseLostError, and
nothing is written.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import cast

from sqlalchemy import Select, Table, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningInsert

from core.database import Database, without_waiting
from core.lease import Lease
from core.llm.ledger import ModelCall
from core.models import (
    ModelCallRow,
    OrchestratorLog,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
    SuggestionStatus,
)
from core.models.leases import RUN_LEASES
from pipeline.orchestrator.context import Proposal, ProposedField, StepLog

#: Parameters of the statement that logs a step: the run, and who must have the lease on it.
_KEY, _HOLDER = "lease_key", "lease_holder"


@dataclass(frozen=True, slots=True)
class LeasedRun:
    """Values that every row of a run contains."""

    run_id: str
    submission_id: uuid.UUID
    season_id: uuid.UUID
    owner_user_id: uuid.UUID


def locked_run(session: Session, lease: Lease[Run]) -> LeasedRun:
    """Lock the run's row until the transaction ends, so that the lease cannot be taken between check and write.

    Raises LeaseLostError.
    """
    run = lease.hold(session)
    owner = session.get_one(Submission, run.submission_id).owner_user_id
    return LeasedRun(run.run_id, run.submission_id, run.season_id, owner)


def log_orchestrator_step(database: Database, lease: Lease[Run], entry: StepLog) -> None:
    """Write one step of a run; a step that exists already is not changed. Raises LeaseLostError.

    The run's row is locked and its lease checked by the very statement that writes.
    """
    values = {
        "step": entry.step,
        "action_taken": entry.action,
        "reason": entry.reason,
        "state_json": entry.state,
        "tools_used": entry.tools_used,
        "final_outcome": entry.final_outcome,
        "duration_ms": entry.duration_ms,
        "model": entry.model,
        "tokens_in": entry.tokens_in,
        "tokens_out": entry.tokens_out,
        "cost_usd": entry.cost_usd,
        "trace_id": entry.trace_id,
        "trace_json": entry.trace,
    }
    statement = _log_statement(tuple(values))
    if database.scalar(statement, {**values, _KEY: lease.key, _HOLDER: lease.holder}) is None:
        # Written before, or not allowed to write.
        with database.session() as session:
            lease.hold(session)


@lru_cache(maxsize=1)
def _log_statement(columns: tuple[str, ...]) -> ReturningInsert[tuple[int]]:
    """Return the INSERT of a step, with these columns as parameters; building it takes longer than running it."""
    log = cast(Table, OrchestratorLog.__table__)
    lease = RUN_LEASES.held_by(bindparam(_KEY), bindparam(_HOLDER))
    of_run = (
        select(
            Run.run_id,
            Run.submission_id,
            Run.season_id,
            Submission.owner_user_id,
            *(bindparam(name, type_=log.c[name].type) for name in columns),
        )
        .join(Submission, Submission.id == Run.submission_id)
        # The write that settles the run comes after its steps and waits for both. A run that a power cut leaves
        # unsettled is repeated, with the same rows.
        .where(lease.is_mine(), without_waiting())
        .with_for_update(of=Run, key_share=True)
    )
    return (
        insert(log)
        .from_select(["run_id", "submission_id", "season_id", "owner_user_id", *columns], of_run)
        .on_conflict_do_nothing(index_elements=["run_id", "step"])
        .returning(log.c.step)
    )


def write_proposal(session: Session, run: LeasedRun, proposal: Proposal) -> str:
    """Write a run's proposal with its fields unless there is one already; return its id in either case.

    People do not see it before the run is settled, which writes the entry's record and status: a decision made
    before that, while a killed worker's lease runs out, would be overwritten.
    """
    suggestion_id = session.execute(
        insert(ReviewSuggestion)
        .values(
            run_id=run.run_id,
            submission_id=run.submission_id,
            season_id=run.season_id,
            reason=proposal.reason,
            status=SuggestionStatus.SUPERSEDED.value,
            resolved_at=func.now(),
            proposed_updates={
                item.name: item.proposed_value for item in proposal.fields if item.proposed_value is not None
            },
        )
        .on_conflict_do_nothing(index_elements=["run_id"])
        .returning(ReviewSuggestion.id)
    ).scalar_one_or_none()
    if suggestion_id is None:
        return str(session.scalars(_suggestion_of(run.run_id)).one())
    session.add_all([_field_row(suggestion_id, item) for item in proposal.fields])
    return str(suggestion_id)


def _suggestion_of(run_id: str) -> Select[uuid.UUID]:
    return select(ReviewSuggestion.id).where(ReviewSuggestion.run_id == run_id)


def _field_row(suggestion_id: uuid.UUID, item: ProposedField) -> ReviewSuggestionField:
    row = ReviewSuggestionField(
        suggestion_id=suggestion_id,
        name=item.name,
        current_value=item.current_value,
        proposed_value=item.proposed_value,
        confidence=item.confidence,
        source=item.source,
        method=item.method,
        reason=item.reason,
        preferred=item.preferred.value,
        probability=item.probability,
    )
    if item.evidence is not None:
        row.page = item.evidence.page
        row.x0, row.y0, row.x1, row.y1 = item.evidence.box
    return row


@dataclass
class DatabaseLedger:
    """Writes each model call of a run."""

    database: Database
    lease: Lease[Run]
    #: Calls recorded by this process.
    calls: list[ModelCall] = field(default_factory=list)

    def record(self, call: ModelCall) -> None:
        """Write one call. Raises LeaseLostError."""
        self.calls.append(call)
        with self.database.session() as session:
            run = locked_run(session, self.lease)
            session.add(
                ModelCallRow(
                    id=uuid.uuid4(),
                    run_id=run.run_id,
                    submission_id=run.submission_id,
                    **{**asdict(call), "status": "ok" if call.status == "ok" else "failed"},
                )
            )


class DatabaseRecorder:
    """`RunRecorder` on PostgreSQL for one lease; each call is its own short transaction."""

    def __init__(self, database: Database, lease: Lease[Run]) -> None:
        self._database = database
        self._lease = lease
        self.ledger = DatabaseLedger(database, lease)

    def log_step(self, entry: StepLog) -> None:
        """Write one step. Raises LeaseLostError."""
        log_orchestrator_step(self._database, self._lease, entry)

    def propose(self, proposal: Proposal) -> str:
        """Write the proposal, once per run. Raises LeaseLostError."""
        with self._database.session() as session:
            return write_proposal(session, locked_run(session, self._lease), proposal)

    def proposed(self) -> str | None:
        found = self._database.scalar(_suggestion_of(self._lease.key))
        return None if found is None else str(found)

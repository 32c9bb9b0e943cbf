"""Revisions and versions of reports in PostgreSQL; a loop writes them under its lease."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import Update, func, null, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import (
    Report,
    ReportClaim,
    ReportRevision,
    ReportSupervision,
    ReportVersion,
    RevisionStatus,
    SupervisionStatus,
)
from core.models.leases import REVISION_HOLDS
from research.document import ReportDocument
from research.storage import LeasedReport
from research.supervision.loop.routing import SupervisionState
from research.supervision.types import AttemptOutcome, Ended, Integration, Mode

#: Ends that are failures: the results are kept, and the loop can be started again.
_FAILURES = (Ended.CIRCUIT_BREAKER, Ended.INVALID_DECISION, Ended.ERROR)
_DECIDED = (RevisionStatus.ACCEPTED, RevisionStatus.EDITED, RevisionStatus.REJECTED, RevisionStatus.APPLIED)


@dataclass(frozen=True)
class Decision:
    """The decision on a revision: the resulting version; None if it was rejected."""

    version_no: int | None


@dataclass(frozen=True)
class Revisions:
    """Documents and attempts of one loop. Every write is idempotent and may raise LeaseLostError."""

    held: LeasedReport
    mode: Mode
    #: Returns the cost of the loop so far, as `ResearchBudget.as_json` does.
    spent: Callable[[], dict[str, Any]]

    def document(self, version_no: int) -> ReportDocument:
        """Return a version of the document."""
        own = ReportVersion.report_id == self.held.report_id
        stored = self.held.database.scalar(
            select(ReportVersion.document).where(own, ReportVersion.version_no == version_no)
        )
        return ReportDocument.model_validate(stored)

    def record(
        self,
        state: SupervisionState,
        outcome: AttemptOutcome,
        integration: Integration | None = None,
        source_keys: Sequence[str] = (),
    ) -> str:
        """Store the attempt in a state, once per iteration, and return the revision's id.

        In automatic mode an integration becomes the newest version at once.
        """
        spent, iteration = self.spent(), state["iteration"]
        own = ReportRevision.supervision_id == self.held.supervision_id
        with self.held.writing() as session:
            if known := session.scalar(
                select(ReportRevision.id).where(own, ReportRevision.iteration == iteration)
            ):
                return str(known)
            before = session.scalars(select(ReportRevision.spent).where(own)).all()
            revision = ReportRevision(
                supervision_id=self.held.supervision_id,
                report_id=self.held.report_id,
                season_id=session.scalar(select(Report.season_id).where(Report.id == self.held.report_id)),
                iteration=iteration,
                # Not None, which would be stored as JSON null.
                issue=state.get("issue") or null(),
                outcome=outcome.value,
                reasons=[Message.from_json(one) for one in state.get("reasons", ())],
                reasoning=state.get("reasoning", ""),
                confidence=state.get("confidence"),
                source_keys=list(source_keys),
                base_version=state["version_no"],
                document=integration.document.model_dump(mode="json") if integration else null(),
                claims=[asdict(claim) for claim in integration.claims] if integration else [],
                status=(RevisionStatus.PENDING if integration else RevisionStatus.NONE).value,
                # The cost of this attempt: the total minus earlier ones.
                spent={
                    name: round(total - sum(one.get(name, 0) for one in before), 6)
                    for name, total in spent.items()
                    if name != "exhausted"
                },
            )
            session.add(revision)
            session.flush()
            if integration and self.mode == "automatic":
                revision.made_version = add_revision_version(session, revision, revision.document)
                revision.status = RevisionStatus.APPLIED.value
            session.execute(self._changed(iterations=iteration, spent=spent))
            return str(revision.id)

    def decision(self, revision_id: str) -> Decision | None:
        """Return the decision, and mark it as processed; None while the revision waits for a person."""
        with self.held.writing() as session:
            row = session.get_one(ReportRevision, uuid.UUID(revision_id))
            if row.decided_at is not None and row.resumed_at is None:
                row.resumed_at = func.now()
            return Decision(row.made_version) if row.status in _DECIDED else None

    def finish(self, state: SupervisionState) -> None:
        """Store the end of the loop from a state, and withdraw a revision that still waits."""
        ended, note = Ended(str(state["ended_because"])), state.get("ended_note")
        failed, decided = ended in _FAILURES, ended in (Ended.APPROVED, Ended.NOTHING_TO_COMPARE)
        done = SupervisionStatus.CANCELLED if ended is Ended.CANCELLED else SupervisionStatus.DONE
        with self.held.writing() as session:
            withdraw_pending(session, self.held.lease.key)
            session.execute(
                self._changed(
                    status=(SupervisionStatus.FAILED if failed else done).value,
                    phase="",
                    ended_because=ended.value,
                    ended_note=Message.from_json(note) if note else None,
                    # The reasoning of the last decision, if it ended the loop.
                    reasoning=state.get("reasoning", "") if decided else "",
                    confidence=state.get("confidence") if decided else None,
                    last_version=state["version_no"],
                    iterations=state.get("iteration", 0),
                    integrations=state.get("integrations", 0),
                    error_code=state.get("error_code") if failed else None,
                    spent=self.spent(),
                    finished_at=func.now(),
                )
            )

    def say(self, phase: str) -> None:
        """Store the current phase and the cost so far, for display."""
        self.held.write(self._changed(phase=phase, spent=self.spent()))

    def _changed(self, **values: object) -> Update:
        own = ReportSupervision.id == self.held.supervision_id
        return update(ReportSupervision).where(own).values(**values, updated_at=func.now())


def add_revision_version(
    session: Session,
    revision: ReportRevision,
    document: Mapping[str, Any] | None,
    *,
    made_by: uuid.UUID | None = None,
    edited: bool = False,
) -> int:
    """Make a revision's document the newest version of its report, and the last good one of its loop."""
    version_no = add_version(
        session,
        revision.report_id,
        ReportDocument.model_validate(document),
        "edited" if edited else "revision",
        made_by=made_by,
        note=str((revision.issue or {}).get("topic", "")),
        claims=revision.claims,
    )
    loop = session.get_one(ReportSupervision, revision.supervision_id)
    loop.last_version, loop.updated_at = version_no, func.now()
    loop.integrations = ReportSupervision.integrations + 1
    return version_no


def add_version(
    session: Session,
    report_id: uuid.UUID,
    document: ReportDocument,
    origin: Literal["uploaded", "revision", "restored", "edited"],
    *,
    made_by: uuid.UUID | None = None,
    note: str = "",
    claims: Sequence[Mapping[str, Any]] = (),
) -> int:
    """Store the document as the newest version of a report, make it current, and return its number.

    Locks the report's row, so that versions of a report are written one at a time.
    """
    report = session.get_one(Report, report_id, with_for_update={"key_share": True})
    last = session.scalar(select(func.max(ReportVersion.version_no)).where(ReportVersion.report_id == report_id))
    version_no = (last or 0) + 1
    stored = document.model_dump(mode="json")
    session.add(
        ReportVersion(
            report_id=report_id, version_no=version_no, document=stored, origin=origin, made_by=made_by, note=note
        )
    )
    session.flush()
    if claims:
        rows = [{"report_id": report_id, **claim} for claim in claims]
        session.execute(insert(ReportClaim).values(rows).on_conflict_do_nothing())
    report.current_version, report.title = version_no, document.title
    report.version, report.updated_at = Report.version + 1, func.now()
    return version_no


def withdraw_pending(session: Session, supervision_id: uuid.UUID) -> None:
    """Withdraw revisions that wait for a decision; their text is kept."""
    session.execute(
        update(ReportRevision)
        .where(
            ReportRevision.supervision_id == supervision_id, ReportRevision.status == RevisionStatus.PENDING.value
        )
        .values(status=RevisionStatus.WITHDRAWN.value, version=ReportRevision.version + 1, **REVISION_HOLDS.ended)
    )

"""Revisions and versions of one loop on PostgreSQL, written under its lease."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import func, null, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.models import (
    Report,
    ReportRevision,
    ReportSupervision,
    ReportVersion,
    RevisionStatus,
    SupervisionStatus,
)
from core.models.leases import REVISION_HOLDS
from research.document import ReportDocument
from research.supervision.loop.context import Attempt, Decided, Decision, End, Mode
from research.supervision.storage.desk import HeldSupervision
from research.supervision.storage.version_rows import add_version
from research.supervision.types import Ended

#: Ends that are failures: the results are kept, and the loop can be started again.
FAILURES = (Ended.CIRCUIT_BREAKER, Ended.INVALID_DECISION, Ended.ERROR)
_DECIDED: dict[str, Decided] = {"accepted": "accepted", "edited": "edited", "rejected": "rejected"}
_COUNTED = ("calls", "tokens", "tokens_in", "tokens_out", "usd", "minutes")


@dataclass(frozen=True)
class PostgresRevisions:
    """See `RevisionStore`."""

    held: HeldSupervision
    mode: Mode
    #: Returns the cost of the loop so far, as `Budget.as_json` does.
    spent: Callable[[], Mapping[str, Any]]

    def document(self, version_no: int) -> ReportDocument:
        """See `RevisionStore.document`."""
        with self.held.reading() as session:
            row = session.get_one(ReportVersion, (self.held.report_id, version_no))
        return ReportDocument.model_validate(row.document)

    def record(self, attempt: Attempt) -> str:
        """See `RevisionStore.record`. In automatic mode the revision becomes a version at once."""
        spent = dict(self.spent())
        with self.held.writing() as session:
            own = ReportRevision.supervision_id == self.held.supervision_id
            made = session.scalar(
                insert(ReportRevision)
                .values(self._row(session, attempt, spent))
                .on_conflict_do_nothing(index_elements=["supervision_id", "iteration"])
                .returning(ReportRevision.id)
            )
            if made is None:
                return str(
                    session.scalars(
                        select(ReportRevision.id).where(own, ReportRevision.iteration == attempt.iteration)
                    ).one()
                )
            if attempt.integration is not None and self.mode == "automatic":
                self._make_version(session, made)
            self._count(session, iterations=attempt.iteration, spent=spent)
        return str(made)

    def apply(self, revision_id: str) -> int:
        """See `RevisionStore.apply`."""
        with self.held.writing() as session:
            return self._make_version(session, uuid.UUID(revision_id))

    def decision(self, revision_id: str) -> Decision | None:
        """See `RevisionStore.decision`."""
        with self.held.reading() as session:
            row = session.get_one(ReportRevision, uuid.UUID(revision_id))
        decided = _DECIDED.get(row.status)
        return None if decided is None else Decision(decided, row.made_version)

    def finish(self, end: End) -> None:
        """See `RevisionStore.finish`. A revision that still waits is withdrawn."""
        with self.held.writing() as session:
            withdraw_pending(session, self.held.supervision_id)
            session.execute(
                update(ReportSupervision)
                .where(ReportSupervision.id == self.held.supervision_id)
                .values(
                    status=_status(end.ended).value,
                    phase="",
                    ended_because=end.ended.value,
                    ended_note=end.note,
                    reasoning=end.reasoning,
                    confidence=end.confidence,
                    last_version=end.version_no,
                    iterations=end.iterations,
                    integrations=end.integrations,
                    error_code=end.error_code if end.ended in FAILURES else None,
                    spent=dict(self.spent()),
                    finished_at=func.now(),
                    updated_at=func.now(),
                )
            )

    def say(self, phase: str) -> None:
        """Store the current phase and the cost so far, for display."""
        with self.held.writing() as session:
            self._count(session, phase=phase, spent=dict(self.spent()))

    def _row(self, session: Session, attempt: Attempt, spent: Mapping[str, Any]) -> dict[str, Any]:
        integration = attempt.integration
        waits = integration is not None
        return {
            "supervision_id": self.held.supervision_id,
            "report_id": self.held.report_id,
            "season_id": session.scalar(select(Report.season_id).where(Report.id == self.held.report_id)),
            "iteration": attempt.iteration,
            "issue": null() if attempt.issue is None else attempt.issue.model_dump(mode="json"),
            "outcome": attempt.outcome.value,
            "reasons": list(attempt.reasons),
            "reasoning": attempt.reasoning,
            "confidence": attempt.confidence,
            "source_keys": list(attempt.source_keys),
            "base_version": attempt.base_version,
            # Not None, which would be stored as JSON null.
            "document": null() if integration is None else integration.document.model_dump(mode="json"),
            "claims": [] if integration is None else [asdict(claim) for claim in integration.claims],
            "status": (RevisionStatus.PENDING if waits else RevisionStatus.NONE).value,
            "spent": self._spent_here(session, spent),
        }

    def _spent_here(self, session: Session, spent: Mapping[str, Any]) -> dict[str, Any]:
        """Return the cost of this attempt: the total without earlier attempts."""
        before = session.scalars(
            select(ReportRevision.spent).where(ReportRevision.supervision_id == self.held.supervision_id)
        ).all()
        return {name: round(spent.get(name, 0) - sum(one.get(name, 0) for one in before), 6) for name in _COUNTED}

    def _make_version(self, session: Session, revision_id: uuid.UUID) -> int:
        row = session.get_one(ReportRevision, revision_id)
        if row.made_version is not None:
            return row.made_version
        row.made_version = add_revision_version(session, row, row.document)
        row.status = RevisionStatus.APPLIED.value
        return row.made_version

    def _count(self, session: Session, **values: object) -> None:
        session.execute(
            update(ReportSupervision)
            .where(ReportSupervision.id == self.held.supervision_id)
            .values(**values, updated_at=func.now())
        )


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
    session.execute(
        update(ReportSupervision)
        .where(ReportSupervision.id == revision.supervision_id)
        .values(
            last_version=version_no,
            integrations=ReportSupervision.integrations + 1,
            updated_at=func.now(),
        )
    )
    return version_no


def withdraw_pending(session: Session, supervision_id: uuid.UUID) -> None:
    """Withdraw revisions that wait for a decision; their text is kept."""
    session.execute(
        update(ReportRevision)
        .where(
            ReportRevision.supervision_id == supervision_id,
            ReportRevision.status == RevisionStatus.PENDING.value,
        )
        .values(
            status=RevisionStatus.WITHDRAWN.value,
            version=ReportRevision.version + 1,
            **REVISION_HOLDS.ended,
        )
    )


def _status(ended: Ended) -> SupervisionStatus:
    if ended is Ended.CANCELLED:
        return SupervisionStatus.CANCELLED
    return SupervisionStatus.FAILED if ended in FAILURES else SupervisionStatus.DONE

"""Read and update the row of a report during its research."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update

from core.models import LibraryDocument, LibraryStatus, Report
from research.stops import CancelRequestedError
from research.storage.held import Held


@dataclass(frozen=True)
class LibraryState:
    """Numbers of the library's documents by state."""

    ready: int
    #: Queued or being read.
    waiting: int


@dataclass(frozen=True)
class Progress:
    """Plan, phase and cost of the report."""

    held: Held

    def stop_if_asked(self) -> None:
        """Raise CancelRequestedError if a person has requested that the report stop."""
        with self.held.reading() as session:
            asked = session.scalar(select(Report.cancel_requested_at).where(Report.id == self.held.report_id))
        if asked is not None:
            raise CancelRequestedError(str(self.held.report_id))

    def plan(self) -> dict[str, Any] | None:
        """Return the current plan, with a person's changes if there are any; None before planning."""
        with self.held.reading() as session:
            return session.scalar(select(Report.plan).where(Report.id == self.held.report_id))

    def allocation(self) -> dict[str, Any]:
        """Return the allocation of researchers by origin: user, model and rules."""
        with self.held.reading() as session:
            return session.scalar(select(Report.allocation).where(Report.id == self.held.report_id)) or {}

    def save_plan(self, plan: Mapping[str, Any], allocation: Mapping[str, Any], reasoning: str) -> None:
        """Write the plan, unless a person approved one in the meantime.

        `reasoning`: that of the model that chose the researchers; "" if no model did.
        """
        with self.held.writing() as session:
            session.execute(
                update(Report)
                .where(Report.id == self.held.report_id, Report.plan_approved_at.is_(None))
                .values(
                    plan=dict(plan),
                    allocation=dict(allocation),
                    allocation_reasoning=reasoning,
                    version=Report.version + 1,
                    updated_at=func.now(),
                )
            )

    def say(self, phase: str, spent: Mapping[str, Any]) -> None:
        """Store the current phase and the cost so far, for display."""
        with self.held.writing() as session:
            session.execute(
                update(Report)
                .where(Report.id == self.held.report_id)
                .values(phase=phase, spent=dict(spent), updated_at=func.now())
            )

    def spend(self, spent: Mapping[str, Any]) -> None:
        """Store the cost so far, for display."""
        with self.held.writing() as session:
            session.execute(
                update(Report)
                .where(Report.id == self.held.report_id)
                .values(spent=dict(spent), updated_at=func.now())
            )

    def library_state(self) -> LibraryState:
        """Return how many documents of the library can be searched, and how many are still to be read."""
        with self.held.reading() as session:
            counted = session.execute(
                select(LibraryDocument.status, func.count()).group_by(LibraryDocument.status)
            )
            counts = {status: int(count) for status, count in counted}
        waiting = counts.get(LibraryStatus.QUEUED, 0) + counts.get(LibraryStatus.READING, 0)
        return LibraryState(counts.get(LibraryStatus.READY, 0), waiting)

    def library_kinds(self) -> frozenset[str]:
        """Return the kinds of documents that are ready in the library."""
        with self.held.reading() as session:
            found = session.scalars(
                select(LibraryDocument.kind).where(LibraryDocument.status == LibraryStatus.READY.value).distinct()
            )
            return frozenset(found)

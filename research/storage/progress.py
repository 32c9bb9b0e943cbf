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

    def cancel_requested(self) -> bool:
        """Return whether a person has requested that the leased work stop: the report, or a supervision of it."""
        leases, key = self.held.lease.leases, self.held.lease.key
        return self.held.value(select(leases.row.cancel_requested_at).where(leases.key == key)) is not None

    def stop_if_asked(self) -> None:
        """Raise CancelRequestedError if a person has requested that the leased work stop."""
        if self.cancel_requested():
            raise CancelRequestedError(str(self.held.lease.key))

    def plan(self) -> dict[str, Any] | None:
        """Return the current plan, with a person's changes if there are any; None before planning."""
        return self.held.value(select(Report.plan).where(Report.id == self.held.report_id))

    def save_plan(self, plan: Mapping[str, Any], allocation: Mapping[str, Any], reasoning: str) -> None:
        """Write the plan, unless a person approved one in the meantime.

        `reasoning`: that of the model that chose the researchers; "" if no model did.
        """
        changed = update(Report).where(Report.id == self.held.report_id, Report.plan_approved_at.is_(None))
        self.held.write(
            changed.values(
                plan=dict(plan),
                allocation=dict(allocation),
                allocation_reasoning=reasoning,
                version=Report.version + 1,
                updated_at=func.now(),
            )
        )

    def say(self, phase: str, spent: Mapping[str, Any]) -> None:
        """Store the current phase and the cost so far, for display."""
        self._show(phase=phase, spent=dict(spent))

    def spend(self, spent: Mapping[str, Any]) -> None:
        """Store the cost so far, for display."""
        self._show(spent=dict(spent))

    def library_state(self) -> LibraryState:
        """Return how many documents of the library can be searched, and how many are still to be read."""
        counted = select(LibraryDocument.status, func.count().label("total")).group_by(LibraryDocument.status)
        with self.held.reading() as session:
            counts = {row.status: int(row.total) for row in session.execute(counted)}
        waiting = counts.get(LibraryStatus.QUEUED, 0) + counts.get(LibraryStatus.READING, 0)
        return LibraryState(counts.get(LibraryStatus.READY, 0), waiting)

    def library_kinds(self) -> frozenset[str]:
        """Return the kinds of documents that are ready in the library."""
        ready = LibraryDocument.status == LibraryStatus.READY.value
        return frozenset(self.held.values(select(LibraryDocument.kind).where(ready).distinct()))

    def _show(self, **values: Any) -> None:
        own = update(Report).where(Report.id == self.held.report_id)
        self.held.write(own.values(updated_at=func.now(), **values))

"""Read and update the row of a report during its research, and store what is written at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Update, func, select, update

from core.models import LibraryDocument, LibraryStatus, Report, ReportClaim, ReportVersion
from research.codes import CancelRequestedError
from research.material import WrittenReport
from research.storage.held import Held, insert_of

_FIRST = 1


@dataclass(frozen=True)
class LibraryState:
    """Numbers of the library's documents by state."""

    ready: int
    #: Queued or being read.
    waiting: int


@dataclass(frozen=True)
class Progress:
    """Plan, phase, cost and first version of the report."""

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

    def save_fields(self, fields: Sequence[str]) -> None:
        """Store the fields of a catalog, as they were read from its request."""
        self.held.write(self._row(fields=list(fields)))

    def save_plan(self, plan: Mapping[str, Any], allocation: Mapping[str, Any], reasoning: str) -> None:
        """Write the plan, unless a person approved one in the meantime.

        `reasoning`: that of the model that chose the researchers; "" if no model did.
        """
        changed = self._row(
            plan=dict(plan),
            allocation=dict(allocation),
            allocation_reasoning=reasoning,
            version=Report.version + 1,
        )
        self.held.write(changed.where(Report.plan_approved_at.is_(None)))

    def say(self, phase: str) -> None:
        """Store the current phase, for display."""
        self.held.write(self._row(phase=phase))

    def spend(self, spent: Mapping[str, Any]) -> None:
        """Store the cost of the report so far, for display; a supervision stores its own."""
        if self.held.supervision_id is None:
            self.held.write(self._row(spent=dict(spent)))

    def library_state(self) -> LibraryState:
        """Return how many documents of the library can be searched, and how many are still to be read."""
        counted = select(LibraryDocument.status, func.count().label("total")).group_by(LibraryDocument.status)
        with self.held.database.session() as session:
            counts = {row.status: int(row.total) for row in session.execute(counted)}
        waiting = counts.get(LibraryStatus.QUEUED, 0) + counts.get(LibraryStatus.READING, 0)
        return LibraryState(counts.get(LibraryStatus.READY, 0), waiting)

    def library_kinds(self) -> frozenset[str]:
        """Return the kinds of documents that are ready in the library."""
        ready = LibraryDocument.status == LibraryStatus.READY.value
        return frozenset(self.held.values(select(LibraryDocument.kind).where(ready).distinct()))

    def write_first(self, written: WrittenReport, round_index: int) -> None:
        """Store the report written after the rounds, with its claims; an existing version is kept."""
        own, document = self.held.report_id, written.document.model_dump(mode="json")
        claims = [ReportClaim(report_id=own, round_index=round_index, **asdict(one)) for one in written.claims]
        self.held.write(
            insert_of(ReportVersion(report_id=own, version_no=_FIRST, document=document, origin="synthesis")),
            *([insert_of(*claims)] if claims else []),
            self._row(title=written.document.title, current_version=func.coalesce(Report.current_version, _FIRST)),
        )

    def _row(self, **values: Any) -> Update:
        return update(Report).where(Report.id == self.held.report_id).values(updated_at=func.now(), **values)

"""Storage of a loop besides its revisions, under its own lease: sources, tasks and model calls of its report."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, select
from sqlalchemy.dialects.postgresql import insert

from core.models import ReportCall, ReportSupervision, ReportTask
from research.plan.planned_task import PlannedTask
from research.recorded_model import Call
from research.stops import CancelRequestedError
from research.storage import ReportStore
from research.storage.calls import Calls
from research.storage.held import Held
from research.storage.progress import Progress
from research.storage.rounds import Rounds, StoredTask
from research.storage.sources import Sources, StoredSource, is_provisional
from research.supervision.types import Issue

#: `round_index` of tasks and sources that belong to no round.
SUPERVISION_ROUND = 4


@dataclass(frozen=True)
class HeldSupervision(Held):
    """A report with the lease of its supervision."""

    supervision_id: uuid.UUID


@dataclass(frozen=True)
class SupervisionProgress(Progress):
    """Requests to stop the loop; the report's own row is not changed."""

    held: HeldSupervision

    def cancel_requested(self) -> bool:
        """Return whether a person has requested that the loop stop."""
        own = ReportSupervision.id == self.held.supervision_id
        return self.held.value(select(ReportSupervision.cancel_requested_at).where(own)) is not None

    def stop_if_asked(self) -> None:
        """Raise CancelRequestedError if a person has requested that the loop stop."""
        if self.cancel_requested():
            raise CancelRequestedError(str(self.held.supervision_id))


@dataclass(frozen=True)
class SupervisionTasks(Rounds):
    """Tasks of focused research, among the report's tasks."""

    def add(self, task: PlannedTask, issue: Issue) -> None:
        """Insert a task with its issue; an existing one is kept unchanged."""
        row = self._row(task, SUPERVISION_ROUND, {"position": 0, "issue": issue.model_dump(mode="json")})
        self.held.write(insert(ReportTask).values(row).on_conflict_do_nothing())

    def of_iteration(self, prefix: str) -> list[StoredTask]:
        """Return the tasks whose ids begin with `prefix`."""
        return [one for one in self.tasks(SUPERVISION_ROUND) if one.task.task_id.startswith(prefix)]

    def issue(self, prefix: str) -> Issue:
        """Return the issue of the tasks whose ids begin with `prefix`."""
        with self.held.reading() as session:
            brief = session.scalars(
                select(ReportTask.brief)
                .where(
                    ReportTask.report_id == self.held.report_id,
                    ReportTask.task_id.startswith(prefix, autoescape=True),
                )
                .limit(1)
            ).one()
        return Issue.model_validate(brief["issue"])


@dataclass(frozen=True)
class SupervisionSources(Sources):
    """Sources of the report, including those found by loops."""

    def before(self, round_index: int) -> list[StoredSource]:
        """Return the sources read before this focused research: those with a citation key."""
        return [row for row in self.all() if row.status == "read" and not is_provisional(row.key)]


@dataclass(frozen=True)
class SupervisionCalls(Calls):
    """Model calls of one loop; their keys begin with its id, so that another loop repeats them."""

    held: HeldSupervision

    def find_call(self, call_key: str) -> Call | None:
        """See `CallRecord.find_call`."""
        found = super().find_call(self._own(call_key))
        return None if found is None else replace(found, call_key=call_key)

    def keep_call(self, call: Call) -> None:
        """See `CallRecord.keep_call`."""
        super().keep_call(replace(call, call_key=self._own(call.call_key)))

    def _counted(self) -> ColumnElement[bool]:
        return super()._counted() & ReportCall.call_key.startswith(self._own(""))

    def _own(self, call_key: str) -> str:
        return f"{self.held.supervision_id}:{call_key}"


class SupervisionDesk(ReportStore):
    """Storage of a report while the lease of its supervision is held."""

    held: HeldSupervision
    progress: SupervisionProgress
    rounds: SupervisionTasks
    sources: SupervisionSources
    calls: SupervisionCalls

    def __init__(self, held: HeldSupervision) -> None:
        super().__init__(held)
        self.progress = SupervisionProgress(held)
        self.rounds = SupervisionTasks(held)
        self.sources = SupervisionSources(held)
        self.calls = SupervisionCalls(held)

"""Store rounds with their tasks, results, memos and gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python
from sqlalchemy import ColumnElement, Executable, Update, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from core.models import ReportGap, ReportRound, ReportSource, ReportTask, TaskStatus
from research.memo import Gap, ResearchMemo, memo_from_json, memo_to_json
from research.memo.worker_result import PlannedTask, WorkerResult
from research.storage.held import Held, insert_of

_TASK, _RESULT = TypeAdapter(PlannedTask), TypeAdapter(WorkerResult)
#: `round_index` of tasks and sources of supervisions, which belong to no round.
FOCUSED = 4
_OVER = (TaskStatus.DONE.value, TaskStatus.NOTHING_FOUND.value, TaskStatus.FAILED.value)


@dataclass(frozen=True)
class StoredTask:
    """A task and its result, which is None until the task ends."""

    task: PlannedTask
    round_index: int
    result: WorkerResult | None


@dataclass(frozen=True)
class Rounds:
    """The rounds of a report."""

    held: Held

    def begin(self, round_index: int, tasks: Sequence[PlannedTask], skipped_because: str | None = None) -> None:
        """Insert a round and its tasks; existing rows are kept unchanged."""
        begun = ReportRound(
            report_id=self.held.report_id, round_index=round_index, skipped_because=skipped_because
        )
        rows = [self._row(task, round_index, place) for place, task in enumerate(tasks)]
        self.held.write(*map(insert_of, [begun, *rows]))

    def begin_focused(self, task: PlannedTask) -> None:
        """Insert a task of a supervision; an existing one is kept unchanged."""
        self.held.write(insert_of(self._row(task, FOCUSED, 0)))

    def tasks(self, round_index: int | None = None) -> list[StoredTask]:
        """Return the tasks of one round, or of all if None, in planned order."""
        rows = self.held.values(select(ReportTask).where(ReportTask.report_id == self.held.report_id))
        own = [row for row in rows if round_index in (None, row.round_index)]
        return [_stored(row) for row in sorted(own, key=lambda row: (row.round_index, row.brief["position"]))]

    def task(self, task_id: str) -> StoredTask:
        """Return one task. Raises NoResultFound if it does not exist."""
        with self.held.database.session() as session:
            return _stored(session.get_one(ReportTask, (self.held.report_id, task_id)))

    def start_task(self, task_id: str) -> None:
        """Mark a task as running; an ended task is not changed."""
        waiting = update(ReportTask).where(self._is(task_id), ReportTask.status.not_in(_OVER))
        started_at = func.coalesce(ReportTask.started_at, func.now())
        self.held.write(waiting.values(status=TaskStatus.RUNNING.value, started_at=started_at))

    def finish_task(self, result: WorkerResult) -> None:
        """Store the result of a task; an ended task is not changed."""
        waiting = self._result_update(result).where(ReportTask.status.not_in(_OVER))
        self.held.write(waiting.values(error_code=result.error_code, ended_at=func.now()))

    def join(
        self,
        keys: Mapping[str, str],
        duplicates: Sequence[str],
        results: Sequence[WorkerResult],
        memo: ResearchMemo | None = None,
    ) -> None:
        """Replace provisional keys by citation keys, and end a round with its memo and gaps, in one transaction.

        `keys`: the citation key of each source that is kept, by its provisional one. `duplicates`: provisional
        keys of those that have another key already, to be deleted. `results`: those that name them, with new keys.
        `memo`: None for the research of a supervision, which is no round.
        """
        own, changes = ReportSource.report_id == self.held.report_id, list[Executable]()
        if duplicates:
            changes.append(delete(ReportSource).where(own, ReportSource.key.in_(duplicates)))
        changes += [
            update(ReportSource).where(own, ReportSource.key == old).values(key=new) for old, new in keys.items()
        ]
        changes += map(self._result_update, results)
        if memo is not None:
            changes += map(self._gap_upsert, memo.gaps)
            ended = {"memo": memo_to_json(memo), "ended_at": func.now()}
            changes.append(update(ReportRound).where(self._round(memo.round_index)).values(ended))
        self.held.write(*changes)

    def settle(self, memo: ResearchMemo) -> None:
        """Replace the memo of a round, and the report's gaps by those of the memo."""
        gone = ReportGap.gap_id.not_in([gap.id for gap in memo.gaps])
        self.held.write(
            delete(ReportGap).where(ReportGap.report_id == self.held.report_id, gone),
            *map(self._gap_upsert, memo.gaps),
            update(ReportRound).where(self._round(memo.round_index)).values(memo=memo_to_json(memo)),
        )

    def memo(self, round_index: int) -> ResearchMemo | None:
        """Return the memo of a round, or None if it has not ended."""
        stored = self.held.value(select(ReportRound.memo).where(self._round(round_index)))
        return None if stored is None else memo_from_json(stored)

    def _row(self, task: PlannedTask, round_index: int, position: int) -> ReportTask:
        brief = to_jsonable_python(task)
        own = {name: brief[name] for name in ("task_id", "kind", "question", "gap_id", "queries")}
        brief["position"] = position
        return ReportTask(report_id=self.held.report_id, round_index=round_index, brief=brief, **own)

    def _round(self, index: int) -> ColumnElement[bool]:
        return (ReportRound.report_id == self.held.report_id) & (ReportRound.round_index == index)

    def _is(self, task_id: str) -> ColumnElement[bool]:
        return (ReportTask.report_id == self.held.report_id) & (ReportTask.task_id == task_id)

    def _result_update(self, result: WorkerResult) -> Update:
        told = {"status": result.status, "result": to_jsonable_python(result)}
        return update(ReportTask).where(self._is(result.task_id)).values(told)

    def _gap_upsert(self, gap: Gap) -> Executable:
        """Return the statement that inserts a gap, or updates all but the round in which it was opened."""
        row = to_jsonable_python(gap)
        row |= {"report_id": self.held.report_id, "missing_fields": row["missing_fields"] or []}
        row |= {"gap_id": row.pop("id"), "evidence": row.pop("evidence_ids")}
        changed = {name: value for name, value in row.items() if name != "opened_round"}
        stored = insert(ReportGap).values(row)
        return stored.on_conflict_do_update(index_elements=["report_id", "gap_id"], set_=changed)


def _stored(row: ReportTask) -> StoredTask:
    result = None if row.result is None else _RESULT.validate_python(row.result)
    return StoredTask(_TASK.validate_python(row.brief), row.round_index, result)

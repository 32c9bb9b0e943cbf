"""Store rounds with their tasks, results, memos and gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.models import ReportGap, ReportRound, ReportSource, ReportTask, TaskStatus
from research.memo import Gap, ResearchMemo, memo_from_json, memo_to_json
from research.memo.worker_result import WorkerResult
from research.plan.planned_task import PlannedTask
from research.storage.held import Held

_TASK = TypeAdapter(PlannedTask)
_RESULT = TypeAdapter(WorkerResult)
_OVER = (TaskStatus.DONE.value, TaskStatus.NOTHING_FOUND.value, TaskStatus.FAILED.value)


@dataclass(frozen=True)
class StoredTask:
    """A task and its result, which is None until the task ends."""

    task: PlannedTask
    round_index: int
    result: WorkerResult | None


@dataclass(frozen=True)
class JoinedRound:
    """The outcome of a finished round, written in one transaction."""

    round_index: int
    #: Citation key of each source by its provisional key.
    keys: Mapping[str, str]
    #: Provisional keys of sources that already have another key.
    duplicates: Sequence[str]
    #: Results with citation keys in place of provisional ones.
    results: Sequence[WorkerResult]
    memo: ResearchMemo
    gaps: Sequence[Gap]


@dataclass(frozen=True)
class Rounds:
    """The rounds of a report."""

    held: Held

    def begin(self, round_index: int, tasks: Sequence[PlannedTask], skipped_because: str | None = None) -> None:
        """Insert a round and its tasks; existing rows are kept unchanged."""
        rows = [
            {
                "report_id": self.held.report_id,
                "task_id": task.task_id,
                "round_index": round_index,
                "kind": task.kind,
                "question": task.question,
                "gap_id": task.gap_id,
                "queries": list(task.queries),
                "brief": {"position": position, **_TASK.dump_python(task, mode="json")},
            }
            for position, task in enumerate(tasks)
        ]
        with self.held.writing() as session:
            session.execute(
                insert(ReportRound)
                .values(report_id=self.held.report_id, round_index=round_index, skipped_because=skipped_because)
                .on_conflict_do_nothing()
            )
            if rows:
                session.execute(insert(ReportTask).values(rows).on_conflict_do_nothing())

    def tasks(self, round_index: int | None = None) -> list[StoredTask]:
        """Return the tasks of one round, or of all if None, in planned order."""
        query = select(ReportTask).where(ReportTask.report_id == self.held.report_id)
        if round_index is not None:
            query = query.where(ReportTask.round_index == round_index)
        with self.held.reading() as session:
            rows = session.scalars(query).all()
        return [_stored(row) for row in sorted(rows, key=_place)]

    def task(self, task_id: str) -> StoredTask:
        """Return one task. Raises NoResultFound if it does not exist."""
        with self.held.reading() as session:
            return _stored(session.get_one(ReportTask, (self.held.report_id, task_id)))

    def start_task(self, task_id: str) -> None:
        """Mark a task as running; an ended task is not changed."""
        with self.held.writing() as session:
            session.execute(
                update(ReportTask)
                .where(_task(self.held, task_id), ReportTask.status.not_in(_OVER))
                .values(
                    status=TaskStatus.RUNNING.value,
                    started_at=func.coalesce(ReportTask.started_at, func.now()),
                )
            )

    def finish_task(self, result: WorkerResult) -> None:
        """Store the result of a task; an ended task is not changed."""
        with self.held.writing() as session:
            session.execute(
                update(ReportTask)
                .where(_task(self.held, result.task_id), ReportTask.status.not_in(_OVER))
                .values(
                    status=result.status,
                    error_code=result.error_code,
                    result=_RESULT.dump_python(result, mode="json"),
                    ended_at=func.now(),
                )
            )

    def give_keys(
        self, keys: Mapping[str, str], duplicates: Sequence[str], results: Sequence[WorkerResult]
    ) -> None:
        """Replace provisional keys by citation keys: those of sources, and the results that name them."""
        with self.held.writing() as session:
            _give_keys(session, self.held, keys, duplicates, results)

    def join(self, joined: JoinedRound) -> None:
        """Replace provisional keys by citation keys, and store results, memo and gaps, in one transaction."""
        with self.held.writing() as session:
            _give_keys(session, self.held, joined.keys, joined.duplicates, joined.results)
            for gap in joined.gaps:
                _write_gap(session, self.held, gap)
            session.execute(
                update(ReportRound)
                .where(ReportRound.report_id == self.held.report_id, ReportRound.round_index == joined.round_index)
                .values(memo=memo_to_json(joined.memo), ended_at=func.now())
            )

    def memo(self, round_index: int) -> ResearchMemo | None:
        """Return the memo of a round, or None if it has not ended."""
        with self.held.reading() as session:
            row = session.get(ReportRound, (self.held.report_id, round_index))
        return None if row is None or row.memo is None else memo_from_json(row.memo)

    def skipped(self) -> dict[int, str]:
        """Return the reason of each skipped round by number."""
        with self.held.reading() as session:
            rows = session.execute(
                select(ReportRound.round_index, ReportRound.skipped_because).where(
                    ReportRound.report_id == self.held.report_id, ReportRound.skipped_because.is_not(None)
                )
            )
            return {index: reason for index, reason in rows if reason is not None}


def _task(held: Held, task_id: str) -> Any:
    return (ReportTask.report_id == held.report_id) & (ReportTask.task_id == task_id)


def _place(row: ReportTask) -> tuple[int, int]:
    return row.round_index, int(row.brief["position"])


def _stored(row: ReportTask) -> StoredTask:
    planned = {name: value for name, value in row.brief.items() if name != "position"}
    result = None if row.result is None else _RESULT.validate_python(row.result)
    return StoredTask(_TASK.validate_python(planned), row.round_index, result)


def _give_keys(
    session: Session,
    held: Held,
    keys: Mapping[str, str],
    duplicates: Sequence[str],
    results: Sequence[WorkerResult],
) -> None:
    if duplicates:
        session.execute(
            delete(ReportSource).where(ReportSource.report_id == held.report_id, ReportSource.key.in_(duplicates))
        )
    for provisional, key in keys.items():
        session.execute(
            update(ReportSource)
            .where(ReportSource.report_id == held.report_id, ReportSource.key == provisional)
            .values(key=key)
        )
    for result in results:
        session.execute(
            update(ReportTask)
            .where(_task(held, result.task_id))
            .values(status=result.status, result=_RESULT.dump_python(result, mode="json"))
        )


def _write_gap(session: Session, held: Held, gap: Gap) -> None:
    row = insert(ReportGap).values(
        report_id=held.report_id,
        gap_id=gap.id,
        gap_type=gap.gap_type,
        description=gap.description,
        priority=gap.priority,
        candidate_name=gap.candidate_name,
        missing_fields=list(gap.missing_fields or ()),
        missing_topic=gap.missing_topic,
        suggested_query=gap.suggested_query,
        state=gap.state.value,
        evidence=list(gap.evidence_ids),
        opened_round=gap.opened_round,
        closed_round=gap.closed_round,
        have=gap.have,
        wanted=gap.wanted,
    )
    changing = (
        "description",
        "priority",
        "missing_fields",
        "suggested_query",
        "state",
        "evidence",
        "closed_round",
        "have",
        "wanted",
    )
    session.execute(
        row.on_conflict_do_update(
            index_elements=["report_id", "gap_id"], set_={name: row.excluded[name] for name in changing}
        )
    )

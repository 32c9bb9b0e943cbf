"""PostgreSQL storage of one report's research under its lease, and its budget."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python
from sqlalchemy import ColumnElement, Executable, Update, delete, func, select, update
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session

from core.database import Database
from core.lease import Lease
from core.messages import LabelledEnum, keys_of
from core.models import (
    LibraryDocument,
    LibraryStatus,
    Report,
    ReportCall,
    ReportClaim,
    ReportGap,
    ReportPassage,
    ReportRound,
    ReportSource,
    ReportTask,
    ReportVersion,
    TaskStatus,
)
from core.models.base import Base
from research.config import BudgetSpentError, CancelRequestedError
from research.document import Reference
from research.memo import Gap, PlannedTask, ResearchMemo, WorkerResult, memo_from_json, memo_to_json
from research.readers.protocol import SourceText, WrittenReport
from research.sources.base import Passage
from research.sources.library import locked_document

# Limits and consumption of one report: model calls, tokens, money, minutes of work.


class Resource(LabelledEnum):
    """Resources with a limit."""

    CALLS = "calls", "Model calls"
    TOKENS = "tokens", "Tokens"
    USD = "usd", "US dollars"
    MINUTES = "minutes", "Minutes"


RESOURCES = keys_of(Resource)


@dataclass
class ResearchBudget:
    """Limits and consumption. Time spent waiting for a person is not counted as work."""

    #: By resource; a missing one has no limit.
    limits: Mapping[str, float] = field(default_factory=dict)
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    #: Seconds of work before this process resumed the report.
    seconds_before: float = 0.0
    #: The resource that ran out, so that work was omitted.
    exhausted: str | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def __post_init__(self) -> None:
        self._began = self.clock()

    def allow_call(self) -> None:
        """Raise BudgetSpentError if any limit has been reached before another model call."""
        self._look_at("minutes", "calls", "tokens", "usd")
        if self.exhausted is not None:
            raise BudgetSpentError(f"no {self.exhausted} left")

    def allow_work(self) -> bool:
        """Return whether another search or fetch may begin."""
        self._look_at("minutes")
        return self.exhausted is None

    def count(self, calls: int, tokens_in: int, tokens_out: int, usd: float) -> None:
        """Add the consumption of one model call."""
        self.calls += calls
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.usd += usd

    def as_json(self) -> dict[str, Any]:
        """Return the value of `reports.spent`; the minutes are those of all processes."""
        return {
            "calls": self.calls,
            "tokens": self.tokens_in + self.tokens_out,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "usd": round(self.usd, 6),
            "minutes": round((self.seconds_before + self.clock() - self._began) / 60, 3),
            "exhausted": self.exhausted,
        }

    def _look_at(self, *resources: str) -> None:
        spent = self.as_json()
        over = (name for name in resources if name in self.limits and spent[name] >= self.limits[name])
        self.exhausted = self.exhausted or next(over, None)


# PostgreSQL storage of one report's research, passed to the graph's nodes.


class ReportStore:
    """Storage of one report while its lease is held. Every write may raise LeaseLostError."""

    def __init__(self, held: LeasedReport) -> None:
        self.held = held
        self.progress = Progress(held)
        self.rounds = Rounds(held)
        self.sources = StoredSources(held)
        self.calls = Calls(held)


# Transactions on one report under a lease: every write first locks the leased row.


def insert_of(*rows: Base) -> Insert:
    """Return the statement that inserts rows of one table; existing ones are kept."""
    values = [{name: value for name, value in vars(row).items() if not name.startswith("_")} for row in rows]
    return insert(type(rows[0])).values(values).on_conflict_do_nothing()


@dataclass(frozen=True)
class LeasedReport:
    """A report that this process holds a lease for."""

    database: Database
    report_id: uuid.UUID
    #: Lease on the report, or on the supervision that revises it.
    lease: Lease[Any]

    @property
    def supervision_id(self) -> uuid.UUID | None:
        """The supervision that the lease is on; None for the report itself."""
        return None if self.lease.key == self.report_id else self.lease.key

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a short transaction. Raises LeaseLostError before any write if another worker holds the lease."""
        with self.database.session() as session:
            self.lease.hold(session)
            yield session

    def write(self, *statements: Executable) -> None:
        """Execute the statements in one transaction. Raises LeaseLostError as `writing` does."""
        with self.writing() as session:
            for statement in statements:
                session.execute(statement)


# Model calls of a report: their ledger and totals.


@dataclass(frozen=True)
class Calls:
    """Rows of `report_calls`; a supervision's keys begin with its id, so another one repeats the calls."""

    held: LeasedReport

    def find(self, call_key: str) -> ReportCall | None:
        """Return the call with this key, or None."""
        own = ReportCall.report_id == self.held.report_id
        return self.held.database.scalar(
            select(ReportCall).where(own, ReportCall.call_key == self._stored(call_key))
        )

    def keep(self, call_key: str, call: ReportCall) -> None:
        """Store a call durably; an existing one is kept."""
        call.report_id, call.call_key = self.held.report_id, self._stored(call_key)
        self.held.write(insert_of(call))

    def failed(self) -> int:
        """Return the number of calls without a usable reply."""
        own = ReportCall.report_id == self.held.report_id
        return self.held.database.scalar(select(func.count()).where(own, ReportCall.error_code.is_not(None))) or 0

    def spent(self) -> tuple[int, int, int, float]:
        """Return requests, input tokens, output tokens and US dollars of all calls."""
        call, total = ReportCall, func.sum
        totals = select(total(call.requests), total(call.tokens_in), total(call.tokens_out), total(call.cost_usd))
        own = ReportCall.report_id == self.held.report_id, ReportCall.call_key.startswith(self._stored(""))
        with self.held.database.reading() as session:
            requests, tokens_in, tokens_out, usd = session.execute(totals.where(*own)).one()
        return int(requests or 0), int(tokens_in or 0), int(tokens_out or 0), float(usd or 0)

    def _stored(self, call_key: str) -> str:
        return f"{self.held.supervision_id}:{call_key}" if self.held.supervision_id else call_key


# Read and update the row of a report during its research, and store the written report.


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

    held: LeasedReport

    def cancel_requested(self) -> bool:
        """Return whether a person has requested that the leased work (report or supervision) stop."""
        leases, key = self.held.lease.leases, self.held.lease.key
        return (
            self.held.database.scalar(select(leases.row.cancel_requested_at).where(leases.key == key)) is not None
        )

    def stop_if_asked(self) -> None:
        """Raise CancelRequestedError if a person has requested that the leased work stop."""
        if self.cancel_requested():
            raise CancelRequestedError(str(self.held.lease.key))

    def plan(self) -> dict[str, Any] | None:
        """Return the current plan, with a person's changes if there are any; None before planning."""
        return self.held.database.scalar(select(Report.plan).where(Report.id == self.held.report_id))

    def save_fields(self, fields: Sequence[str]) -> None:
        """Store the fields of a catalog, as they were read from its request."""
        self.held.write(self._row(fields=list(fields)))

    def save_plan(self, plan: Mapping[str, Any], allocation: Mapping[str, Any], reasoning: str) -> None:
        """Write the plan, unless a person approved one in the meantime.

        `reasoning`: why the model chose the researchers; "" if no model did.
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
        """Return how many documents of the library can be searched, and how many are not read yet."""
        counted = select(LibraryDocument.status, func.count().label("total")).group_by(LibraryDocument.status)
        with self.held.database.session() as session:
            counts = {row.status: int(row.total) for row in session.execute(counted)}
        waiting = counts.get(LibraryStatus.QUEUED, 0) + counts.get(LibraryStatus.READING, 0)
        return LibraryState(counts.get(LibraryStatus.READY, 0), waiting)

    def library_kinds(self) -> frozenset[str]:
        """Return the kinds of documents that are ready in the library."""
        ready = LibraryDocument.status == LibraryStatus.READY.value
        return frozenset(self.held.database.scalars(select(LibraryDocument.kind).where(ready).distinct()))

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


# Store rounds with their tasks, results, memos and gaps.


_TASK, _RESULT = TypeAdapter(PlannedTask), TypeAdapter(WorkerResult)
#: `round_index` of tasks and sources of supervisions, which are not in a round.
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

    held: LeasedReport

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
        rows = self.held.database.scalars(select(ReportTask).where(ReportTask.report_id == self.held.report_id))
        own = [row for row in rows if round_index in (None, row.round_index)]
        return [_stored(row) for row in sorted(own, key=lambda row: (row.round_index, row.brief["position"]))]

    def task(self, task_id: str) -> StoredTask:
        """Return one task. Raises NoResultFound if it does not exist."""
        return _stored(self.held.database.get_one(ReportTask, (self.held.report_id, task_id)))

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

        `keys`: citation keys of the sources to keep, by provisional key. `duplicates`: provisional keys of sources
        to delete, because they have a key already. `results`: the results, with new keys. `memo`: None for the
        research of a supervision, which is not a round.
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
        """Replace the memo of a round, and the report's gaps with those of the memo."""
        gone = ReportGap.gap_id.not_in([gap.id for gap in memo.gaps])
        self.held.write(
            delete(ReportGap).where(ReportGap.report_id == self.held.report_id, gone),
            *map(self._gap_upsert, memo.gaps),
            update(ReportRound).where(self._round(memo.round_index)).values(memo=memo_to_json(memo)),
        )

    def memo(self, round_index: int) -> ResearchMemo | None:
        """Return the memo of a round, or None if it has not ended."""
        stored = self.held.database.scalar(select(ReportRound.memo).where(self._round(round_index)))
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
        values = {"status": result.status, "result": to_jsonable_python(result)}
        return update(ReportTask).where(self._is(result.task_id)).values(values)

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


# Store the sources of a report with their texts, and records of failed fetches.


#: The fields that a reference has in common with a hit and with `report_sources`.
WORK = tuple(name for name in Reference.model_fields if name not in ("key", "as_written"))


@dataclass(frozen=True)
class StoredSources:
    """The sources of a report."""

    held: LeasedReport

    def add(self, source: ReportSource, passages: Sequence[Passage] = ()) -> None:
        """Insert a source, or a failure, unless it exists. Raises SourceError if its document has been erased."""
        with self.held.writing() as session:
            if source.library_document_id is not None:
                # Read again: it may have been fetched before an erasure.
                document, passages = locked_document(session, source.library_document_id)
                source.title = document.title or document.original_filename
            source.report_id, source.char_count = self.held.report_id, sum(len(one.text) for one in passages)
            if session.scalar(insert_of(source).returning(ReportSource.key)) is not None:
                own, texts = {"report_id": source.report_id, "source_key": source.key}, enumerate(passages)
                session.add_all(ReportPassage(**own, position=place, **asdict(one)) for place, one in texts)

    def all(self) -> list[ReportSource]:
        """Return all rows in order of their keys."""
        own = select(ReportSource).where(ReportSource.report_id == self.held.report_id)
        return self.held.database.scalars(own.order_by(ReportSource.key))

    def keyed(self) -> list[ReportSource]:
        """Return the sources with a citation key, by key; those of running tasks have none yet."""
        return [row for row in self.all() if row.status == "read" and not is_provisional(row.key)]

    def of_task(self, task_id: str) -> list[ReportSource]:
        """Return the task's sources so far, failures included, in order of fetching."""
        return sorted((row for row in self.all() if row.task_id == task_id), key=lambda row: split_key(row.key))

    def texts(self, rows: Iterable[ReportSource]) -> dict[str, SourceText]:
        """Return the sources that were read, with their passages, by key."""
        read = {row.key: row for row in rows if row.status == "read"}
        passages: dict[str, list[Passage]] = {key: [] for key in read}
        own = ReportPassage.report_id == self.held.report_id, ReportPassage.source_key.in_(read)
        for one in self.held.database.scalars(select(ReportPassage).where(*own).order_by(ReportPassage.position)):
            passages[one.source_key].append(Passage(one.text, one.start_char, one.end_char, one.page_no))
        return {
            key: SourceText(reference_of(row), row.domain, tuple(passages[key]), row.language or "en")
            for key, row in read.items()
        }


def reference_of(row: ReportSource) -> Reference:
    """Return the reference in a source's row."""
    return Reference.model_validate({name: getattr(row, name) for name in ("key", *WORK)})


def is_provider(row: ReportSource) -> bool:
    """Return whether a row records a failed provider instead of a source."""
    return row.status == "failed" and row.key.endswith(f".{row.provider}")


def split_key(key: str) -> tuple[str, int]:
    """Split a provisional key into task id and number; 0 without a number."""
    task_id, _, number = key.rpartition(".")
    return task_id, int(number) if number.isdigit() else 0


def is_provisional(key: str) -> bool:
    """Return whether a key is provisional: it has a full stop, which no citation key has."""
    return "." in key

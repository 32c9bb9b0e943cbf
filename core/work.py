"""What all background work has in common: its rows, and one declaration for each kind of it.

A kind is declared once (`services/recovery/kinds.py`). From its declaration follow its jobs (`jobs/run.py`), what
is put back on the queue after a crash, how it fails, is retried and stopped, and what the queue's pages list.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import ColumnElement, SQLColumnExpression, Uuid, select
from sqlalchemy.orm import InstrumentedAttribute

from core.lease import Leases
from core.messages import LabelledEnum
from core.models import Base
from core.queue import QUEUE_NAME, RETRY_INTERVALS

Row = TypeVar("Row")
#: How often work is begun before it fails for good: once, and after each wait of the queue.
MOST_ATTEMPTS = 1 + len(RETRY_INTERVALS)


class JobKind(LabelledEnum, places=("job_kind",)):
    """What a job does, by the prefix of its id."""

    UPLOAD = "upload", "Split a file into entries"
    PAGES = "pages", "Read pages of a long file"
    RUN = "run", "Read an entry"
    REST = "rest", "Finish an entry"
    TOGETHER = "together", "Compare the entries of a file"
    BATCH = "batch", "Compare the entries of an upload"
    RESUME = "resume", "Carry out a decision"
    LIBRARY = "library", "Read a document of the library"
    MEANING = "meaning", "Prepare a document for search by meaning"
    EXPORT = "export", "Create an export file"
    MAIL = "mail", "Send an e-mail"
    PROBE = "probe", "Test the reading"
    BLANK = "blank", "Read an empty form"
    SAMPLE = "sample", "Read a sample of a form"
    RESET = "reset", "Send a password reset link"
    DEFAULTS = "defaults", "Fill in the values of an upload"
    BULK = "bulk", "Change entries in bulk"
    REREAD = "reread", "Read an entry again for comparison"
    REPORT = "report", "Research a report"
    SUPERVISION = "supervision", "Deepen a report"
    OTHER = "other", "Something else"


@dataclass(frozen=True)
class FailedRows:
    """How the rows that have failed for good are found, and when they did.

    What went wrong is in the columns `error_code` and, where there is one, `error_params` of their table.
    """

    where: ColumnElement[bool]
    at: SQLColumnExpression[Any]
    #: What identifies the page of a row; None: its key.
    place: SQLColumnExpression[Any] | None = None
    #: Table and key, where they are not those of the work: a failed run is found by its entry.
    table: type[Base] | None = None
    key: SQLColumnExpression[Any] | None = None


@dataclass(frozen=True)
class Share:
    """What has the workers in turn with others of its kind, however many rows it has: a batch, a person."""

    #: Column with the id of the share.
    column: InstrumentedAttribute[Any]
    #: Column of the rows that refers to the table of `column`; None: it is their own table.
    through: InstrumentedAttribute[Any] | None = None

    @property
    def of_row(self) -> SQLColumnExpression[Any]:
        """The share of a row."""
        if self.through is None:
            return self.column
        table = self.column.class_
        return select(self.column).where(table.id == self.through).scalar_subquery()

    def is_of(self, share: object) -> ColumnElement[bool]:
        """Condition: the row is of this share."""
        is_this: ColumnElement[bool] = self.column == share
        return is_this if self.through is None else self.through.in_(select(self.column.class_.id).where(is_this))


@dataclass(frozen=True)
class Work(Generic[Row]):
    """Rows of one table that workers must complete, in spite of crashes.

    Functions are dotted names: they live above `core`, and most of them queue work of other kinds.
    """

    kind: JobKind
    key: InstrumentedAttribute[Any]
    #: Condition: there is work to do for the row.
    due: ColumnElement[bool]
    #: Condition: the work was begun. If the row's lease has then expired, a running job has lost its worker.
    begun: ColumnElement[bool]
    #: The leases of the rows; None if `due` depends on the lease of another row.
    leases: Leases[Row] | None
    #: The function that does the work: `(context, key)`. Safe to repeat.
    does: str
    #: What records the final failure: the columns that it gives the row, besides the error, while the row is due
    #: and nobody has leased it; or a function `(context, key, error)`. None: an error goes to the queue, which
    #: tries again, and after its last attempt the reconciler.
    fails: str | Mapping[str, Any] | None
    #: Column that counts how often the work was begun; None if it is not counted.
    attempts: InstrumentedAttribute[int] | None
    #: Column with the time when the row was last queued; None if it is not recorded.
    enqueued_at: InstrumentedAttribute[Any] | None = None
    #: Columns set when a worker takes a row, besides the attempts.
    on_take: Mapping[str, Any] = field(default_factory=dict)
    #: What `does` returns are keys of work of this kind, which is queued; None: it returns nothing.
    queues: JobKind | None = None
    most_attempts: int = MOST_ATTEMPTS
    #: Kind and key of the row that fails, where it is another: the pages of a file fail as the file.
    fails_as: tuple[JobKind, InstrumentedAttribute[Any]] | None = None
    #: The rows that wait for a person after a failure; None if they are not kept.
    failed: FailedRows | None = None
    #: The function that tries a failed row again: `(context, key)`; None: it cannot be.
    retries: str | None = None
    #: Whether its jobs may be taken off the queue by a person. Others carry out what is decided already.
    stoppable: bool = False
    #: The function that stops the work, `(context, actor_id, key)`, also while it runs; None: it fails as stopped.
    stops: str | None = None
    #: Whether `retries` takes the person who asks, too: `(context, actor_id, key)`.
    retried_by_person: bool = False
    #: Name of the setting with the time limit of a job in seconds.
    limit: Literal["job_timeout_seconds", "report_timeout_seconds"] = "job_timeout_seconds"
    queue_name: str = QUEUE_NAME
    #: Of each share the first jobs wait on the queue and further ones in the crowd; None: all wait on the queue.
    share: Share | None = None
    #: Whether its jobs read entries, so that the forms of the database must be loaded.
    reads_entries: bool = True
    #: Names and columns of what each line of a job's log carries.
    logged: Mapping[str, InstrumentedAttribute[Any]] = field(default_factory=dict)
    #: Condition: the row's checkpoints, whose thread id is the key, are no longer needed. None: there is no graph.
    over: ColumnElement[bool] | None = None
    #: Column with the time when the checkpoints were removed.
    pruned_at: InstrumentedAttribute[Any] | None = None

    @property
    def name(self) -> str:
        """The prefix of the ids of its jobs."""
        return self.kind.value

    @property
    def functions(self) -> tuple[str, ...]:
        """The dotted names of all functions that it declares."""
        return tuple(name for name in (self.does, self.fails, self.retries, self.stops) if isinstance(name, str))

    @property
    def taken(self) -> dict[str, Any]:
        """Columns set when a worker takes a row."""
        counted = {} if self.attempts is None else {self.attempts.key: self.attempts + 1}
        return {**counted, **self.on_take}

    def job_id(self, key: object) -> str:
        """Return the id of the job of a row."""
        return f"{self.name}-{str(key).replace(':', '-')}"

    def key_of(self, text: str) -> Any:
        """Return the key that a job carries as text; raises ValueError if it does not fit this table."""
        return uuid.UUID(text) if isinstance(self.key.type, Uuid) else text


def function_of(dotted: str) -> Callable[..., Any]:
    module, _, name = dotted.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found

"""The moments between two effects of a process, told to a test that watches from outside.

Nodes of a graph are seen by a LangChain callback, statements and commits by SQLAlchemy's events, jobs by RQ's
queue. A node is named by its path ("review_agent.get_pdf"), with ":start" and ":done" behind it. SQL is named by
what it does: "lock TABLE" and "write TABLE" before a statement, "wrote TABLE" after it, "commit TABLE" and
"committed TABLE" for each table that a transaction wrote; "begin" before the first statement of a transaction.
"enqueued" follows a job that was put on the queue.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tracers.context import register_configure_hook
from rq import Queue
from sqlalchemy import Connection, Engine, event
from sqlalchemy.orm import Session

Reached = Callable[[str], None]
#: Makes a node's name out of its path and its input.
Naming = Callable[[str, Any], str]

_WRITE = re.compile(r"\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")
_LOCK = re.compile(r"\s*SELECT\b.*?\sFROM (\w+).*\sFOR (?:NO KEY )?UPDATE", re.DOTALL)


class Moments(BaseCallbackHandler):
    """Tells one watcher of every moment in this process."""

    run_inline = True
    raise_error = True

    def __init__(self) -> None:
        self._reached: Reached | None = None
        self._naming: Naming = lambda path, _: path
        self._nodes: dict[UUID, str] = {}
        self._here = threading.local()

    def watch(self, reached: Reached | None, naming: Naming | None = None) -> None:
        """Have `reached` told from now on; None ends it."""
        self._reached = reached
        self._naming = naming or (lambda path, _: path)

    @property
    def node(self) -> str:
        """The node that this thread is in, "" outside of any."""
        stack = self._stack()
        return self._nodes.get(stack[-1], "") if stack else ""

    def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: Any,
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        facts = metadata or {}
        if kwargs.get("name") != facts.get("langgraph_node") or not kwargs.get("name"):
            return
        steps = str(facts.get("langgraph_checkpoint_ns") or kwargs["name"]).split("|")
        path = ".".join(step.partition(":")[0] for step in steps)
        self._nodes[run_id] = self._naming(path, inputs)
        self._stack().append(run_id)
        self.tell(f"{self._nodes[run_id]}:start")

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        if run_id in self._nodes:
            name = self._leave(run_id)
            self.tell(f"{name}:done")

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        if run_id in self._nodes:
            self._leave(run_id)

    def _leave(self, run_id: UUID) -> str:
        stack = self._stack()
        if run_id in stack:
            stack.remove(run_id)
        return self._nodes.pop(run_id)

    def _stack(self) -> list[UUID]:
        if not hasattr(self._here, "stack"):
            self._here.stack = []
        stack: list[UUID] = self._here.stack
        return stack

    def tell(self, name: str) -> None:
        """Tell the watcher, unless it is the watcher itself that does this."""
        if self._reached is None or getattr(self._here, "telling", False):
            return
        self._here.telling = True
        try:
            self._reached(name)
        finally:
            self._here.telling = False

    def tell_committed(self, tables: list[str]) -> None:
        for table in tables:
            self.tell(f"committed {table}")


#: This process's.
MOMENTS = Moments()
_hook: ContextVar[Moments | None] = ContextVar("moments", default=None)
_installed = False


def watch(reached: Reached, naming: Naming | None = None) -> None:
    """Have every moment of this process told from now on, to this watcher alone."""
    _install()
    _hook.set(MOMENTS)
    MOMENTS.watch(reached, naming)


@contextmanager
def watching(reached: Reached, naming: Naming | None = None) -> Iterator[None]:
    """`watch` for as long as the block runs."""
    watch(reached, naming)
    try:
        yield
    finally:
        MOMENTS.watch(None)
        _hook.set(None)


def _install() -> None:
    global _installed
    if _installed:
        return
    _installed = True
    register_configure_hook(_hook, inheritable=True)
    event.listen(Session, "after_begin", lambda *_: MOMENTS.tell("begin"))
    event.listen(Engine, "before_cursor_execute", _before)
    event.listen(Engine, "after_cursor_execute", _after)
    event.listen(Engine, "commit", _commit)
    event.listen(Engine, "rollback", lambda connection: connection.info.pop("written", None))
    event.listen(Session, "after_commit", _committed)
    put = Queue.enqueue_call

    def enqueue_call(queue: Queue, *given: Any, **named: Any) -> Any:
        job = put(queue, *given, **named)
        MOMENTS.tell("enqueued")
        return job

    Queue.enqueue_call = enqueue_call


def _before(_connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
    if found := _WRITE.match(statement):
        MOMENTS.tell(f"write {found[1]}")
    elif found := _LOCK.match(statement):
        MOMENTS.tell(f"lock {found[1]}")


def _after(connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
    if found := _WRITE.match(statement):
        written = connection.info.setdefault("written", [])
        if found[1] not in written:
            written.append(found[1])
        MOMENTS.tell(f"wrote {found[1]}")


def _commit(connection: Connection) -> None:
    MOMENTS._here.committing = connection.info.pop("written", [])
    for table in MOMENTS._here.committing:
        MOMENTS.tell(f"commit {table}")


def _committed(_session: Session) -> None:
    tables = getattr(MOMENTS._here, "committing", [])
    MOMENTS._here.committing = []
    MOMENTS.tell_committed(tables)

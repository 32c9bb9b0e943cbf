"""Remove checkpoints without LangGraph, which takes a second to import."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.orm import Session

#: All tables of LangGraph that hold something of a thread.
_TABLES = ("checkpoint_writes", "checkpoint_blobs", "checkpoints")


def remove_threads(session: Session, threads: Sequence[str]) -> int:
    """Remove all checkpoints of these threads; return how many there were."""
    gone = 0
    for table in _TABLES:
        statement = text(f"delete from langgraph.{table} where thread_id = any(:threads)")  # nosec B608 - constants
        gone = session.connection().execute(statement, {"threads": list(threads)}).rowcount
    return gone

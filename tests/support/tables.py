"""The tables of a test's database, emptied."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.orm import Session

from core.models import Base

NAMES = (
    *(table.name for table in Base.metadata.sorted_tables),
    *(f"embeddings.{name}" for name in ("passage_texts", "passage_embeddings")),
    *(f"langgraph.{name}" for name in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")),
)


def empty_tables(session: Session) -> None:
    """Delete what the tables hold. A truncate would rewrite all that refer to a filled one: far slower."""
    # What a process that was killed or told to go still writes is waited for.
    session.execute(text(f"lock table {', '.join(NAMES)} in access exclusive mode"))
    filled = session.scalars(
        text(" union all ".join(f"select '{n}' where exists (select 1 from {n})" for n in NAMES))
    ).all()
    if filled:
        # Neither foreign keys nor the triggers that keep the audit trail may object.
        session.execute(text("set local session_replication_role = replica"))
        for name in filled:
            session.execute(text(f"delete from {name}"))

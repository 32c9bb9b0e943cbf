"""Empty the tables of a test's database."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.orm import Session

from core.database import Database
from core.models import Base

_NAMES = (
    *(table.name for table in Base.metadata.sorted_tables),
    *(f"embeddings.{name}" for name in ("passage_texts", "passage_embeddings")),
    *(f"langgraph.{name}" for name in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")),
)


def empty_tables(session: Session) -> None:
    """Delete what the tables hold. A truncate would rewrite all that refer to a filled one: far slower."""
    # What a process that was killed or told to go still writes is waited for.
    session.execute(text(f"lock table {', '.join(_NAMES)} in access exclusive mode"))
    filled = session.scalars(
        text(" union all ".join(f"select '{n}' where exists (select 1 from {n})" for n in _NAMES))
    ).all()
    if filled:
        # Neither foreign keys nor the triggers that keep the audit trail may object.
        session.execute(text("set local session_replication_role = replica"))
        for name in filled:
            session.execute(text(f"delete from {name}"))


def empty_tables_at(url: str) -> None:
    """Delete what the tables of a database hold, by a connection of its own."""
    database = Database(url)
    with database.session() as session:
        empty_tables(session)
    database.dispose()

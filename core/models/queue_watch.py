"""How deep the queue was, what the reconciler found, and how work failed (migration 020)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.models.base import Base, CreatedAt, UuidKey

_NUMBERS = text("'{}'::jsonb")


class QueueSample(Base):
    """The numbers of jobs and workers in one minute."""

    __tablename__ = "queue_samples"

    sampled_at: Mapped[datetime] = mapped_column(primary_key=True)
    queued: Mapped[int]
    running: Mapped[int]
    scheduled: Mapped[int]
    failed: Mapped[int]
    workers: Mapped[int]


class ReconcilerPass(Base):
    """One pass of the reconciler that found something."""

    __tablename__ = "reconciler_passes"

    id: Mapped[UuidKey]
    created_at: Mapped[CreatedAt]
    #: Rows put on the queue again, by kind of work.
    requeued: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=_NUMBERS)
    #: Rows whose checkpoints were removed, by kind of work.
    pruned: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=_NUMBERS)
    #: Essays written to the library or taken from it.
    essays: Mapped[int] = mapped_column(server_default=text("0"))
    #: Accounts that Supabase Auth was told of.
    accounts: Mapped[int] = mapped_column(server_default=text("0"))


class JobFailure(Base):
    """The last failure of a piece of work."""

    __tablename__ = "job_failures"

    #: A key of `core.work.JobKind`.
    kind: Mapped[str] = mapped_column(primary_key=True)
    #: The id of the row that was worked on.
    key: Mapped[str] = mapped_column(primary_key=True)
    failed_at: Mapped[CreatedAt]
    #: How often it has failed.
    times: Mapped[int] = mapped_column(server_default=text("1"))
    #: See `core.queue.masked_error.masked`.
    errors: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))

"""Entries read anew to compare (migration 013)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.messages import Message
from core.models.base import Base, CreatedAt, JsonObject, TextList, UuidKey


class RereadStatus(LabelledEnum):
    """Statuses of one entry that is read anew."""

    WAITING = "waiting", "Waiting to be read"
    SAME = "same", "No differences"
    DIFFERS = "differs", "Different"
    BLOCKED = "blocked", "Cannot be compared"
    FAILED = "failed", "Could not be read"
    LEFT = "left", "Left unchanged"
    TAKING = "taking", "Being accepted"
    TAKEN = "taken", "Accepted"
    LOST = "lost", "Not accepted"
    UNDOING = "undoing", "Being undone"
    UNDONE = "undone", "Undone"
    KEPT = "kept", "Not undone"


#: Statuses in which a worker has something to do.
REREAD_WORKING = (RereadStatus.WAITING.value, RereadStatus.TAKING.value, RereadStatus.UNDOING.value)


class Reread(Base):
    """Entries of a filter, or chosen ones, read anew at one time."""

    __tablename__ = "rereads"

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    #: None where the entries were chosen one by one.
    filter: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: As those of a run.
    options: Mapped[JsonObject]
    items_total: Mapped[int] = mapped_column(server_default=text("0"))
    created_at: Mapped[CreatedAt]


class RereadItem(Base):
    """One entry of these: what was read anew, and what became of it."""

    __tablename__ = "reread_items"
    __table_args__ = (UniqueConstraint("reread_id", "submission_id"),)

    id: Mapped[UuidKey]
    reread_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("rereads.id", ondelete="CASCADE"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    status: Mapped[str] = mapped_column(server_default=text("'waiting'"))
    #: The entry's version when it was compared.
    version: Mapped[int | None]
    #: {field: [value that it has, value read anew]} of the fields that differ.
    changes: Mapped[JsonObject]
    #: Fields whose value a person gave, which stays.
    decided: Mapped[TextList]
    #: `core.models.office.lists.BulkEffect`.
    effect: Mapped[str] = mapped_column(server_default=text("'none'"))
    #: What is required and missing in the new reading.
    missing: Mapped[TextList]
    #: Whether an entry that waits for nobody would wait for a person once it is taken.
    waits: Mapped[bool] = mapped_column(server_default=text("false"))
    #: The new reading, {"record": …, "report": …}, until it is decided on.
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: The run that it was taken as, and what stood before it (`services.rereads.before_taking`).
    run_id: Mapped[str | None]
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    undone_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    undone_at: Mapped[datetime | None]
    #: Why it could not be read, compared, taken or taken back.
    reason: Mapped[Message | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]

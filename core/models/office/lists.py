"""Filters that a person keeps, and changes of many entries at once (migration 013)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.messages import Message
from core.models.base import Base, CreatedAt, JsonObject, MayFail, TextList, UuidKey


class BulkKind(LabelledEnum):
    """What is done to the field."""

    SET = "set", "Set to one value"
    RENAME = "rename", "Value replaced"


class BulkStatus(LabelledEnum):
    """Statuses of a change of many entries."""

    PREPARING = "preparing", "Preparing the preview"
    READY = "ready", "Preview ready"
    APPLYING = "applying", "In progress"
    DONE = "done", "Done"
    STOPPED = "stopped", "Stopped"
    UNDOING = "undoing", "Being undone"
    UNDONE = "undone", "Undone"
    FAILED = "failed", "Failed"


#: Statuses in which a worker has something to do.
BULK_WORKING = (BulkStatus.PREPARING.value, BulkStatus.APPLYING.value, BulkStatus.UNDOING.value)


class BulkItemStatus(LabelledEnum):
    """Statuses of one entry of such a change."""

    CHOSEN = "chosen", "Chosen"
    SAME = "same", "Already has this value"
    BLOCKED = "blocked", "Cannot be changed"
    READY = "ready", "Would change"
    CHANGED = "changed", "Changed"
    LOST = "lost", "Not changed"
    UNDONE = "undone", "Undone"
    KEPT = "kept", "Not undone"


class BulkEffect(LabelledEnum):
    """What a change does to the completeness of an entry."""

    NONE = "none", "No other effect"
    COMPLETES = "completes", "Now has everything required"
    LACKS = "lacks", "Would be missing something"


class SavedFilter(Base):
    """A filter of the list of entries that a person keeps under a name."""

    __tablename__ = "saved_filters"
    __table_args__ = (UniqueConstraint("person_id", "name"),)

    id: Mapped[UuidKey]
    person_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    name: Mapped[str]
    #: See `services.entries.submission_filter`.
    filter: Mapped[JsonObject]
    is_default: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[CreatedAt]


class BulkChange(MayFail, Base):
    """One field of many entries set to a value, or one of its values renamed."""

    __tablename__ = "bulk_changes"

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    kind: Mapped[str]
    field_name: Mapped[str]
    #: Of a rename: the value that is replaced.
    old_value: Mapped[str | None]
    #: None empties the field.
    new_value: Mapped[str | None]
    #: None where the entries were chosen one by one.
    filter: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: The school of the list that is renamed too, and whether that is done.
    school_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("schools.id", ondelete="SET NULL"))
    school_renamed: Mapped[bool] = mapped_column(server_default=text("false"))
    reason: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=text("'preparing'"))
    items_total: Mapped[int | None]
    items_done: Mapped[int] = mapped_column(server_default=text("0"))
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    undone_at: Mapped[datetime | None]
    undone_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))


class BulkChangeItem(Base):
    """What a change of many entries does to one of them."""

    __tablename__ = "bulk_change_items"
    __table_args__ = (UniqueConstraint("bulk_id", "submission_id"),)

    id: Mapped[UuidKey]
    bulk_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("bulk_changes.id", ondelete="CASCADE"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    status: Mapped[str] = mapped_column(server_default=text("'chosen'"))
    #: The entry's version in the preview.
    version: Mapped[int | None]
    before_value: Mapped[str | None]
    after_value: Mapped[str | None]
    effect: Mapped[str] = mapped_column(server_default=text("'none'"))
    #: What is required and missing with the change.
    missing: Mapped[TextList]
    #: Why it was not changed, or not undone.
    reason: Mapped[Message | None]

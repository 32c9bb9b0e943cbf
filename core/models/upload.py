"""Uploaded files and their batches, their pages, and corrections of splits (migration 003)."""

from __future__ import annotations

import uuid
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, Integer, UniqueConstraint, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum
from core.models.base import Base, BigInt, CreatedAt, Keyed, MayFail, Queued, Real, UuidKey


class UploadStatus(LabelledEnum):
    STORED = "stored", "Waiting"
    ANALYSING = "analysing", "Checking the file"
    SPLIT = "split", "No entry found"
    FAILED = "failed", "Failed"
    DUPLICATE = "duplicate", "Already uploaded"
    JOINED = "joined", "Part of one entry"
    SUPERSEDED = "superseded", "Replaced"
    TYPED = "typed", "Typed in by hand"


class SplitStatus(StrEnum):
    PENDING = "pending"
    DONE = "done"
    UNDONE = "undone"


class UploadBatch(Keyed, Base):
    """The files of one upload request."""

    __tablename__ = "upload_batches"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    uploaded_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    one_entry: Mapped[bool] = mapped_column(server_default=text("false"))
    file_count: Mapped[int] = mapped_column(server_default=text("0"))
    #: The number of entries that the sender stated.
    expected_entries: Mapped[int | None]
    #: The day received that a person gave for the whole batch, such as that of a postmark.
    received_on: Mapped[date | None]
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    #: When the joint pass over all its entries was last queued, how often it was begun, and when it last ended.
    together_enqueued_at: Mapped[datetime | None]
    together_attempts: Mapped[int] = mapped_column(server_default=text("0"))
    together_at: Mapped[datetime | None]
    #: The last state that people were told of: "waits", "done".
    told: Mapped[str | None]


class BatchDefaultStatus(StrEnum):
    """How far a worker is that gives such values to the entries of the batch."""

    APPLYING = "applying"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class BatchDefault(MayFail, Queued, Keyed, Base):
    """A change of the values used where a page of the batch gives none; the highest version applies."""

    __tablename__ = "batch_defaults"
    __table_args__ = (UniqueConstraint("batch_id", "version"),)

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    batch_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("upload_batches.id", ondelete="CASCADE"))
    version: Mapped[int]
    given_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    #: By name of field, and the language under `language`.
    given: Mapped[dict[str, Any]]
    #: The change that this one takes back.
    undoes: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("batch_defaults.id", ondelete="CASCADE"), unique=True
    )
    status: Mapped[str] = mapped_column(server_default=text("'done'"))
    #: Who had it given to entries that were read already; None where there were none.
    applied_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    #: Numbers of entries: of all that were to change, done, changed, and left because somebody had them open.
    items_total: Mapped[int | None]
    items_done: Mapped[int] = mapped_column(server_default=text("0"))
    reached: Mapped[int] = mapped_column(server_default=text("0"))
    held: Mapped[int] = mapped_column(server_default=text("0"))


class Upload(MayFail, Queued, Keyed, Base):
    """One file; the original is kept byte for byte under `storage_key`."""

    __tablename__ = "uploads"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    batch_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("upload_batches.id"))
    uploaded_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    position: Mapped[int]
    original_filename: Mapped[str]
    content_type: Mapped[str | None]
    byte_size: Mapped[BigInt]
    sha256: Mapped[str]
    storage_key: Mapped[str] = mapped_column(unique=True)
    pdf_key: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=text("'stored'"))
    duplicate_of: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("uploads.id"))
    joined_into: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("uploads.id"))
    page_count: Mapped[int | None]
    entry_count: Mapped[int | None]
    doc_format: Mapped[str | None]
    structure: Mapped[str | None]
    doc_class: Mapped[str | None]
    #: When the joint pass over its entries was last queued, and how often it was begun.
    together_enqueued_at: Mapped[datetime | None]
    together_attempts: Mapped[int] = mapped_column(server_default=text("0"))
    updated_at: Mapped[CreatedAt]
    #: For a derived file: the correction that it was made for.
    split_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("upload_splits.id", name="uploads_split_id_fkey", use_alter=True)
    )
    #: Pages that are blank because the entry on them was erased, and when the last of them was.
    erased_pages: Mapped[list[int]] = mapped_column(ARRAY(Integer), server_default=text("'{}'"))
    erased_at: Mapped[datetime | None]
    #: What the file holds besides the pages that were read: `pipeline.files.content_type.FileNote` in JSON.
    notes: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    #: Seconds that children have taken to parse and draw it, in all jobs that split it.
    parse_seconds: Mapped[Real] = mapped_column(server_default=text("0"))


class WatchedFolderPlace(Base):
    """A scanner folder that is or was watched; an erasure looks there for files that were taken from it."""

    __tablename__ = "watched_folders"

    #: Also stored in a file in the folder: on another machine the path may be another folder.
    id: Mapped[UuidKey]
    path: Mapped[str]
    #: When a watcher began last.
    seen_at: Mapped[CreatedAt]


class UploadSplit(Keyed, Base):
    """A person's correction of where entries begin and end."""

    __tablename__ = "upload_splits"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    batch_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("upload_batches.id"))
    actor_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    upload_ids: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(Uuid))
    plan: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    status: Mapped[str] = mapped_column(server_default=text("'pending'"))
    superseded: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    made_upload_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("uploads.id"))
    undone_at: Mapped[datetime | None]
    undone_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))


class PageRange(Queued, Base):
    """Consecutive pages of a long file that one job reads; removed once the file is split."""

    __tablename__ = "page_ranges"
    __table_args__ = (UniqueConstraint("upload_id", "first_page"),)

    id: Mapped[UuidKey]
    upload_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("uploads.id", ondelete="CASCADE"))
    first_page: Mapped[int]
    #: Inclusive.
    last_page: Mapped[int]
    #: `pipeline.splitting.outlines.RangeOutlines` in JSON; None until the pages are read.
    outlines: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))


class Page(Base):
    """Analysis of one page of an upload's PDF."""

    __tablename__ = "pages"

    upload_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("uploads.id", ondelete="CASCADE"), primary_key=True)
    page_no: Mapped[int] = mapped_column(primary_key=True)
    width: Mapped[Real]
    height: Mapped[Real]
    role: Mapped[str]
    source: Mapped[str | None]
    distrust: Mapped[str | None]
    ocr_confidence: Mapped[Real | None]
    #: Clockwise degrees by which the page was turned to be read.
    turned: Mapped[int] = mapped_column(server_default=text("0"))

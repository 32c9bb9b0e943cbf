"""Forms that are being described in the studio, and samples that they are tried on (migration 014)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, BigInt, CreatedAt, MayFail, UuidKey


class FormDraftStatus(LabelledEnum, places=("form_draft_status",)):
    """Statuses of a draft."""

    QUEUED = "queued", "Waiting"
    READING = "reading", "The empty form is being read"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"


class FormSampleStatus(LabelledEnum, places=("form_sample_status",)):
    """Statuses of a sample."""

    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Being read"
    DONE = "done", "Read"
    FAILED = "failed", "Failed"


class FormDraft(MayFail, Base):
    """A blank form with marks on it."""

    __tablename__ = "form_drafts"

    id: Mapped[UuidKey]
    created_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    original_filename: Mapped[str]
    byte_size: Mapped[BigInt]
    #: Which page of the file is the form, and which one is to be read as it next.
    page_no: Mapped[int] = mapped_column(server_default=text("1"))
    wanted_page: Mapped[int] = mapped_column(server_default=text("1"))
    page_count: Mapped[int | None]
    #: Key of the form that its marks began as.
    start_key: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    #: See `pipeline.blanks.marks`; None before the blank was read.
    marks: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    version: Mapped[int] = mapped_column(server_default=text("0"))
    changed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    changed_at: Mapped[datetime | None]
    #: The version of the form that it was saved as last, and the version of the draft that was saved.
    saved_version: Mapped[int | None]
    saved_from: Mapped[int | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]


class FormDraftStep(Base):
    """The marks of a draft as they stood as one of its versions."""

    __tablename__ = "form_draft_steps"

    draft_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("form_drafts.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    page_no: Mapped[int]
    marks: Mapped[dict[str, Any]]
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    created_at: Mapped[CreatedAt]


class FormSample(MayFail, Base):
    """A filled form that a draft is tried on."""

    __tablename__ = "form_samples"

    id: Mapped[UuidKey]
    draft_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("form_drafts.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    #: An entry that is read as a sample; None where the sample was uploaded.
    submission_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    original_filename: Mapped[str]
    byte_size: Mapped[BigInt] = mapped_column(server_default=text("0"))
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    #: The version of the draft that it was read by.
    draft_version: Mapped[int | None]
    #: See `services.form_studio.read_sample`.
    result: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]
    finished_at: Mapped[datetime | None]

"""The loop that deepens a report, and its attempts (migration 014)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, ForeignKeyConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.messages import Message
from core.models.base import Base, CreatedAt, JsonObject, Messages, Real, TextList, UuidKey


class SupervisionStatus(LabelledEnum, places=("supervision_status",)):
    """Where a loop stands."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Under way"
    AWAITING_DECISION = "awaiting_decision", "A revision waits for you"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


#: Of a loop that has not ended.
OPEN_SUPERVISIONS = (
    SupervisionStatus.QUEUED.value,
    SupervisionStatus.RUNNING.value,
    SupervisionStatus.AWAITING_DECISION.value,
)


class RevisionStatus(LabelledEnum, places=("revision_status",)):
    """Where a revision stands; `none`: the attempt brought none; `withdrawn`: its loop ended while it waited."""

    NONE = "none", "No revision"
    PENDING = "pending", "Waits for a decision"
    ACCEPTED = "accepted", "Accepted"
    EDITED = "edited", "Edited and accepted"
    REJECTED = "rejected", "Rejected"
    APPLIED = "applied", "Applied without a person"
    WITHDRAWN = "withdrawn", "Withdrawn: the loop ended while it waited"


class ReportSupervision(Base):
    """One loop over one report."""

    __tablename__ = "report_supervisions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["report_id", "first_version"], ["report_versions.report_id", "report_versions.version_no"]
        ),
        ForeignKeyConstraint(
            ["report_id", "last_version"], ["report_versions.report_id", "report_versions.version_no"]
        ),
    )

    id: Mapped[UuidKey]
    report_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    mode: Mapped[str] = mapped_column(server_default=text("'supervised'"))
    tier: Mapped[str] = mapped_column(server_default=text("'standard'"))
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    first_version: Mapped[int]
    last_version: Mapped[int]
    phase: Mapped[str] = mapped_column(server_default=text("''"))
    iterations: Mapped[int] = mapped_column(server_default=text("0"))
    integrations: Mapped[int] = mapped_column(server_default=text("0"))
    ended_because: Mapped[str | None]
    #: What the end rests on.
    ended_note: Mapped[Message | None]
    #: Of the last decision, where it is the end: content, as the analyst wrote it.
    reasoning: Mapped[str] = mapped_column(server_default=text("''"))
    confidence: Mapped[Real | None]
    error_code: Mapped[str | None]
    budget: Mapped[JsonObject]
    spent: Mapped[JsonObject]
    cancel_requested_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    cancel_requested_at: Mapped[datetime | None]
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    enqueued_at: Mapped[datetime | None]
    pruned_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    updated_at: Mapped[CreatedAt]


class ReportRevision(Base):
    """One attempt at one gap: what was tried, what came of it, what a person said."""

    __tablename__ = "report_revisions"

    id: Mapped[UuidKey]
    supervision_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("report_supervisions.id", ondelete="CASCADE"))
    report_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    iteration: Mapped[int]
    issue: Mapped[dict[str, Any] | None]
    outcome: Mapped[str]
    #: Why nothing came of it: what the guard refused, or which error it was.
    reasons: Mapped[Messages]
    #: Of the decision that began the attempt: content, as the analyst wrote it.
    reasoning: Mapped[str] = mapped_column(server_default=text("''"))
    confidence: Mapped[Real | None]
    source_keys: Mapped[TextList]
    base_version: Mapped[int]
    document: Mapped[dict[str, Any] | None]
    claims: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    status: Mapped[str] = mapped_column(server_default=text("'none'"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    reason: Mapped[str | None]
    edited_document: Mapped[dict[str, Any] | None]
    made_version: Mapped[int | None]
    resumed_at: Mapped[datetime | None]
    claimed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    claimed_until: Mapped[datetime | None]
    spent: Mapped[JsonObject]
    created_at: Mapped[CreatedAt]

"""Supervisions (loops that improve a report) and their revisions (migration 018)."""

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
    """Statuses of a supervision."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "In progress"
    AWAITING_DECISION = "awaiting_decision", "A revision needs your decision"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Canceled"


#: Statuses of a supervision that has not ended.
OPEN_SUPERVISIONS = (
    SupervisionStatus.QUEUED.value,
    SupervisionStatus.RUNNING.value,
    SupervisionStatus.AWAITING_DECISION.value,
)


class RevisionStatus(LabelledEnum, places=("revision_status",)):
    """Statuses of a revision. `none`: nothing was produced; `withdrawn`: its supervision ended first."""

    NONE = "none", "No revision"
    PENDING = "pending", "Waiting for a decision"
    ACCEPTED = "accepted", "Accepted"
    EDITED = "edited", "Edited and accepted"
    REJECTED = "rejected", "Rejected"
    APPLIED = "applied", "Applied automatically"
    WITHDRAWN = "withdrawn", "Withdrawn: the supervision ended before a decision"


class ReportSupervision(Base):
    """One supervision of one report."""

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
    #: Why the supervision ended.
    ended_note: Mapped[Message | None]
    #: Free text of the analyst (a model) on the decision to end.
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
    """One attempt at one gap: the issue, the outcome and a person's decision."""

    __tablename__ = "report_revisions"

    id: Mapped[UuidKey]
    supervision_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("report_supervisions.id", ondelete="CASCADE"))
    report_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    iteration: Mapped[int]
    issue: Mapped[dict[str, Any] | None]
    outcome: Mapped[str]
    #: Why the attempt produced no revision: what the guard rejected, or the error.
    reasons: Mapped[Messages]
    #: Free text of the analyst (a model) on the decision to make the attempt.
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

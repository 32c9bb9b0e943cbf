"""Blind audits of entries that passed unseen (migration 012)."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import Double, ForeignKey, text
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, CreatedAt, Real, UuidKey


class AuditStatus(LabelledEnum):
    """Statuses of an audit."""

    PENDING = "pending", "Waiting"
    SETTLED = "settled", "Done"


class AuditFinding(LabelledEnum):
    """Who is right about one field."""

    SAME = "same", "Both agree"
    MACHINE = "machine", "The machine is right"
    AUDITOR = "auditor", "The typed value is right"
    UNCLEAR = "unclear", "Cannot tell"


class AuditStratum(Base):
    """Where the draw of one stratum stands."""

    __tablename__ = "audit_strata"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    form: Mapped[str] = mapped_column(primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    provider: Mapped[str] = mapped_column(primary_key=True)
    #: In per cent.
    band: Mapped[int] = mapped_column(primary_key=True)
    #: `services.trust.drawing.Drawn.total`.
    total: Mapped[float] = mapped_column(Double)
    seen: Mapped[int]


class Audit(Base):
    """One entry that was drawn for audit when the machine completed it."""

    __tablename__ = "audits"

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.run_id", ondelete="CASCADE"), unique=True)
    form: Mapped[str]
    language: Mapped[str]
    provider: Mapped[str]
    band: Mapped[int]
    confidence: Mapped[Real]
    #: With which probability it was drawn.
    probability: Mapped[Real]
    status: Mapped[str] = mapped_column(server_default=text("'pending'"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    claimed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    claimed_until: Mapped[datetime | None]
    auditor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    typed_at: Mapped[datetime | None]
    settled_at: Mapped[datetime | None]
    #: The correction of the entry that the auditor made.
    decision_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("review_decisions.id", ondelete="SET NULL"))
    created_at: Mapped[CreatedAt]


class AuditField(Base):
    """One field of an audited entry."""

    __tablename__ = "audit_fields"

    audit_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    required: Mapped[bool]
    #: What the machine completed the entry with.
    value: Mapped[str | None]
    confidence: Mapped[Real]
    typed: Mapped[str | None]
    #: A key of `AuditFinding`; None until the audit is settled.
    finding: Mapped[str | None]

"""Tables of trust: audits, policies, statistics."""

from __future__ import annotations

import uuid
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Double, ForeignKey, Numeric, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum
from core.models.base import Base, BigInt, CreatedAt, Keyed, Real, TextList

# Blind audits of entries that passed unseen (migration 012).


class AuditStatus(LabelledEnum):
    PENDING = "pending", "Waiting"
    SETTLED = "settled", "Done"


class AuditFinding(LabelledEnum):
    """Who is right about one field."""

    SAME = "same", "Both agree"
    MACHINE = "machine", "The machine is right"
    AUDITOR = "auditor", "The typed value is right"
    UNCLEAR = "unclear", "Cannot tell"


class AuditStratum(Base):
    """The state of the draw in one stratum."""

    __tablename__ = "audit_strata"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    form: Mapped[str] = mapped_column(primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    provider: Mapped[str] = mapped_column(primary_key=True)
    #: In per cent.
    band: Mapped[int] = mapped_column(primary_key=True)
    by_agreement: Mapped[bool] = mapped_column(primary_key=True, server_default=text("false"))
    #: `services.trust.audit_sample.Drawn.total`.
    total: Mapped[float] = mapped_column(Double)
    seen: Mapped[int]


class Audit(Keyed, Base):
    """One entry that was drawn for audit when the machine completed it."""

    __tablename__ = "audits"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.run_id", ondelete="CASCADE"), unique=True)
    form: Mapped[str]
    language: Mapped[str]
    provider: Mapped[str]
    band: Mapped[int]
    #: It was completed only because two readers agree (migration 024).
    by_agreement: Mapped[bool] = mapped_column(server_default=text("false"))
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


class AuditField(Base):
    __tablename__ = "audit_fields"

    audit_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    required: Mapped[bool]
    #: What the machine completed the entry with.
    value: Mapped[str | None]
    confidence: Mapped[Real]
    #: It counted as sure only because both readers have it.
    agreed: Mapped[bool] = mapped_column(server_default=text("false"))
    typed: Mapped[str | None]
    #: A key of `AuditFinding`; None until the audit is settled.
    finding: Mapped[str | None]


# Changes of the rules of a season (migration 002).


class PolicyChangeKind(LabelledEnum):
    CHANGED = "changed", "Changed"
    UNDONE = "undone", "Undone"
    OPENED = "opened", "Opened"
    CLOSED = "closed", "Closed"
    ROLLED_OVER = "rolled_over", "Followed by the next season"


class PolicyChange(Keyed, Base):
    """One change of a season. Rows are only added; triggers refuse anything else."""

    __tablename__ = "policy_changes"
    __table_args__ = (UniqueConstraint("season_id", "version"),)

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    #: The season's version that it made.
    version: Mapped[int]
    #: A key of `PolicyChangeKind`.
    kind: Mapped[str]
    #: Values by the keys of `services.policy.Rule`; None where the setting holds.
    before: Mapped[dict[str, Any]]
    after: Mapped[dict[str, Any]]
    #: None: the command line.
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    #: The change that this one takes back.
    undoes: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("policy_changes.id"), unique=True)


# What statistics are read from (migration 011).


#: The id of a scope that has none.
NO_SCOPE_ID = uuid.UUID(int=0)


class RunFact(Base):
    """A run at the moment when the machine was done with it; it stays counted under these values."""

    __tablename__ = "run_facts"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True)
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    batch_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("upload_batches.id", ondelete="CASCADE"))
    ended_at: Mapped[CreatedAt]
    #: completed, suggested, escalated or failed: what the machine made of it, whatever a person decided later.
    outcome: Mapped[str]
    #: Code of the reason.
    reason: Mapped[str] = mapped_column(server_default=text("''"))
    #: The fields that the reason names.
    fields: Mapped[TextList]
    #: The entry's reason codes.
    doubts: Mapped[TextList]
    tools: Mapped[TextList]
    profile: Mapped[str | None]
    language: Mapped[str | None]
    ocr_provider: Mapped[str | None]
    #: A school of the list, which may be gone since.
    school_id: Mapped[uuid.UUID | None]
    #: How many steps of the log are counted.
    steps: Mapped[int] = mapped_column(server_default=text("0"))


class ReviewEffort(Base):
    """What a decision took; written only where the office measures it."""

    __tablename__ = "review_efforts"

    decision_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("review_decisions.id", ondelete="CASCADE"), primary_key=True
    )
    #: Values that the person changed.
    edits: Mapped[int]
    #: How long the item was open; None where it was not opened by itself.
    seconds: Mapped[int | None]


class OrchestratorCount(Base):
    """A count by day or month; `services/stats/occurrences.py` says what is counted under which keys."""

    __tablename__ = "orchestrator_counts"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    #: day, month, also without form, language and provider (`all_day`) or with one of these alone (`form_day`,
    #: `language_month`); batch and school: by day of the one that `scope_id` names.
    scope: Mapped[str] = mapped_column(primary_key=True)
    scope_id: Mapped[uuid.UUID] = mapped_column(
        primary_key=True, server_default=text("'00000000-0000-0000-0000-000000000000'::uuid")
    )
    kind: Mapped[str] = mapped_column(primary_key=True)
    #: The first day of a month.
    day: Mapped[date] = mapped_column(primary_key=True)
    keys: Mapped[tuple[str, ...]] = mapped_column(ARRAY(Text, as_tuple=True), primary_key=True)
    #: "" where it is not known.
    profile: Mapped[str] = mapped_column(primary_key=True, server_default=text("''"))
    language: Mapped[str] = mapped_column(primary_key=True, server_default=text("''"))
    ocr_provider: Mapped[str] = mapped_column(primary_key=True, server_default=text("''"))
    number: Mapped[BigInt] = mapped_column(server_default=text("0"))
    #: What else is summed: tools, milliseconds or changed values.
    total: Mapped[BigInt] = mapped_column(server_default=text("0"))
    tokens_in: Mapped[BigInt] = mapped_column(server_default=text("0"))
    tokens_out: Mapped[BigInt] = mapped_column(server_default=text("0"))
    cost_usd: Mapped[Decimal] = mapped_column(Numeric(14, 6), server_default=text("0"))

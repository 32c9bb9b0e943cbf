"""Tables of the supervisor and of review: runs and logs, suggestions, escalations, decisions."""

from __future__ import annotations

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum, Message
from core.models.base import Base, CreatedAt, JsonObject, Keyed, Real, TextList, UuidKey

# What the supervisor did (migration 007).


class OrchestratorLog(Base):
    """One execution of a node; unique per run and step."""

    __tablename__ = "orchestrator_logs"
    __table_args__ = (UniqueConstraint("run_id", "step"),)

    id: Mapped[UuidKey]
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.run_id", ondelete="CASCADE"))
    step: Mapped[int]
    timestamp: Mapped[CreatedAt]
    state_json: Mapped[JsonObject]
    action_taken: Mapped[str]
    reason: Mapped[Message | None]
    tools_used: Mapped[TextList]
    final_outcome: Mapped[str | None]
    duration_ms: Mapped[int] = mapped_column(server_default=text("0"))
    model: Mapped[str | None]
    tokens_in: Mapped[int] = mapped_column(server_default=text("0"))
    tokens_out: Mapped[int] = mapped_column(server_default=text("0"))
    cost_usd: Mapped[Decimal] = mapped_column(server_default=text("0"))
    trace_id: Mapped[str | None]
    trace_json: Mapped[dict[str, Any] | None]
    owner_user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))


class ModelCallRow(Base):
    """One call of a language model, whether it answered or not."""

    __tablename__ = "model_calls"

    id: Mapped[uuid.UUID] = mapped_column(Uuid, primary_key=True)
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.run_id", ondelete="CASCADE"))
    submission_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    purpose: Mapped[str]
    provider: Mapped[str]
    model: Mapped[str]
    tokens_in: Mapped[int] = mapped_column(server_default=text("0"))
    tokens_out: Mapped[int] = mapped_column(server_default=text("0"))
    latency_ms: Mapped[int] = mapped_column(server_default=text("0"))
    cost_usd: Mapped[Decimal] = mapped_column(server_default=text("0"))
    status: Mapped[str]
    error_code: Mapped[str | None]
    #: 1 for the first request, 2 for its first retry, …
    attempt: Mapped[int] = mapped_column(server_default=text("1"))
    #: The node of the graph that asked.
    node: Mapped[str | None]
    created_at: Mapped[CreatedAt]


# What waits for a person (migration 008), the decisions on it, and entries set aside (009).


class SuggestionStatus(LabelledEnum, places=("proposal_status",)):
    PENDING = "pending", "Waiting"
    APPROVED = "approved", "Decided"
    REJECTED = "rejected", "Rejected"
    #: Nobody is to decide on it: something took its place, or its run is not settled, or has failed.
    SUPERSEDED = "superseded", "Replaced"


class FieldDecision(LabelledEnum):
    PENDING = "pending", "Not decided"
    APPROVED = "approved", "Approved"
    EDITED = "edited", "Edited"
    #: The value as read is right, though another was proposed.
    KEPT = "kept", "Kept as read"
    REJECTED = "rejected", "Left open"


class DecisionKind(LabelledEnum, places=("decision_kind",)):
    SUGGESTION = "suggestion", "the decision on a proposal"
    ESCALATION = "escalation", "the decision on an escalation"
    EDIT = "edit", "the change of a value"
    REOPEN = "reopen", "the reopening"
    DUPLICATE = "duplicate", "the decision on a possible duplicate"


class EscalationStatus(LabelledEnum, places=("escalation_status",)):
    PENDING = "pending", "Waiting"
    RESOLVED = "resolved", "Settled"
    REJECTED = "rejected", "Rejected"
    SUPERSEDED = "superseded", "Replaced"


class AsideKind(LabelledEnum, places=("aside_kind",)):
    """Why an entry is out of the queue for a time."""

    ASKED = "asked", "Asked for what is missing"
    PARKED = "parked", "Parked"


class AsideEnd(LabelledEnum):
    """Why an entry is not set aside any more, other than by the clock."""

    SETTLED = "settled", "Settled"
    ANSWERED = "answered", "Answer received"
    REPLACED = "replaced", "Set aside again"
    REJECTED = "rejected", "Rejected"
    #: Read again, or replaced by other entries.
    SUPERSEDED = "superseded", "Replaced"
    TAKEN_BACK = "taken_back", "Put back in the queue"


class ReviewSuggestion(Keyed, Base):
    """The proposal of one run for one entry."""

    __tablename__ = "review_suggestions"

    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.run_id", ondelete="CASCADE"), unique=True)
    proposed_updates: Mapped[dict[str, Any]] = mapped_column(JSONB)
    status: Mapped[str] = mapped_column(server_default=text("'pending'"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    reason: Mapped[Message | None]
    claimed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    claimed_until: Mapped[datetime | None]
    #: Since when the person has it open, where the office measures that.
    held_since: Mapped[datetime | None]
    resolved_at: Mapped[datetime | None]
    resolved_by_user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))


class ReviewSuggestionField(Base):
    """One field of a proposal, and what a person decided on it."""

    __tablename__ = "review_suggestion_fields"
    __table_args__ = (UniqueConstraint("suggestion_id", "name"),)

    id: Mapped[UuidKey]
    suggestion_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("review_suggestions.id", ondelete="CASCADE"))
    name: Mapped[str]
    current_value: Mapped[str | None]
    proposed_value: Mapped[str | None]
    final_value: Mapped[str | None]
    confidence: Mapped[Real] = mapped_column(server_default=text("0"))
    source: Mapped[str | None]
    method: Mapped[str | None]
    #: How probable it is that the proposed value is right, as people see it.
    probability: Mapped[Real | None]
    reason: Mapped[Message | None]
    #: `pipeline.schema.Preferred`.
    preferred: Mapped[str] = mapped_column(server_default=text("'neither'"))
    page: Mapped[int | None]
    x0: Mapped[Real | None]
    y0: Mapped[Real | None]
    x1: Mapped[Real | None]
    y1: Mapped[Real | None]
    decision: Mapped[str] = mapped_column(server_default=text("'pending'"))
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]


class Escalation(Keyed, Base):
    """A run that waits at its interrupt. The decision is stored here first: the outbox of the resume."""

    __tablename__ = "escalations"

    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.run_id", ondelete="CASCADE"), unique=True)
    reason: Mapped[Message]
    payload: Mapped[JsonObject]
    status: Mapped[str] = mapped_column(server_default=text("'pending'"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    decision: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    resumed_at: Mapped[datetime | None]
    claimed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    claimed_until: Mapped[datetime | None]
    #: As that of a proposal.
    held_since: Mapped[datetime | None]


class ReviewDecision(Keyed, Base):
    """One decision of a person on one entry, and the values that undo restores."""

    __tablename__ = "review_decisions"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    actor_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    kind: Mapped[str]
    item_id: Mapped[uuid.UUID | None]
    bulk_id: Mapped[uuid.UUID | None]
    version: Mapped[int]
    before: Mapped[dict[str, Any]] = mapped_column(JSONB)
    undone_at: Mapped[datetime | None]
    undone_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))


class SetAside(Keyed, Base):
    """An entry that a reviewer has set aside until an answer comes, or a time."""

    __tablename__ = "set_asides"

    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    kind: Mapped[str]
    #: What is asked for.
    fields: Mapped[TextList]
    note: Mapped[str | None]
    until: Mapped[datetime]
    created_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    ended_at: Mapped[datetime | None]
    #: A key of `AsideEnd`.
    ended_why: Mapped[str | None]

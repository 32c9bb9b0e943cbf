"""What the supervisor did (migration 007)."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import Message
from core.models.base import Base, CreatedAt, JsonObject, TextList, UuidKey


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

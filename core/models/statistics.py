"""What statistics are read from (migration 011)."""

from __future__ import annotations

import uuid
from datetime import date
from decimal import Decimal

from sqlalchemy import ForeignKey, Numeric, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from core.models.base import Base, BigInt, CreatedAt, TextList

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

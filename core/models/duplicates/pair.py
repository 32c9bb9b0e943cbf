"""Entries that may be one (migration 010)."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, text
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, CreatedAt, Real, TextList, UuidKey


class PairDecision(LabelledEnum, places=("pair_decision",)):
    """What a person says of two entries that may be one."""

    KEEP_FIRST = "keep_first", "The first was kept"
    KEEP_SECOND = "keep_second", "The second was kept"
    KEEP_BOTH = "keep_both", "Not the same: both were kept"
    REPLACE = "replace", "The second replaced the first"
    JOIN = "join", "Both were joined into one entry"


class DuplicatePair(Base):
    """Two entries that may be one, and what a person decided."""

    __tablename__ = "duplicate_pairs"

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    first_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    #: The later one, which waits for the decision.
    second_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    #: See `pipeline.duplicates.judge`.
    likenesses: Mapped[TextList]
    strength: Mapped[str]
    essay: Mapped[Real | None]
    version: Mapped[int] = mapped_column(server_default=text("1"))
    decision: Mapped[str | None]
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]

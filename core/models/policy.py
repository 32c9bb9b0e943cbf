"""Changes of the rules of a season (migration 002)."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, CreatedAt, UuidKey


class PolicyChangeKind(LabelledEnum):
    """What was done to a season."""

    CHANGED = "changed", "Changed"
    UNDONE = "undone", "Undone"
    OPENED = "opened", "Opened"
    CLOSED = "closed", "Closed"
    ROLLED_OVER = "rolled_over", "Followed by the next season"


class PolicyChange(Base):
    """One change of a season. Rows are only added; triggers refuse anything else."""

    __tablename__ = "policy_changes"
    __table_args__ = (UniqueConstraint("season_id", "version"),)

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    #: The season's version that it made.
    version: Mapped[int]
    #: A key of `PolicyChangeKind`.
    kind: Mapped[str]
    #: Values by the keys of `services.policy.rules.Rule`; None where the setting holds.
    before: Mapped[dict[str, Any]]
    after: Mapped[dict[str, Any]]
    #: None: the command line.
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    #: The change that this one takes back.
    undoes: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("policy_changes.id"), unique=True)
    created_at: Mapped[CreatedAt]

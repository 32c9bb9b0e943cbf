"""Receipts of what was erased (migration 020)."""

from __future__ import annotations

import uuid

from sqlalchemy import ForeignKey, Text, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, CreatedAt, UuidKey


class ErasureReason(LabelledEnum, places=("erasure_reason",)):
    """Why something was erased."""

    ASKED = "asked", "The family asked for it"
    RETENTION = "retention", "The retention period is over"
    MISTAKE = "mistake", "It was sent by mistake"


class Erasure(Base):
    """One erasure: how much of each kind, never what. Rows are only added; triggers refuse anything else."""

    __tablename__ = "erasures"

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id"))
    #: None: the command line, or the nightly purge.
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    reason: Mapped[str]
    submission_ids: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(Uuid))
    #: Numbers by the keys of `services.erasure.held_kinds.HeldKind`.
    counts: Mapped[dict[str, int]] = mapped_column(JSONB)
    #: Paths of watched folders that could not be searched.
    not_reached: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    created_at: Mapped[CreatedAt]

"""What entries that may be one are found by (migration 010)."""

from __future__ import annotations

import uuid

from sqlalchemy import BigInteger, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from core.models.base import Base


class DuplicateKey(Base):
    """One number by which an entry is found; see `pipeline.duplicates.keys`."""

    __tablename__ = "duplicate_keys"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    submission_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
    )


class PageFingerprint(Base):
    """The map of the ink of one page of an entry; see `pipeline.duplicates.picture`."""

    __tablename__ = "page_fingerprints"

    submission_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
    )
    #: From 1, in the entry.
    position: Mapped[int] = mapped_column(primary_key=True)
    ink: Mapped[bytes]

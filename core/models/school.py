"""The school list, and what the names in entries mean (migration 002)."""

from __future__ import annotations

import uuid

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from core.models.base import Base, CreatedAt, UuidKey


class School(Base):
    """One school of a season's list."""

    __tablename__ = "schools"
    __table_args__ = (UniqueConstraint("season_id", "name_key"),)

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    name: Mapped[str]
    name_key: Mapped[str]
    city: Mapped[str | None]
    district: Mapped[str | None]
    #: Where letters to the school go.
    email: Mapped[str | None]
    created_at: Mapped[CreatedAt]


class SchoolAlias(Base):
    """Another spelling of a school's name."""

    __tablename__ = "school_aliases"
    __table_args__ = (UniqueConstraint("school_id", "alias_key"),)

    id: Mapped[UuidKey]
    school_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("schools.id", ondelete="CASCADE"))
    alias: Mapped[str]
    alias_key: Mapped[str]


class SchoolSpelling(Base):
    """A school's name as entries have it, and the school that it means."""

    __tablename__ = "school_spellings"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    spelling: Mapped[str] = mapped_column(primary_key=True)
    #: The same for all spellings of one school: the key of the listed school's name, or else of the spelling.
    school_key: Mapped[str]
    #: The school of the list.
    school_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("schools.id", ondelete="SET NULL"))

"""Forms that admins describe (migration 014)."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import JSON, ForeignKey, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, CreatedAt, UuidKey


class FormStatus(LabelledEnum, places=("form_status",)):
    """Statuses of a version of a form."""

    DRAFT = "draft", "Draft"
    #: Pages are matched with it.
    ACTIVE = "active", "In use"
    RETIRED = "retired", "Retired"


class FormProfile(Base):
    """One version of a form; it never changes but for its status."""

    __tablename__ = "form_profiles"
    __table_args__ = (UniqueConstraint("key", "version"),)

    id: Mapped[UuidKey]
    key: Mapped[str]
    version: Mapped[int]
    label: Mapped[str]
    #: A key of `pipeline.profiles.ProfileKind`.
    kind: Mapped[str]
    #: A `pipeline.profiles.Profile`.
    definition: Mapped[dict[str, Any]] = mapped_column(JSON)
    #: The empty form in the file store.
    blank_key: Mapped[str | None]
    status: Mapped[str]
    #: None: the command line.
    made_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    created_at: Mapped[CreatedAt]
    status_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    status_at: Mapped[CreatedAt]


class FormGeneration(Base):
    """One row: its name changes with every change of the forms."""

    __tablename__ = "form_generation"

    id: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    name: Mapped[str] = mapped_column(server_default=text("''"))

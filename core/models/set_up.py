"""The steps by which an installation is set up (migration 020)."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, text
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.messages import Message
from core.models.base import Base, CreatedAt


class SetUpKey(LabelledEnum, places=("set_up_step",)):
    """Keys of the steps, in the order of the page."""

    SEASON = "season", "Season"
    SCHOOLS = "schools", "Schools"
    PEOPLE = "people", "People"
    MAIL = "mail", "Mail"
    MODEL = "model", "Language model"
    STORAGE = "storage", "File store"
    READING = "reading", "Reading"
    #: All of them: its row says that nobody is led through them any more.
    WHOLE = "whole", "Setup"


class SetUpState(LabelledEnum, places=("set_up_state",)):
    """States of a step."""

    OPEN = "open", "To do"
    TRYING = "trying", "Being checked"
    DONE = "done", "Done"
    PASSED = "passed", "Skipped"


class SetUpStep(Base):
    """What became of a step; one that nobody has touched has no row."""

    __tablename__ = "set_up_steps"

    #: A key of `SetUpKey`.
    step: Mapped[str] = mapped_column(primary_key=True)
    #: A key of `SetUpState`.
    state: Mapped[str]
    #: What the last try found.
    result: Mapped[Message | None]
    #: How long that took.
    seconds: Mapped[float | None] = mapped_column(DOUBLE_PRECISION)
    #: What was read of the sample.
    read_text: Mapped[str | None]
    actor_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    changed_at: Mapped[CreatedAt]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]

"""Drafts of forms, as the pages show them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import FormDraft, FormDraftStatus, FormDraftStep
from pipeline.blanks.marks import FormMarks
from services.accounts.person_name import name_by_id
from services.context import Context


@dataclass(frozen=True)
class DraftView:
    """One draft."""

    id: uuid.UUID
    filename: str
    status: str
    error: Message | None
    #: None before the blank was read.
    marks: FormMarks | None
    version: int
    page_no: int
    page_count: int
    start_key: str | None
    created_by: str
    created_at: datetime
    #: Who changed it last, None where nobody but the machine has.
    changed_by: str | None
    changed_at: datetime | None
    #: How many changes can be taken back.
    steps: int
    saved_version: int | None
    #: Whether it was changed since it was saved.
    changed_since: bool

    @property
    def working(self) -> bool:
        """Whether its blank is still to be read."""
        return self.status in (FormDraftStatus.QUEUED, FormDraftStatus.READING)

    @property
    def title(self) -> str:
        """The name of the form, else that of the file."""
        return (self.marks.label if self.marks else "") or self.filename


def list_drafts(context: Context) -> list[DraftView]:
    """Return all drafts, newest first."""
    with context.database.session() as session:
        rows = session.scalars(select(FormDraft).order_by(FormDraft.created_at.desc(), FormDraft.id))
        return [draft_view(session, row) for row in rows.all()]


def find_draft(context: Context, draft_id: uuid.UUID) -> DraftView:
    """Return one draft. Raises NotFoundError."""
    with context.database.session() as session:
        draft = session.get(FormDraft, draft_id)
        if draft is None:
            raise NotFoundError("no such draft")
        return draft_view(session, draft)


def draft_view(session: Session, draft: FormDraft) -> DraftView:
    """Return the view of a row."""
    steps = session.scalar(select(func.count()).where(FormDraftStep.draft_id == draft.id))
    return DraftView(
        id=draft.id,
        filename=draft.original_filename,
        status=draft.status,
        error=draft.error,
        marks=None if draft.marks is None else FormMarks.model_validate(draft.marks),
        version=draft.version,
        page_no=draft.page_no,
        page_count=draft.page_count or 1,
        start_key=draft.start_key,
        created_by=name_by_id(session, draft.created_by) or "",
        created_at=draft.created_at,
        changed_by=name_by_id(session, draft.changed_by),
        changed_at=draft.changed_at,
        steps=steps or 0,
        saved_version=draft.saved_version,
        changed_since=draft.saved_from != draft.version,
    )

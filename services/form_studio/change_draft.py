"""Change the marks of a draft, and take changes back."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, NotFoundError
from core.models import FormDraft, FormDraftStatus, FormDraftStep
from pipeline.blanks.marks import FormMarks
from services.accounts.person_name import name_by_id
from services.context import Context
from services.messages.form_studio import StudioConflict

#: Changes of a draft that can be taken back.
STEPS = 50


class DraftChangedError(ConflictError):
    """Somebody changed the draft since the page was loaded; `version` is what it has now."""

    def __init__(self, who: str | None, version: int) -> None:
        """`who`: the name of the person, None for the machine."""
        super().__init__(StudioConflict.CHANGED, who=who)
        self.version = version


def change_draft(
    context: Context, actor_id: uuid.UUID, draft_id: uuid.UUID, marks: FormMarks, version: int
) -> int:
    """Replace the marks where the draft still has this version; return its new one; the same marks are no change.

    Raises NotFoundError, DraftChangedError, and ConflictError while the blank is being read.
    """
    with context.database.session() as session:
        draft = _locked(session, draft_id, version)
        wanted = marks.model_dump(mode="json")
        if wanted == draft.marks:
            return draft.version
        assert draft.marks is not None
        session.add(kept_step(draft, actor_id))
        _write(draft, wanted, actor_id, session)
        old = select(FormDraftStep.version).where(FormDraftStep.draft_id == draft.id)
        old = old.order_by(FormDraftStep.version.desc()).offset(STEPS)
        session.execute(
            delete(FormDraftStep).where(FormDraftStep.draft_id == draft.id, FormDraftStep.version.in_(old))
        )
        return draft.version


def undo_change(context: Context, actor_id: uuid.UUID, draft_id: uuid.UUID, version: int) -> int:
    """Bring back the marks before the last change, whoever made it; return the draft's new version.

    Raises NotFoundError, DraftChangedError, and ConflictError where no change is left to be taken back.
    """
    with context.database.session() as session:
        draft = _locked(session, draft_id, version)
        last = (
            select(FormDraftStep).where(FormDraftStep.draft_id == draft.id).order_by(FormDraftStep.version.desc())
        )
        step = session.scalars(last.limit(1)).first()
        if step is None:
            raise ConflictError(StudioConflict.NOTHING_TO_UNDO)
        draft.page_no = step.page_no
        _write(draft, step.marks, actor_id, session)
        session.delete(step)
        return draft.version


def kept_step(draft: FormDraft, actor_id: uuid.UUID | None) -> FormDraftStep:
    """Return a row with the draft as it stands, to be added before it is changed."""
    return FormDraftStep(
        draft_id=draft.id, version=draft.version, page_no=draft.page_no, marks=draft.marks, actor_id=actor_id
    )


def note_saved(context: Context, draft_id: uuid.UUID, version: int, saved_version: int) -> None:
    """Note that a version of the draft was saved as a version of the form."""
    with context.database.session() as session:
        session.execute(
            update(FormDraft)
            .where(FormDraft.id == draft_id)
            .values(saved_version=saved_version, saved_from=version)
        )


def _locked(session: Session, draft_id: uuid.UUID, version: int) -> FormDraft:
    draft = session.scalars(select(FormDraft).where(FormDraft.id == draft_id).with_for_update()).first()
    if draft is None:
        raise NotFoundError("no such draft")
    if draft.status != FormDraftStatus.READY:
        raise ConflictError(StudioConflict.BEING_READ)
    if draft.version != version:
        raise DraftChangedError(name_by_id(session, draft.changed_by), draft.version)
    return draft


def _write(draft: FormDraft, marks: dict[str, object], actor_id: uuid.UUID, session: Session) -> None:
    draft.marks = marks
    draft.version += 1
    draft.changed_by = actor_id
    draft.changed_at = session.scalar(select(func.now()))
    session.flush()

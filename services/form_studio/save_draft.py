"""Save a draft as a version of its form."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from core.errors import ConflictError
from core.messages import Message
from pipeline.blanks.to_profile import profile_of
from pipeline.mupdf.blanked import only_pages
from services.context import Context
from services.form_studio.change_draft import DraftChangedError, note_saved
from services.form_studio.difference import differences
from services.form_studio.draft import DraftView, find_draft
from services.form_studio.problems import Problem, problems_of
from services.form_studio.stored import blank_pdf_key
from services.forms.form_version import FormVersion
from services.forms.list_forms import list_forms
from services.forms.save_version import save_version
from services.messages.form_studio import StudioConflict


@dataclass(frozen=True)
class Saving:
    """What saving a draft would do."""

    draft: DraftView
    problems: list[Problem]
    #: The newest version of the form, None for a new form.
    before: FormVersion | None
    #: What differs from it.
    changes: list[Message]


def saving_of(context: Context, draft_id: uuid.UUID) -> Saving:
    """Return what saving the draft would do. Raises NotFoundError, and ConflictError before it was read."""
    draft = find_draft(context, draft_id)
    if draft.marks is None:
        raise ConflictError(StudioConflict.BEING_READ)
    problems = problems_of(draft.marks)
    before = _newest(context, draft.marks.key)
    changes = [] if problems or before is None else differences(before.profile, profile_of(draft.marks))
    return Saving(draft, problems, before, changes)


def save_draft(context: Context, actor_id: uuid.UUID, draft_id: uuid.UUID, version: int) -> FormVersion:
    """Save this version of the draft as the next version of its form, which is in use at once.

    Raises NotFoundError, DraftChangedError, ConflictError where something is wrong with it or somebody has saved
    a version meanwhile, and InvalidInputError for a form that cannot be used beside the others.
    """
    saving = saving_of(context, draft_id)
    draft = saving.draft
    if draft.version != version:
        raise DraftChangedError(draft.changed_by, draft.version)
    if saving.problems or draft.marks is None:
        raise ConflictError(StudioConflict.NOT_READY)
    saved = save_version(
        context,
        actor_id,
        profile_of(draft.marks),
        _page(context, draft),
        based_on=saving.before.version if saving.before else 0,
    )
    note_saved(context, draft_id, version, saved.version)
    return saved


def _page(context: Context, draft: DraftView) -> bytes:
    """Return the page of the blank that is the form."""
    pdf = context.store.get(blank_pdf_key(draft.id))
    return pdf if draft.page_count == 1 else only_pages(pdf, [draft.page_no])


def _newest(context: Context, key: str) -> FormVersion | None:
    return next((form.versions[0] for form in list_forms(context) if form.key == key), None)

"""What shows a child where no entry refers to it: blank forms that are none, files of a scanner's folder."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from core.errors import AppError, NotFoundError
from core.file_store import FileStore
from core.models import FormDraft, FormDraftStatus, FormDraftStep, FormProfile, PageFingerprint
from core.queue import forget_jobs
from pipeline.duplicates.picture import DPI, fingerprint, same_sheet
from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.plain import PageParts
from pipeline.recognition.page_contents import render_page
from services.context import Context
from services.erasure.by_name import is_called_after, is_named_in
from services.erasure.scope import Scope
from services.form_studio.stored import blank_key, blank_pdf_key, folder_of_draft
from services.recovery.kinds import BLANKS
from services.watching.places import Watched, WatchedFile, find_watched, remove_watched

#: Pages of a blank that are looked at.
_MOST_PAGES = 8


@dataclass(frozen=True)
class Elsewhere:
    """What was found."""

    #: Drafts in the form studio.
    drafts: list[uuid.UUID]
    #: Keys of the blanks of saved forms.
    blanks: list[str]
    watched_folders: Watched = field(default_factory=Watched)

    @property
    def watched(self) -> list[WatchedFile]:
        """Files in watched folders."""
        return self.watched_folders.files

    @property
    def not_reached(self) -> list[str]:
        """Watched folders in which a person has to look."""
        return self.watched_folders.not_reached


@dataclass(frozen=True)
class _Child:
    """What a child is known by: names, and the maps of the pages."""

    names: list[str]
    pages: Sequence[bytes]


def find_elsewhere(context: Context, session: Session, scope: Scope) -> Elsewhere:
    """Look through all drafts and blanks of forms, and all watched folders."""
    maps = select(PageFingerprint.ink).where(PageFingerprint.submission_id.in_(scope.submissions))
    child = _Child(scope.names, session.scalars(maps).all())
    drafts = [draft.id for draft in session.scalars(select(FormDraft)) if _is_of(context, session, draft, child)]
    keys = session.scalars(select(FormProfile.blank_key).where(FormProfile.blank_key.is_not(None)).distinct())
    blanks = [key for key in keys if key is not None and _shows(_stored(context.store, key), child)]
    called = partial(is_called_after, children=scope.names)
    return Elsewhere(drafts, sorted(blanks), find_watched(session, scope.uploads, called))


def forget_elsewhere(context: Context, session: Session, elsewhere: Elsewhere) -> None:
    """Delete drafts in the caller's transaction, and take blanks from their forms, which stay in use."""
    forget_jobs(context.redis, [BLANKS.job_id(draft_id) for draft_id in elsewhere.drafts])
    session.execute(delete(FormDraft).where(FormDraft.id.in_(elsewhere.drafts)))
    session.execute(update(FormProfile).where(FormProfile.blank_key.in_(elsewhere.blanks)).values(blank_key=None))


def delete_elsewhere(store: FileStore, elsewhere: Elsewhere) -> None:
    """Delete the files. Raises StorageError; deleting again does no harm."""
    for draft_id in elsewhere.drafts:
        store.delete_prefix(folder_of_draft(draft_id))
    for key in elsewhere.blanks:
        store.delete(key)
    remove_watched(elsewhere.watched_folders)


def _is_of(context: Context, session: Session, draft: FormDraft, child: _Child) -> bool:
    """Whether a draft names the child, or its blank shows a page of the child, or cannot be looked at."""
    if is_called_after(draft.original_filename, child.names):
        return True
    steps = session.scalars(select(FormDraftStep.marks).where(FormDraftStep.draft_id == draft.id))
    said = json.dumps([draft.marks, *steps], ensure_ascii=False)
    if is_named_in(said, child.names):
        return True
    blank = _stored(context.store, blank_pdf_key(draft.id)) or _stored(context.store, blank_key(draft.id))
    if draft.status == FormDraftStatus.FAILED and not _can_be_read(blank):
        # As of samples, nobody knows whom it shows, and nothing is lost with it.
        return True
    return _shows(blank, child)


def _stored(store: FileStore, key: str) -> bytes:
    try:
        return store.get(key)
    except NotFoundError:
        return b""


def _can_be_read(pdf: bytes) -> bool:
    try:
        with open_pdf(pdf) as file:
            return file.page_count > 0
    except AppError:
        return False


def _shows(pdf: bytes, child: _Child) -> bool:
    """Whether a page of the file says the child's name, or is one of the child's sheets."""
    try:
        with open_pdf(pdf) as file:
            count = min(file.page_count, _MOST_PAGES)
            said = [_text(file.parts(number)) for number in range(1, count + 1)]
        if is_named_in(" ".join(said), child.names):
            return True
        return bool(child.pages) and _has_sheet(pdf, count, child.pages)
    except AppError:
        return False


def _text(page: PageParts) -> str:
    words = [str(word[4]) for line in page.lines for word in line.words]
    return " ".join([*words, *(one.value for one in page.fields)])


def _has_sheet(pdf: bytes, count: int, pages: Collection[bytes]) -> bool:
    maps = [fingerprint(render_page(pdf, number, DPI)) for number in range(1, count + 1)]
    return any(same_sheet(one, other) for one in maps if one is not None for other in pages)

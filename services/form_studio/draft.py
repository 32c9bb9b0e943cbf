"""Drafts of forms: begun from a blank or a version, changed, saved, removed."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import (
    ConflictError,
    FileTooLargeError,
    InvalidInputError,
    NoFileError,
    NotFailedError,
    NotFoundError,
    existing,
)
from core.file_store import FileStore
from core.messages import Message
from core.models import FormDraft, FormDraftStatus, FormDraftStep, FormSample
from core.models.base import error_columns
from core.plain_data import built
from core.queue import forget_jobs
from pipeline.blanks.marks import FormMarks, build_profile
from pipeline.mupdf.assembly import only_pages
from services.accounts.person import name_by_id
from services.context import Context
from services.form_studio.problems import MarkProblem, differences, mark_problems
from services.forms.versions import FormVersion, blank_pdf, form_version, list_forms, save_version
from services.messages.entries import StudioConflict, StudioRefused
from services.recovery.kinds import BLANKS, SAMPLES
from services.recovery.work import queue_rows, update_and_queue
from services.uploads.submit import display_name


def begin_draft(
    context: Context, actor_id: uuid.UUID, filename: str, blank: bytes, start_key: str | None = None
) -> uuid.UUID:
    """Store the blank, have it read and return the draft's id.

    With `start_key` the marks start as copies of this form's. Raises NoFileError and FileTooLargeError.
    """
    if not blank:
        raise NoFileError
    if len(blank) > context.settings.max_upload_bytes:
        raise FileTooLargeError(f"{len(blank)} bytes")
    draft_id = uuid.uuid4()
    context.store.put(blank_key(draft_id), blank)
    with context.database.session() as session:
        session.add(
            FormDraft(
                id=draft_id,
                created_by=actor_id,
                original_filename=display_name(filename),
                byte_size=len(blank),
                start_key=start_key or None,
            )
        )
    queue_rows(context, BLANKS, draft_id)
    return draft_id


def begin_next_version(context: Context, actor_id: uuid.UUID, key: str) -> uuid.UUID:
    """Begin a draft of the next version of a form, on the blank that it was saved with; return its id.

    Raises NotFoundError, and InvalidInputError if it was saved without one.
    """
    version = form_version(context, key)
    blank = blank_pdf(context, version)
    if blank is None:
        raise InvalidInputError(StudioRefused.NO_BLANK)
    return begin_draft(context, actor_id, f"{key}.pdf", blank, key)


def choose_page(context: Context, draft_id: uuid.UUID, page_no: int) -> None:
    """Take another page of the blank as the form; marking begins again.

    Raises NotFoundError, and InvalidInputError for a page that the file does not have.
    """
    with context.database.session() as session:
        draft = existing(session.get(FormDraft, draft_id), "no such draft")
        if not 1 <= page_no <= (draft.page_count or 1):
            raise InvalidInputError(StudioRefused.NO_SUCH_PAGE, limit=draft.page_count or 1)
        won = session.scalar(
            update(FormDraft)
            .where(FormDraft.id == draft_id, FormDraft.status == FormDraftStatus.READY.value)
            .values(status=FormDraftStatus.QUEUED.value, wanted_page=page_no, attempts=0)
            .returning(FormDraft.id)
        )
    if won is None:
        raise ConflictError(StudioConflict.BEING_READ)
    queue_rows(context, BLANKS, draft_id, replace=True)


def retry_draft(context: Context, draft_id: uuid.UUID) -> None:
    """Have a blank that could not be read read again. Raises NotFailedError."""
    failed = (FormDraft.id == draft_id, FormDraft.status == FormDraftStatus.FAILED.value)
    again = {"status": FormDraftStatus.QUEUED.value, **error_columns(None)}
    if not update_and_queue(context, BLANKS, failed, again, replace=True):
        raise NotFailedError


def remove_draft(context: Context, draft_id: uuid.UUID) -> None:
    """Remove a draft with its samples and all their files. Raises NotFoundError, StorageError."""
    with context.database.session() as session:
        samples = list(
            session.scalars(delete(FormSample).where(FormSample.draft_id == draft_id).returning(FormSample.id))
        )
        gone = session.scalar(delete(FormDraft).where(FormDraft.id == draft_id).returning(FormDraft.id))
    if gone is None:
        raise NotFoundError("no such draft")
    forget_jobs(context.redis, [BLANKS.job_id(draft_id), *(SAMPLES.job_id(sample) for sample in samples)])
    context.store.delete_prefix(folder_of_draft(draft_id))


@dataclass(frozen=True)
class DraftView:
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
    #: Who changed it last; None if only the machine has.
    changed_by: str | None
    changed_at: datetime | None
    #: How many changes can be undone.
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
    with context.database.reading() as session:
        rows = session.scalars(select(FormDraft).order_by(FormDraft.created_at.desc(), FormDraft.id))
        return [draft_view(session, row) for row in rows.all()]


def find_draft(context: Context, draft_id: uuid.UUID) -> DraftView:
    """Return one draft. Raises NotFoundError."""
    with context.database.reading() as session:
        draft = existing(session.get(FormDraft, draft_id), "no such draft")
        return draft_view(session, draft)


def draft_view(session: Session, draft: FormDraft) -> DraftView:
    """Return the view of a row."""
    steps = session.scalar(select(func.count()).where(FormDraftStep.draft_id == draft.id))
    return built(
        DraftView,
        draft,
        filename=draft.original_filename,
        marks=None if draft.marks is None else FormMarks.model_validate(draft.marks),
        page_count=draft.page_count or 1,
        created_by=name_by_id(session, draft.created_by) or "",
        changed_by=name_by_id(session, draft.changed_by),
        steps=steps or 0,
        changed_since=draft.saved_from != draft.version,
    )


@dataclass(frozen=True)
class Saving:
    """The effect of saving a draft."""

    draft: DraftView
    problems: list[MarkProblem]
    #: The newest version of the form, None for a new form.
    before: FormVersion | None
    #: What differs from it.
    changes: list[Message]


def saving_of(context: Context, draft_id: uuid.UUID) -> Saving:
    """Return what saving the draft would do. Raises NotFoundError, and ConflictError before it was read."""
    draft = find_draft(context, draft_id)
    if draft.marks is None:
        raise ConflictError(StudioConflict.BEING_READ)
    problems = mark_problems(draft.marks)
    before = next((form.versions[0] for form in list_forms(context) if form.key == draft.marks.key), None)
    changes = [] if problems or before is None else differences(before.profile, build_profile(draft.marks))
    return Saving(draft, problems, before, changes)


def save_draft(context: Context, actor_id: uuid.UUID, draft_id: uuid.UUID, version: int) -> FormVersion:
    """Save this version of the draft as the next version of its form, which is in use at once.

    Raises NotFoundError, DraftChangedError, ConflictError if the draft has problems or a version was saved
    meanwhile, and InvalidInputError for a form that cannot be used beside the others.
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
        build_profile(draft.marks),
        _page(context, draft),
        based_on=saving.before.version if saving.before else 0,
    )
    note_saved(context, draft_id, version, saved.version)
    return saved


def _page(context: Context, draft: DraftView) -> bytes:
    """Return the page of the blank that is the form."""
    pdf = context.store.get(blank_pdf_key(draft.id))
    return pdf if draft.page_count == 1 else only_pages(pdf, [draft.page_no])


# Remove samples: old ones, and all when an entry is erased, as nobody knows whom an uploaded one shows.


class SampleFiles(NamedTuple):
    """The ids that find a sample's files."""

    draft_id: uuid.UUID
    sample_id: uuid.UUID


def remove_sample(context: Context, draft_id: uuid.UUID, sample_id: uuid.UUID) -> None:
    """Remove a sample with its files; one that is being read is stopped. Raises NotFoundError, StorageError."""
    if not _remove(context, FormSample.id == sample_id, FormSample.draft_id == draft_id):
        raise NotFoundError("no such sample")


def purge_samples(context: Context) -> int:
    """Remove the samples whose time is over; return their number."""
    return _remove(context, FormSample.created_at < func.now() - KEPT)


def forget_samples(session: Session) -> list[SampleFiles]:
    """Delete every sample in the caller's transaction and return what was deleted; see `delete_samples`."""
    return _gone(session)


def delete_samples(store: FileStore, samples: Sequence[SampleFiles]) -> None:
    """Delete the files of samples. Raises StorageError; deleting again does no harm."""
    for sample in samples:
        store.delete_prefix(folder_of_sample(*sample))


def _remove(context: Context, *where: ColumnElement[bool]) -> int:
    """Delete rows, then files: a file whose deletion fails has no row any more, and is removed as a stray."""
    with context.database.session() as session:
        gone = _gone(session, *where)
    forget_jobs(context.redis, [SAMPLES.job_id(sample.sample_id) for sample in gone])
    delete_samples(context.store, gone)
    return len(gone)


def _gone(session: Session, *where: ColumnElement[bool]) -> list[SampleFiles]:
    rows = session.execute(delete(FormSample).where(*where).returning(FormSample.draft_id, FormSample.id))
    return [SampleFiles(row.draft_id, row.id) for row in rows]


#: Changes of a draft that can be undone.
STEPS = 50


class DraftChangedError(ConflictError):
    """Somebody changed the draft since the page was loaded; `version` is its current one."""

    def __init__(self, who: str | None, version: int) -> None:
        """`who`: the name of the person, None for the machine."""
        super().__init__(StudioConflict.CHANGED, who=who)
        self.version = version


def change_draft(
    context: Context, actor_id: uuid.UUID, draft_id: uuid.UUID, marks: FormMarks, version: int
) -> int:
    """Replace the marks if the draft still has this version; return its new version. Equal marks change nothing.

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


def undo_draft_change(context: Context, actor_id: uuid.UUID, draft_id: uuid.UUID, version: int) -> int:
    """Bring back the marks before the last change, whoever made it; return the draft's new version.

    Raises NotFoundError, DraftChangedError, and ConflictError if no change is left to undo.
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
    """Return a row with the draft's present state, to be added before it is changed."""
    return FormDraftStep(
        draft_id=draft.id, version=draft.version, page_no=draft.page_no, marks=draft.marks, actor_id=actor_id
    )


def note_saved(context: Context, draft_id: uuid.UUID, version: int, saved_version: int) -> None:
    """Note that a version of the draft was saved as a version of the form."""
    context.database.execute(
        update(FormDraft).where(FormDraft.id == draft_id).values(saved_version=saved_version, saved_from=version)
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


FOLDER = "form-drafts"
#: How long a sample is kept after it was added.
KEPT = timedelta(days=7)
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def folder_of_draft(draft_id: uuid.UUID) -> str:
    """Return the folder of all files of a draft, its samples included."""
    return f"{FOLDER}/{draft_id}"


def blank_key(draft_id: uuid.UUID) -> str:
    """Return the key of the blank form as it was uploaded."""
    return f"{folder_of_draft(draft_id)}/blank"


def blank_pdf_key(draft_id: uuid.UUID) -> str:
    """Return the key of the blank form as a PDF."""
    return f"{folder_of_draft(draft_id)}/blank.pdf"


def blank_picture_key(draft_id: uuid.UUID, page_no: int) -> str:
    """Return the key of the picture of one page of the blank form."""
    return f"{folder_of_draft(draft_id)}/page-{page_no}.webp"


def folder_of_sample(draft_id: uuid.UUID, sample_id: uuid.UUID) -> str:
    """Return the folder of all files of a sample."""
    return f"{folder_of_draft(draft_id)}/samples/{sample_id}"


def sample_key(draft_id: uuid.UUID, sample_id: uuid.UUID) -> str:
    """Return the key of a sample as it was uploaded."""
    return f"{folder_of_sample(draft_id, sample_id)}/original"


def sample_pdf_key(draft_id: uuid.UUID, sample_id: uuid.UUID) -> str:
    """Return the key of a sample as a PDF."""
    return f"{folder_of_sample(draft_id, sample_id)}/pages.pdf"


def named_in(key: str) -> set[str]:
    """Return the ids of the draft and of the sample that a file is of."""
    return set(_ID.findall(key))

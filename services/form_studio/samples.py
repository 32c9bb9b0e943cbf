"""Try a draft on filled samples."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.confined.children import within
from core.errors import (
    ConflictError,
    FileTooLargeError,
    InvalidInputError,
    LeaseLostError,
    NoFileError,
    NotFailedError,
    NotFoundError,
    existing,
)
from core.lease import Lease
from core.messages import Message
from core.models import FormDraft, FormSample, FormSampleStatus, Submission, Upload
from core.models.base import error_columns
from core.plain_data import built
from pipeline.blanks.marks import FormMarks
from pipeline.files.intake import to_pdf
from pipeline.mupdf.assembly import only_pages
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Box
from pipeline.profiles import FormSpec
from pipeline.profiles.catalogue import trying
from pipeline.runner import analyse, process_submission
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy
from services.accounts.person import name_by_id
from services.context import Context
from services.form_studio.draft import KEPT, sample_key, sample_pdf_key
from services.forms.check_form import profile_of_marks, try_out
from services.messages.entries import StudioConflict, StudioRefused
from services.recovery.kinds import SAMPLES
from services.recovery.work import keeping, queue_rows, take_lease, update_and_queue
from services.replays.stand_ins import OverlayStore
from services.seasons import current_season, season_policy
from services.uploads.submit import IncomingFile, display_name

# Read a sample by the marks of its draft; run by a job, safe to repeat. Nothing is stored among the entries.


#: Most filled forms that are read from one file.
MOST_FORMS = 12
#: The file's key in the store of the reading.
_DOCUMENT = "sample/document"


def read_sample(context: Context, sample_id: uuid.UUID) -> bool:
    """Read a sample; return False if there was nothing to do.

    Raises DocumentError, RecognitionError, StorageError, ConflictError for marks that describe no form, and
    LeaseLostError if the sample was removed meanwhile.
    """
    lease = take_lease(context, SAMPLES, sample_id)
    if lease is None:
        return False
    with keeping(context, lease), within(context.settings.parse_file_seconds):
        with context.database.session() as session:
            sample = lease.hold(session)
            draft = session.get_one(FormDraft, sample.draft_id)
            version, filename = draft.version, sample.original_filename
            profile = _profile(draft)
            policy = season_policy(session, current_season(session).id, context.settings)
            source = session.get(Submission, sample.submission_id) if sample.submission_id else None
            upload_key = session.get_one(Upload, source.upload_id).pdf_key if source else None
        if source is None:
            pdf = to_pdf(context.store.get(sample_key(draft.id, sample_id)), filename, context.settings).pdf
        else:
            pdf = only_pages(context.store.get(upload_key or ""), range(source.page_start, source.page_end + 1))
        context.store.put(sample_pdf_key(draft.id, sample_id), pdf, "application/pdf")
        try:
            with trying(profile):
                result = _read(context, pdf, policy, profile)
            _finish(context, lease, result, version)
        except LeaseLostError:
            _clear_away(context, draft.id, sample_id)
            raise
    return True


def _profile(draft: FormDraft) -> FormSpec:
    try:
        profile = profile_of_marks(FormMarks.model_validate(draft.marks))
        try_out(profile)
    except (ValidationError, InvalidInputError) as error:
        raise ConflictError(StudioConflict.NOT_READY) from error
    return profile


def _read(context: Context, pdf: bytes, policy: Policy, profile: FormSpec) -> SampleResult:
    store = OverlayStore(context.store)
    store.put(_DOCUMENT, pdf)
    analysis = analyse(pdf, context.settings, store)
    forms = []
    for chunk in analysis.chunks[:MOST_FORMS]:
        record, _ = process_submission(
            _DOCUMENT,
            str(uuid.uuid4()),
            f"sample/{chunk.index}",
            context.settings.ocr_provider,
            chunk_metadata=chunk.model_dump(mode="json"),
            settings=context.settings,
            store=store,
            policy=policy,
        )
        forms.append(_form(record, profile))
    with open_pdf(pdf) as file:
        shapes = [(number, file.shape(number)) for number in range(1, file.page_count + 1)]
    return SampleResult(
        pages=tuple(ReadPage(number=number, width=shape.width, height=shape.height) for number, shape in shapes),
        forms=tuple(forms),
        more=len(analysis.chunks) > MOST_FORMS,
    )


def _form(record: SubmissionRecord, profile: FormSpec) -> ReadForm:
    recognised = record.profile == profile.key
    names = list(profile.fields) if recognised else [name for name, one in record.readings.items() if one.value]
    return ReadForm(
        profile=record.profile or "",
        page_start=record.page_start,
        page_end=record.page_end,
        fields=tuple(_field(record, name) for name in names),
    )


def _field(record: SubmissionRecord, name: str) -> ReadField:
    reading = record.readings.get(name)
    if reading is None:
        return ReadField(name=name, value=None, confidence=0.0, method="")
    return ReadField(
        name=name,
        value=reading.value,
        confidence=reading.confidence,
        method=reading.method or "",
        places=tuple(ReadPlace(page=one.page, box=one.box) for one in reading.evidence),
    )


def _finish(context: Context, lease: Lease[FormSample], result: SampleResult, version: int) -> None:
    with context.database.session() as session:
        sample = lease.hold(session)
        sample.status = FormSampleStatus.DONE.value
        sample.result = result.model_dump(mode="json")
        sample.draft_version = version
        sample.error = None
        sample.finished_at = session.scalar(func.now())


def _clear_away(context: Context, draft_id: uuid.UUID, sample_id: uuid.UUID) -> None:
    """Delete the files of a sample that was removed meanwhile."""
    there = context.database.get(FormSample, sample_id) is not None
    if not there:
        context.store.delete(sample_pdf_key(draft_id, sample_id))


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class ReadPlace(_Part):
    """A place on a page, 0-1 of the displayed page."""

    page: int
    box: Box


class ReadField(_Part):
    name: str
    value: str | None
    confidence: float
    method: str
    places: tuple[ReadPlace, ...] = ()


class ReadPage(_Part):
    """A page of the sample and its size in points."""

    number: int
    width: float
    height: float


class ReadForm(_Part):
    #: Key of the form that its page was recognised as.
    profile: str
    page_start: int
    page_end: int
    fields: tuple[ReadField, ...]


class SampleResult(_Part):
    pages: tuple[ReadPage, ...]
    forms: tuple[ReadForm, ...]
    #: Whether the file has more filled forms than were read.
    more: bool = False


#: Most samples of one draft.
MOST_SAMPLES = 30


@dataclass(frozen=True)
class SampleView:
    id: uuid.UUID
    filename: str
    submission_id: uuid.UUID | None
    status: str
    error: Message | None
    result: SampleResult | None
    #: The version of the draft that it was read by.
    draft_version: int | None
    requested_by: str
    created_at: datetime
    kept_until: datetime

    @property
    def working(self) -> bool:
        """Whether it is still to be read."""
        return self.status in (FormSampleStatus.QUEUED, FormSampleStatus.RUNNING)


def add_samples(
    context: Context,
    actor_id: uuid.UUID,
    draft_id: uuid.UUID,
    files: Sequence[IncomingFile],
    submission_ids: Sequence[uuid.UUID] = (),
) -> list[uuid.UUID]:
    """Store files and name entries as samples, have them read and return their ids.

    Raises NotFoundError, NoFileError, FileTooLargeError, InvalidInputError for an unknown entry or
    too many samples, and ConflictError before the blank was read.
    """
    if not files and not submission_ids:
        raise NoFileError
    for file in files:
        if file.size > context.settings.max_upload_bytes:
            raise FileTooLargeError(f"{file.size} bytes")
    with context.database.session() as session:
        _require_ready(session, draft_id)
        there = session.scalars(select(FormSample.id).where(FormSample.draft_id == draft_id)).all()
        if len(there) + len(files) + len(submission_ids) > MOST_SAMPLES:
            raise InvalidInputError(StudioRefused.TOO_MANY_SAMPLES, limit=MOST_SAMPLES)
        rows = [_of_submission(session, actor_id, draft_id, one) for one in submission_ids]
    for file in files:
        row = FormSample(
            id=uuid.uuid4(),
            draft_id=draft_id,
            requested_by=actor_id,
            original_filename=display_name(file.filename),
            byte_size=file.size,
        )
        file.put(context.store, sample_key(draft_id, row.id))
        rows.append(row)
    with context.database.session() as session:
        session.add_all(rows)
        ids = [row.id for row in rows]
    queue_rows(context, SAMPLES, *ids)
    return ids


def list_samples(context: Context, draft_id: uuid.UUID) -> list[SampleView]:
    """Return the samples of a draft in the order in which they were added."""
    with context.database.reading() as session:
        rows = session.scalars(
            select(FormSample)
            .where(FormSample.draft_id == draft_id)
            .order_by(FormSample.created_at, FormSample.id)
        )
        return [_view(session, row) for row in rows.all()]


def find_sample(context: Context, draft_id: uuid.UUID, sample_id: uuid.UUID) -> SampleView:
    """Return one sample. Raises NotFoundError."""
    with context.database.reading() as session:
        row = session.get(FormSample, sample_id)
        if row is None or row.draft_id != draft_id:
            raise NotFoundError("no such sample")
        return _view(session, row)


def read_samples_again(context: Context, draft_id: uuid.UUID) -> None:
    """Have all samples of a draft read by its present marks; those being read use them anyway."""
    with context.database.session() as session:
        _require_ready(session, draft_id)
        ids = session.scalars(
            update(FormSample)
            .where(FormSample.draft_id == draft_id, ~SAMPLES.due)
            .values(status=FormSampleStatus.QUEUED.value, attempts=0, **error_columns(None))
            .returning(FormSample.id)
        ).all()
    queue_rows(context, SAMPLES, *ids, replace=True)


def retry_sample(context: Context, sample_id: uuid.UUID) -> None:
    """Have a sample that could not be read read again. Raises NotFailedError."""
    failed = (FormSample.id == sample_id, FormSample.status == FormSampleStatus.FAILED.value)
    again = {"status": FormSampleStatus.QUEUED.value, **error_columns(None)}
    if not update_and_queue(context, SAMPLES, failed, again, replace=True):
        raise NotFailedError


def _require_ready(session: Session, draft_id: uuid.UUID) -> None:
    draft = existing(session.get(FormDraft, draft_id), "no such draft")
    if draft.marks is None:
        raise ConflictError(StudioConflict.BEING_READ)


def _of_submission(
    session: Session, actor_id: uuid.UUID, draft_id: uuid.UUID, submission_id: uuid.UUID
) -> FormSample:
    filename = session.scalar(
        select(Upload.original_filename)
        .join(Submission, Submission.upload_id == Upload.id)
        .where(Submission.id == submission_id, Upload.pdf_key.is_not(None))
    )
    if filename is None:
        raise InvalidInputError(StudioRefused.NO_SUCH_SUBMISSION)
    return FormSample(
        id=uuid.uuid4(),
        draft_id=draft_id,
        requested_by=actor_id,
        submission_id=submission_id,
        original_filename=filename,
    )


def _view(session: Session, row: FormSample) -> SampleView:
    return built(
        SampleView,
        row,
        filename=row.original_filename,
        result=None if row.result is None else SampleResult.model_validate(row.result),
        requested_by=name_by_id(session, row.requested_by) or "",
        kept_until=row.created_at + KEPT,
    )

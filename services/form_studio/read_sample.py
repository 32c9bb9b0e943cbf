"""Read a sample by the marks of its draft; run by a job, safe to repeat. Nothing is stored among the entries."""

from __future__ import annotations

import uuid

from pydantic import ValidationError
from sqlalchemy import func, update

from core.confined.child import within
from core.errors import AppError, ConflictError, InvalidInputError, LeaseLostError
from core.lease import Lease
from core.models import FormDraft, FormSample, FormSampleStatus, Submission, Upload
from core.models.base import error_columns
from core.models.leases import FORM_SAMPLE_LEASES
from pipeline.blanks.marks import FormMarks
from pipeline.files.intake import to_pdf
from pipeline.mupdf.blanked import only_pages
from pipeline.mupdf.file import open_pdf
from pipeline.profiles import Profile
from pipeline.profiles.catalogue import trying
from pipeline.runner import analyse, process_submission
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy
from services.context import Context
from services.form_studio.sample_result import ReadField, ReadForm, ReadPage, ReadPlace, SampleResult
from services.form_studio.stored import sample_key, sample_pdf_key
from services.forms.check_form import profile_of_marks, try_out
from services.messages.form_studio import StudioConflict
from services.recovery.kinds import SAMPLES
from services.recovery.work import keeping, take
from services.replays.overlay_store import OverlayStore
from services.seasons import current_season, season_policy

#: Filled forms that are read of one file.
MOST_FORMS = 12
#: Stands in the store of the reading for the file.
_DOCUMENT = "sample/document"


def read_sample(context: Context, sample_id: uuid.UUID) -> bool:
    """Read it; return False if there was nothing to do.

    Raises DocumentError, RecognitionError, StorageError, ConflictError for marks that describe no form, and
    LeaseLostError where the sample was removed meanwhile.
    """
    lease = take(context, SAMPLES, sample_id)
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


def _profile(draft: FormDraft) -> Profile:
    try:
        profile = profile_of_marks(FormMarks.model_validate(draft.marks))
        try_out(profile)
    except (ValidationError, InvalidInputError) as error:
        raise ConflictError(StudioConflict.NOT_READY) from error
    return profile


def _read(context: Context, pdf: bytes, policy: Policy, profile: Profile) -> SampleResult:
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


def _form(record: SubmissionRecord, profile: Profile) -> ReadForm:
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
    """Delete what was written of a sample that was removed meanwhile."""
    with context.database.session() as session:
        there = session.get(FormSample, sample_id) is not None
    if not there:
        context.store.delete(sample_pdf_key(draft_id, sample_id))


def fail_sample(context: Context, sample_id: uuid.UUID, error: AppError) -> None:
    """Mark a sample that cannot be read, with the code of the error."""
    with context.database.session() as session:
        session.execute(
            update(FormSample)
            .where(FormSample.id == sample_id, SAMPLES.due, FORM_SAMPLE_LEASES.expired())
            .values(status=FormSampleStatus.FAILED.value, finished_at=func.now(), **error_columns(error.told))
        )

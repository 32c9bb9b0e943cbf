"""Every kind of background work, declared once. See `core.work`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select, true

from core.models import (
    BULK_WORKING,
    REREAD_WORKING,
    BatchDefault,
    BatchDefaultStatus,
    BulkChange,
    BulkStatus,
    Escalation,
    Export,
    ExportStatus,
    FormDraft,
    FormDraftStatus,
    FormSample,
    FormSampleStatus,
    MailState,
    OutgoingMail,
    PageRange,
    RereadItem,
    ResetRequest,
    Run,
    RunStatus,
    SetUpState,
    SetUpStep,
    Submission,
    SubmissionStatus,
    Upload,
    UploadBatch,
    UploadStatus,
)
from core.models.leases import (
    BATCH_DEFAULT_LEASES,
    BATCH_LEASES,
    BULK_LEASES,
    EXPORT_LEASES,
    FORM_DRAFT_LEASES,
    FORM_SAMPLE_LEASES,
    MAIL_LEASES,
    PAGE_RANGE_LEASES,
    REREAD_LEASES,
    RESET_LEASES,
    RUN_LEASES,
    SET_UP_LEASES,
    UPLOAD_LEASES,
)
from core.queue import PAGES_QUEUE_NAME, PROMPT_QUEUE_NAME
from core.work import FailedRows, JobKind, Share, Work
from services.recovery.research_kinds import DOCUMENTS, MEANINGS, REPORTS, SUPERVISIONS

#: Least time between two passes over one batch: if files come more slowly than they are read, each seems to be
#: the last one.
BETWEEN_BATCH_PASSES = timedelta(minutes=1)
#: The wait after each failed attempt at a mail: a day in all, as servers do (RFC 5321, 4.5.4.1).
MAIL_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
#: Statuses of a file in which more entries may be found.
UNSPLIT = (UploadStatus.STORED.value, UploadStatus.ANALYSING.value)
#: Analyse a stored file and split it into entries, or divide the reading of its pages if there are many.
UPLOADS = Work(
    kind=JobKind.UPLOAD,
    key=Upload.id,
    due=and_(Upload.status.in_(UNSPLIT), ~select(PageRange.id).where(PageRange.upload_id == Upload.id).exists()),
    begun=Upload.status == UploadStatus.ANALYSING.value,
    leases=UPLOAD_LEASES,
    does="services.uploads.submissions.analyse_upload",
    fails="services.runs.settle.fail_upload",
    attempts=Upload.attempts,
    enqueued_at=Upload.enqueued_at,
    share=Share(Upload.batch_id),
    on_take={"status": UploadStatus.ANALYSING.value, "updated_at": func.now()},
    queues=JobKind.RUN,
    failed=FailedRows(Upload.status == UploadStatus.FAILED.value, Upload.updated_at, place=Upload.batch_id),
    retries="services.uploads.contents.retry_upload",
    retried_by_person=True,
    stoppable=True,
    logged={"upload_id": Upload.id},
)
#: Read some pages of a long file.
PAGE_RANGES = Work(
    kind=JobKind.PAGES,
    key=PageRange.id,
    due=PageRange.outlines.is_(None),
    begun=PageRange.attempts > 0,
    leases=PAGE_RANGE_LEASES,
    does="services.uploads.submissions.read_page_range",
    fails="services.runs.settle.fail_pages",
    attempts=PageRange.attempts,
    enqueued_at=PageRange.enqueued_at,
    queue_name=PAGES_QUEUE_NAME,
    share=Share(Upload.batch_id, PageRange.upload_id),
    queues=JobKind.RUN,
    fails_as=(JobKind.UPLOAD, PageRange.upload_id),
    stoppable=True,
    logged={"upload_id": PageRange.upload_id, "first_page": PageRange.first_page},
)
#: Do one run of one entry; the key is `submission:run_no`.
RUNS = Work(
    kind=JobKind.RUN,
    key=Run.run_id,
    due=Run.status.in_([RunStatus.QUEUED.value, RunStatus.RUNNING.value]),
    begun=Run.status == RunStatus.RUNNING.value,
    leases=RUN_LEASES,
    does="services.runs.run.run_submission",
    fails="services.runs.joint_pass.fail_run_and_queue_passes",
    attempts=Run.attempts,
    enqueued_at=Run.enqueued_at,
    share=Share(Submission.batch_id, Run.submission_id),
    on_take={"started_at": func.coalesce(Run.started_at, func.now())},
    over=Run.status.in_([RunStatus.SETTLED.value, RunStatus.SUPERSEDED.value, RunStatus.FAILED.value]),
    pruned_at=Run.pruned_at,
    failed=FailedRows(
        Submission.status == SubmissionStatus.FAILED.value,
        Submission.updated_at,
        place=Submission.id,
        table=Submission,
        key=func.concat(Submission.id, ":", Submission.run_no),
    ),
    retries="services.runs.settle.retry_failed_run",
    retried_by_person=True,
    stoppable=True,
    logged={"run_id": Run.run_id, "submission_id": Run.submission_id},
)
#: The same job under another name, for the rest of a run after the joint pass: the job of the first reading may
#: not have ended yet, and a job of its name would be refused.
RESTS = replace(RUNS, kind=JobKind.REST, failed=None, retries=None)
_RUNS = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
#: Run the joint pass over the entries of a file, once all are known and read.
TOGETHER = Work(
    kind=JobKind.TOGETHER,
    key=Upload.id,
    due=and_(
        Upload.status.not_in(UNSPLIT),
        _RUNS.where(
            Submission.upload_id == Upload.id, or_(Run.status == RunStatus.READ.value, Run.shown_early)
        ).exists(),
        ~_RUNS.where(Submission.upload_id == Upload.id, RUNS.due, Run.together.is_(None)).exists(),
    ),
    begun=true(),
    leases=UPLOAD_LEASES,
    does="services.runs.joint_pass.decide_together",
    fails="services.runs.joint_pass.fail_together",
    attempts=Upload.together_attempts,
    enqueued_at=Upload.together_enqueued_at,
    queues=JobKind.REST,
    logged={"upload_id": Upload.id},
)
#: Run the joint pass over the entries of a batch, once no work on it runs and something was read since the last
#: pass.
BATCHES = Work(
    kind=JobKind.BATCH,
    key=UploadBatch.id,
    due=and_(
        _RUNS.where(Submission.batch_id == UploadBatch.id, Run.batch_due).exists(),
        ~select(Upload.id).where(Upload.batch_id == UploadBatch.id, Upload.status.in_(UNSPLIT)).exists(),
        ~_RUNS.where(
            Submission.batch_id == UploadBatch.id,
            or_(RUNS.due, Run.status == RunStatus.READ.value, Run.shown_early),
        ).exists(),
        or_(UploadBatch.together_at.is_(None), UploadBatch.together_at <= func.now() - BETWEEN_BATCH_PASSES),
    ),
    begun=true(),
    leases=BATCH_LEASES,
    does="services.runs.joint_pass.decide_batch_and_tell",
    fails="services.runs.joint_pass.fail_batch",
    attempts=UploadBatch.together_attempts,
    enqueued_at=UploadBatch.together_enqueued_at,
    logged={"batch_id": UploadBatch.id},
)
#: Carry out a person's decision in the run that waited for it. The lease is that of the run: a running
#: job without it has lost its worker, or is about to find the lease taken.
RESUMES: Work[Any] = Work(
    kind=JobKind.RESUME,
    key=Escalation.id,
    due=and_(
        Escalation.decided_at.is_not(None),
        Escalation.resumed_at.is_(None),
        select(Run.run_id).where(Run.run_id == Escalation.run_id, RUN_LEASES.expired()).exists(),
    ),
    begun=true(),
    leases=None,
    does="services.runs.run.resume_run",
    fails=None,
    attempts=None,
    logged={"escalation_id": Escalation.id},
)
#: Make the file of an export.
EXPORTS = Work(
    kind=JobKind.EXPORT,
    key=Export.id,
    due=Export.status.in_([ExportStatus.QUEUED.value, ExportStatus.RUNNING.value]),
    begun=Export.status == ExportStatus.RUNNING.value,
    leases=EXPORT_LEASES,
    does="services.exports.making.make_export",
    fails={"status": ExportStatus.FAILED.value, "finished_at": func.now()},
    attempts=Export.attempts,
    enqueued_at=Export.enqueued_at,
    on_take={
        "status": ExportStatus.RUNNING.value,
        "rows_done": 0,
        "started_at": func.coalesce(Export.started_at, func.now()),
    },
    limit="report_timeout_seconds",
    failed=FailedRows(
        Export.status == ExportStatus.FAILED.value, func.coalesce(Export.finished_at, Export.created_at)
    ),
    retries="services.exports.request.retry_export",
    stoppable=True,
    logged={"export_id": Export.id},
)
#: Send a mail. A mail that could not be sent is due again later.
MAILS = Work(
    kind=JobKind.MAIL,
    key=OutgoingMail.id,
    due=and_(OutgoingMail.state == MailState.WAITING.value, OutgoingMail.due_at <= func.now()),
    begun=OutgoingMail.attempts > 0,
    leases=MAIL_LEASES,
    does="services.mails.mails.send_waiting",
    fails={"state": MailState.FAILED.value},
    attempts=OutgoingMail.attempts,
    enqueued_at=OutgoingMail.enqueued_at,
    most_attempts=1 + len(MAIL_WAITS),
    failed=FailedRows(OutgoingMail.state == MailState.FAILED.value, OutgoingMail.created_at),
    retries="services.mails.mails.retry_mail",
    queue_name=PROMPT_QUEUE_NAME,
    reads_entries=False,
    logged={"mail_id": OutgoingMail.id},
)
#: Read the sample that shows an admin whether reading works here.
PROBES = Work(
    kind=JobKind.PROBE,
    key=SetUpStep.step,
    due=SetUpStep.state == SetUpState.TRYING.value,
    begun=SetUpStep.attempts > 0,
    leases=SET_UP_LEASES,
    does="services.season_admin.set_up.read_set_up_sample",
    fails="services.season_admin.set_up.fail_set_up_sample",
    attempts=SetUpStep.attempts,
    enqueued_at=SetUpStep.enqueued_at,
    reads_entries=False,
)
#: Read a blank form and make the first marks on it.
BLANKS = Work(
    kind=JobKind.BLANK,
    key=FormDraft.id,
    due=FormDraft.status.in_([FormDraftStatus.QUEUED.value, FormDraftStatus.READING.value]),
    begun=FormDraft.status == FormDraftStatus.READING.value,
    leases=FORM_DRAFT_LEASES,
    does="services.form_studio.blank.read_blank",
    fails={"status": FormDraftStatus.FAILED.value},
    attempts=FormDraft.attempts,
    enqueued_at=FormDraft.enqueued_at,
    on_take={"status": FormDraftStatus.READING.value},
    failed=FailedRows(FormDraft.status == FormDraftStatus.FAILED.value, FormDraft.created_at),
    retries="services.form_studio.draft.retry_draft",
    stoppable=True,
    logged={"form_draft_id": FormDraft.id},
)
#: Read a sample by the marks of a draft.
SAMPLES = Work(
    kind=JobKind.SAMPLE,
    key=FormSample.id,
    due=FormSample.status.in_([FormSampleStatus.QUEUED.value, FormSampleStatus.RUNNING.value]),
    begun=FormSample.status == FormSampleStatus.RUNNING.value,
    leases=FORM_SAMPLE_LEASES,
    does="services.form_studio.samples.read_sample",
    fails={"status": FormSampleStatus.FAILED.value, "finished_at": func.now()},
    attempts=FormSample.attempts,
    enqueued_at=FormSample.enqueued_at,
    on_take={"status": FormSampleStatus.RUNNING.value},
    failed=FailedRows(
        FormSample.status == FormSampleStatus.FAILED.value,
        func.coalesce(FormSample.finished_at, FormSample.created_at),
        place=FormSample.draft_id,
    ),
    retries="services.form_studio.samples.retry_sample",
    stoppable=True,
    logged={"form_sample_id": FormSample.id},
)
#: Send somebody the link for a new password. The lease of an attempt delays the next one.
RESETS = Work(
    kind=JobKind.RESET,
    key=ResetRequest.id,
    due=true(),
    begun=ResetRequest.attempts > 0,
    leases=RESET_LEASES,
    does="services.accounts.mailed_links.send_reset",
    fails="services.accounts.mailed_links.fail_reset",
    attempts=ResetRequest.attempts,
    enqueued_at=ResetRequest.enqueued_at,
    queue_name=PROMPT_QUEUE_NAME,
    reads_entries=False,
)
#: Give the entries of a batch the values said of it.
BATCH_DEFAULTS = Work(
    kind=JobKind.DEFAULTS,
    key=BatchDefault.id,
    due=BatchDefault.status == BatchDefaultStatus.APPLYING.value,
    begun=BatchDefault.attempts > 0,
    leases=BATCH_DEFAULT_LEASES,
    does="services.batches.giving.run_defaults",
    # What was given by then stands, and can be taken back.
    fails={"status": BatchDefaultStatus.FAILED.value},
    attempts=BatchDefault.attempts,
    enqueued_at=BatchDefault.enqueued_at,
    limit="report_timeout_seconds",
    failed=FailedRows(
        BatchDefault.status == BatchDefaultStatus.FAILED.value,
        BatchDefault.created_at,
        place=BatchDefault.batch_id,
    ),
    retries="services.batches.giving.retry_defaults",
    logged={"batch_id": BatchDefault.batch_id},
)
#: Prepare, apply or undo a bulk change.
BULK_CHANGES = Work(
    kind=JobKind.BULK,
    key=BulkChange.id,
    due=BulkChange.status.in_(BULK_WORKING),
    begun=BulkChange.attempts > 0,
    leases=BULK_LEASES,
    does="services.many.bulk_change.run_change",
    # What was changed by then stands, and can be undone.
    fails={"status": BulkStatus.FAILED.value, "finished_at": func.now()},
    attempts=BulkChange.attempts,
    enqueued_at=BulkChange.enqueued_at,
    on_take={"started_at": func.coalesce(BulkChange.started_at, func.now())},
    limit="report_timeout_seconds",
    failed=FailedRows(
        BulkChange.status == BulkStatus.FAILED.value, func.coalesce(BulkChange.finished_at, BulkChange.created_at)
    ),
    retries="services.many.bulk_request.retry_change",
    logged={"bulk_id": BulkChange.id},
)
#: Read an entry again to compare, apply the new reading, or undo that.
REREADS = Work(
    kind=JobKind.REREAD,
    key=RereadItem.id,
    due=RereadItem.status.in_(REREAD_WORKING),
    begun=RereadItem.attempts > 0,
    leases=REREAD_LEASES,
    does="services.many.reread.work_item",
    fails="services.many.reread.fail_item",
    attempts=RereadItem.attempts,
    enqueued_at=RereadItem.enqueued_at,
    share=Share(RereadItem.reread_id),
    logged={"item_id": RereadItem.id},
)
ALL: tuple[Work[Any], ...] = (
    UPLOADS,
    PAGE_RANGES,
    RUNS,
    TOGETHER,
    BATCHES,
    RESUMES,
    DOCUMENTS,
    MEANINGS,
    EXPORTS,
    MAILS,
    PROBES,
    BLANKS,
    SAMPLES,
    RESETS,
    BATCH_DEFAULTS,
    BULK_CHANGES,
    REREADS,
    REPORTS,
    SUPERVISIONS,
)
#: Every kind of job, and the work behind it; OTHER has none.
WORK: Mapping[JobKind, Work[Any]] = {work.kind: work for work in (*ALL, RESTS)}

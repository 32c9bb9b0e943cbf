"""The registry of recoverable work: every kind, declared once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select, true

from core.models import (
    BULK_WORKING,
    OPEN_SUPERVISIONS,
    REREAD_WORKING,
    BulkChange,
    EmbeddingStatus,
    Escalation,
    Export,
    ExportStatus,
    FormDraft,
    FormDraftStatus,
    FormSample,
    FormSampleStatus,
    LibraryDocument,
    LibraryStatus,
    MailState,
    OutgoingMail,
    PageRange,
    Report,
    ReportRevision,
    ReportStatus,
    ReportSupervision,
    RereadItem,
    ResetRequest,
    Run,
    RunStatus,
    SetUpState,
    SetUpStep,
    Submission,
    SupervisionStatus,
    Upload,
    UploadBatch,
    UploadStatus,
)
from core.models.leases import (
    BATCH_LEASES,
    BULK_LEASES,
    DOCUMENT_LEASES,
    EXPORT_LEASES,
    FORM_DRAFT_LEASES,
    FORM_SAMPLE_LEASES,
    MAIL_LEASES,
    PAGE_RANGE_LEASES,
    REPORT_LEASES,
    REREAD_LEASES,
    RESET_LEASES,
    RUN_LEASES,
    SET_UP_LEASES,
    SUPERVISION_LEASES,
    UPLOAD_LEASES,
)
from core.queue import BEHIND_QUEUE_NAME, PAGES_QUEUE_NAME
from services.recovery.work import Work

#: How long the checkpoints of a failed or stopped report are kept for a retry; later ones restart from its tables.
_CHECKPOINTS_KEPT = timedelta(days=1)
#: Least time between two passes over one batch: where files come more slowly than they are read, each would be
#: the last one for a moment.
BETWEEN_BATCH_PASSES = timedelta(minutes=1)


def _counted(row: type[Run] | type[BulkChange] | type[Report] | type[ReportSupervision]) -> dict[str, Any]:
    return {"attempts": row.attempts + 1, "started_at": func.coalesce(row.started_at, func.now())}


#: Statuses of a file of which more entries may be found.
UNSPLIT = (UploadStatus.STORED.value, UploadStatus.ANALYSING.value)

#: Analyse a stored file and split it into entries, or divide the reading of its pages if there are many.
UPLOADS = Work(
    name="upload",
    function="jobs.process_submission.process_submission_job",
    key=Upload.id,
    due=and_(Upload.status.in_(UNSPLIT), ~select(PageRange.id).where(PageRange.upload_id == Upload.id).exists()),
    begun=Upload.status == UploadStatus.ANALYSING.value,
    leases=UPLOAD_LEASES,
    enqueued_at=Upload.enqueued_at,
    on_take={
        "status": UploadStatus.ANALYSING.value,
        "attempts": Upload.attempts + 1,
        "updated_at": func.now(),
    },
)

#: Read some pages of a long file.
PAGE_RANGES = Work(
    name="pages",
    function="jobs.read_pages.read_pages_job",
    key=PageRange.id,
    due=PageRange.outlines.is_(None),
    begun=PageRange.attempts > 0,
    leases=PAGE_RANGE_LEASES,
    enqueued_at=PageRange.enqueued_at,
    on_take={"attempts": PageRange.attempts + 1},
    queue_name=PAGES_QUEUE_NAME,
)

#: Do one run of one entry; the key is `submission:run_no`.
RUNS = Work(
    name="run",
    function="jobs.run_submission.run_submission_job",
    key=Run.run_id,
    due=Run.status.in_([RunStatus.QUEUED.value, RunStatus.RUNNING.value]),
    begun=Run.status == RunStatus.RUNNING.value,
    leases=RUN_LEASES,
    enqueued_at=Run.enqueued_at,
    on_take=_counted(Run),
    over=Run.status.in_([RunStatus.SETTLED.value, RunStatus.SUPERSEDED.value, RunStatus.FAILED.value]),
    pruned_at=Run.pruned_at,
)

#: The same job by another name, for the rest of a run after the joint pass: the job of the first reading may not
#: have ended yet, and a job of its name would be refused.
RESTS = replace(RUNS, name="rest")

_RUNS = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)

#: Decide together what the entries of a file say about each other, once all are known and each of them was read.
TOGETHER = Work(
    name="together",
    function="jobs.decide_together.decide_together_job",
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
    enqueued_at=Upload.together_enqueued_at,
    on_take={"together_attempts": Upload.together_attempts + 1},
)

#: Decide together what all entries of a batch say about each other, once nothing of it is under way and something
#: was read since the last time.
BATCHES = Work(
    name="batch",
    function="jobs.decide_batch.decide_batch_job",
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
    enqueued_at=UploadBatch.together_enqueued_at,
    on_take={"together_attempts": UploadBatch.together_attempts + 1},
)

#: Carry out a person's decision in the run that waited for it. The lease is that of the run: a job that runs
#: without one has lost its worker, or is about to find the lease taken.
RESUMES: Work[Any] = Work(
    name="resume",
    function="jobs.resume_run.resume_run_job",
    key=Escalation.id,
    due=and_(
        Escalation.decided_at.is_not(None),
        Escalation.resumed_at.is_(None),
        select(Run.run_id).where(Run.run_id == Escalation.run_id, RUN_LEASES.expired()).exists(),
    ),
    begun=true(),
    leases=None,
)
#: Columns set when a worker takes a run to resume it.
ON_RESUME = RUNS.on_take

#: Read a document of the library into passages.
DOCUMENTS = Work(
    name="library",
    function="jobs.read_library_document.read_library_document_job",
    key=LibraryDocument.id,
    due=LibraryDocument.status.in_([LibraryStatus.QUEUED.value, LibraryStatus.READING.value]),
    begun=LibraryDocument.status == LibraryStatus.READING.value,
    leases=DOCUMENT_LEASES,
    enqueued_at=LibraryDocument.enqueued_at,
    on_take={
        "status": LibraryStatus.READING.value,
        "attempts": LibraryDocument.attempts + 1,
        "pages_done": 0,
        "updated_at": func.now(),
    },
)

#: Compute the vectors of a document's passages. A document that is being read has none to compute, so that one
#: lease does for both.
MEANINGS = Work(
    name="meaning",
    function="jobs.embed_document.embed_document_job",
    key=LibraryDocument.id,
    due=and_(
        LibraryDocument.status == LibraryStatus.READY.value,
        LibraryDocument.embedding.in_([EmbeddingStatus.QUEUED.value, EmbeddingStatus.RUNNING.value]),
    ),
    begun=LibraryDocument.embedding == EmbeddingStatus.RUNNING.value,
    leases=DOCUMENT_LEASES,
    enqueued_at=LibraryDocument.embedding_enqueued_at,
    on_take={
        "embedding": EmbeddingStatus.RUNNING.value,
        "embedding_attempts": LibraryDocument.embedding_attempts + 1,
    },
    limit="report_timeout_seconds",
    queue_name=BEHIND_QUEUE_NAME,
)

#: Make the file of an export.
EXPORTS = Work(
    name="export",
    function="jobs.make_export.make_export_job",
    key=Export.id,
    due=Export.status.in_([ExportStatus.QUEUED.value, ExportStatus.RUNNING.value]),
    begun=Export.status == ExportStatus.RUNNING.value,
    leases=EXPORT_LEASES,
    enqueued_at=Export.enqueued_at,
    on_take={
        "status": ExportStatus.RUNNING.value,
        "attempts": Export.attempts + 1,
        "rows_done": 0,
        "started_at": func.coalesce(Export.started_at, func.now()),
    },
    limit="report_timeout_seconds",
)

#: Send a mail. What could not be sent for now is due again later.
MAILS = Work(
    name="mail",
    function="jobs.send_mail.send_mail_job",
    key=OutgoingMail.id,
    due=and_(OutgoingMail.state == MailState.WAITING.value, OutgoingMail.due_at <= func.now()),
    begun=OutgoingMail.attempts > 0,
    leases=MAIL_LEASES,
    enqueued_at=OutgoingMail.enqueued_at,
    on_take={"attempts": OutgoingMail.attempts + 1},
)

#: Read the sample, which shows an admin that reading works here.
PROBES = Work(
    name="probe",
    function="jobs.read_sample.read_sample_job",
    key=SetUpStep.step,
    due=SetUpStep.state == SetUpState.TRYING.value,
    begun=SetUpStep.attempts > 0,
    leases=SET_UP_LEASES,
    enqueued_at=SetUpStep.enqueued_at,
    on_take={"attempts": SetUpStep.attempts + 1},
)

#: Read a blank form and make the first marks on it.
BLANKS = Work(
    name="blank",
    function="jobs.read_blank.read_blank_job",
    key=FormDraft.id,
    due=FormDraft.status.in_([FormDraftStatus.QUEUED.value, FormDraftStatus.READING.value]),
    begun=FormDraft.status == FormDraftStatus.READING.value,
    leases=FORM_DRAFT_LEASES,
    enqueued_at=FormDraft.enqueued_at,
    on_take={"status": FormDraftStatus.READING.value, "attempts": FormDraft.attempts + 1},
)

#: Read a sample by the marks of a draft.
SAMPLES = Work(
    name="sample",
    function="jobs.try_form.try_form_job",
    key=FormSample.id,
    due=FormSample.status.in_([FormSampleStatus.QUEUED.value, FormSampleStatus.RUNNING.value]),
    begun=FormSample.status == FormSampleStatus.RUNNING.value,
    leases=FORM_SAMPLE_LEASES,
    enqueued_at=FormSample.enqueued_at,
    on_take={"status": FormSampleStatus.RUNNING.value, "attempts": FormSample.attempts + 1},
)

#: Send somebody the link for a new password. The lease of the attempt before keeps the next one waiting.
RESETS = Work(
    name="reset",
    function="jobs.send_reset.send_reset_job",
    key=ResetRequest.id,
    due=true(),
    begun=ResetRequest.attempts > 0,
    leases=RESET_LEASES,
    enqueued_at=ResetRequest.enqueued_at,
    on_take={"attempts": ResetRequest.attempts + 1},
)

#: Prepare, apply or undo a change of many entries.
BULK_CHANGES = Work(
    name="bulk",
    function="jobs.office.change_many.change_many_job",
    key=BulkChange.id,
    due=BulkChange.status.in_(BULK_WORKING),
    begun=BulkChange.attempts > 0,
    leases=BULK_LEASES,
    enqueued_at=BulkChange.enqueued_at,
    on_take=_counted(BulkChange),
    limit="report_timeout_seconds",
)

#: Read an entry anew to compare, take what was read, or take it back.
REREADS = Work(
    name="reread",
    function="jobs.office.read_anew.read_anew_job",
    key=RereadItem.id,
    due=RereadItem.status.in_(REREAD_WORKING),
    begun=RereadItem.attempts > 0,
    leases=REREAD_LEASES,
    enqueued_at=RereadItem.enqueued_at,
    on_take={"attempts": RereadItem.attempts + 1},
)

#: Research a report, or continue it after a person has approved its plan.
REPORTS = Work(
    name="report",
    function="jobs.run_report.run_report_job",
    key=Report.id,
    due=or_(
        Report.status.in_([ReportStatus.QUEUED.value, ReportStatus.RUNNING.value]),
        and_(
            Report.status == ReportStatus.AWAITING_PLAN.value,
            Report.plan_approved_at.is_not(None),
            Report.plan_resumed_at.is_(None),
        ),
    ),
    begun=Report.status != ReportStatus.QUEUED.value,
    leases=REPORT_LEASES,
    enqueued_at=Report.enqueued_at,
    on_take=_counted(Report),
    limit="report_timeout_seconds",
    over=or_(
        Report.status == ReportStatus.DONE.value,
        and_(
            Report.status.in_([ReportStatus.FAILED.value, ReportStatus.CANCELLED.value]),
            Report.finished_at < func.now() - _CHECKPOINTS_KEPT,
        ),
    ),
    pruned_at=Report.pruned_at,
)

#: Run a supervision, or continue it after a person has decided on its revision.
SUPERVISIONS = Work(
    name="supervision",
    function="jobs.run_supervision.run_supervision_job",
    key=ReportSupervision.id,
    due=or_(
        ReportSupervision.status.in_([SupervisionStatus.QUEUED.value, SupervisionStatus.RUNNING.value]),
        and_(
            ReportSupervision.status == SupervisionStatus.AWAITING_DECISION.value,
            select(ReportRevision.id)
            .where(
                ReportRevision.supervision_id == ReportSupervision.id,
                ReportRevision.decided_at.is_not(None),
                ReportRevision.resumed_at.is_(None),
            )
            .exists(),
        ),
    ),
    begun=ReportSupervision.status != SupervisionStatus.QUEUED.value,
    leases=SUPERVISION_LEASES,
    enqueued_at=ReportSupervision.enqueued_at,
    on_take=_counted(ReportSupervision),
    limit="report_timeout_seconds",
    # A retry starts a new supervision, so that the checkpoints of an ended one are not needed.
    over=ReportSupervision.status.not_in(OPEN_SUPERVISIONS),
    pruned_at=ReportSupervision.pruned_at,
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
    BULK_CHANGES,
    REREADS,
    REPORTS,
    SUPERVISIONS,
)

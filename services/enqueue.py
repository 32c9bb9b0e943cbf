"""Put an upload, a run or a resume on the queue, and note when: a crash in between is the reconciler's to mend."""

from __future__ import annotations

import uuid

from sqlalchemy import update

from core.clock import utcnow
from core.models import LibraryDocument, Report, ReportSupervision, Run, Upload
from core.queue import enqueue
from services.context import Context

PROCESS = "jobs.process_submission.process_submission_job"
RUN = "jobs.run_submission.run_submission_job"
RESUME = "jobs.resume_run.resume_run_job"
READ = "jobs.read_library_document.read_library_document_job"
REPORT = "jobs.run_report.run_report_job"
SUPERVISION = "jobs.run_supervision.run_supervision_job"


def enqueue_upload(context: Context, upload_id: uuid.UUID, replace: bool = False) -> None:
    """Have a stored file analysed and split."""
    _put(context, PROCESS, str(upload_id), f"upload-{upload_id}", replace)
    with context.database.session() as session:
        session.execute(update(Upload).where(Upload.id == upload_id).values(enqueued_at=utcnow()))


def enqueue_run(context: Context, run_id: str, replace: bool = False) -> None:
    """Have one run of one entry done; `run_id` is `submission:run_no`."""
    _put(context, RUN, run_id, f"run-{run_id.replace(':', '-')}", replace)
    with context.database.session() as session:
        session.execute(update(Run).where(Run.run_id == run_id).values(enqueued_at=utcnow()))


def enqueue_resume(context: Context, escalation_id: uuid.UUID, replace: bool = False) -> None:
    """Have a waiting run resumed with the decision that stands in its row."""
    _put(context, RESUME, str(escalation_id), f"resume-{escalation_id}", replace)


def enqueue_library_document(context: Context, document_id: uuid.UUID, replace: bool = False) -> None:
    """Have a document of the library read."""
    _put(context, READ, str(document_id), f"library-{document_id}", replace)
    with context.database.session() as session:
        session.execute(
            update(LibraryDocument).where(LibraryDocument.id == document_id).values(enqueued_at=utcnow())
        )


def enqueue_report(context: Context, report_id: uuid.UUID, replace: bool = False) -> None:
    """Have a report researched, from its last checkpoint where there is one."""
    seconds = context.settings.report_timeout_seconds
    enqueue(context.redis, REPORT, str(report_id), f"report-{report_id}", seconds, replace)
    with context.database.session() as session:
        session.execute(update(Report).where(Report.id == report_id).values(enqueued_at=utcnow()))


def enqueue_supervision(context: Context, supervision_id: uuid.UUID, replace: bool = False) -> None:
    """Have a report deepened, from the loop's last checkpoint where there is one."""
    seconds = context.settings.report_timeout_seconds
    enqueue(context.redis, SUPERVISION, str(supervision_id), f"supervision-{supervision_id}", seconds, replace)
    with context.database.session() as session:
        session.execute(
            update(ReportSupervision).where(ReportSupervision.id == supervision_id).values(enqueued_at=utcnow())
        )


def _put(context: Context, function: str, argument: str, job_id: str, replace: bool) -> None:
    enqueue(context.redis, function, argument, job_id, context.settings.job_timeout_seconds, replace)

"""The kinds of background work of research: reports and their supervision, documents of the library."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import and_, func, or_, select

from core.models import (
    OPEN_SUPERVISIONS,
    EmbeddingStatus,
    LibraryDocument,
    LibraryStatus,
    Report,
    ReportRevision,
    ReportStatus,
    ReportSupervision,
    SupervisionStatus,
)
from core.models.leases import DOCUMENT_LEASES, REPORT_LEASES, SUPERVISION_LEASES
from core.queue import BEHIND_QUEUE_NAME, RESEARCH_QUEUE_NAME
from core.work import FailedRows, JobKind, Share, Work

#: How long the checkpoints of a failed or stopped report are kept for a retry; later ones restart from its tables.
_CHECKPOINTS_KEPT = timedelta(days=1)
#: Read a document of the library into passages.
DOCUMENTS = Work(
    kind=JobKind.LIBRARY,
    key=LibraryDocument.id,
    due=LibraryDocument.status.in_([LibraryStatus.QUEUED.value, LibraryStatus.READING.value]),
    begun=LibraryDocument.status == LibraryStatus.READING.value,
    leases=DOCUMENT_LEASES,
    does="services.library.reading.read_library_document",
    fails={"status": LibraryStatus.FAILED.value, "updated_at": func.now()},
    attempts=LibraryDocument.attempts,
    enqueued_at=LibraryDocument.enqueued_at,
    share=Share(LibraryDocument.added_by),
    on_take={"status": LibraryStatus.READING.value, "pages_done": 0, "updated_at": func.now()},
    failed=FailedRows(LibraryDocument.status == LibraryStatus.FAILED.value, LibraryDocument.updated_at),
    retries="services.library.documents.retry_document",
    stoppable=True,
    reads_entries=False,
    logged={"library_document_id": LibraryDocument.id},
)
#: Compute the vectors of a document's passages. A document that is being read has none to compute, so both
#: share one lease.
MEANINGS = Work(
    kind=JobKind.MEANING,
    key=LibraryDocument.id,
    due=and_(
        LibraryDocument.status == LibraryStatus.READY.value,
        LibraryDocument.embedding.in_([EmbeddingStatus.QUEUED.value, EmbeddingStatus.RUNNING.value]),
    ),
    begun=LibraryDocument.embedding == EmbeddingStatus.RUNNING.value,
    leases=DOCUMENT_LEASES,
    does="services.library.passages.embed_document",
    # Without vectors it is still found by its words.
    fails={"embedding": EmbeddingStatus.FAILED.value},
    attempts=LibraryDocument.embedding_attempts,
    enqueued_at=LibraryDocument.embedding_enqueued_at,
    on_take={"embedding": EmbeddingStatus.RUNNING.value},
    limit="report_timeout_seconds",
    queue_name=BEHIND_QUEUE_NAME,
    failed=FailedRows(
        and_(
            LibraryDocument.status == LibraryStatus.READY.value,
            LibraryDocument.embedding == EmbeddingStatus.FAILED.value,
        ),
        LibraryDocument.updated_at,
    ),
    retries="services.library.documents.retry_document",
    stoppable=True,
    reads_entries=False,
    logged={"library_document_id": LibraryDocument.id},
)
#: Research a report, or continue it after a person has approved its plan.
REPORTS = Work(
    kind=JobKind.REPORT,
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
    does="services.reports.run.run_report",
    fails="services.reports.run.fail_report",
    attempts=Report.attempts,
    enqueued_at=Report.enqueued_at,
    queue_name=RESEARCH_QUEUE_NAME,
    on_take={"started_at": func.coalesce(Report.started_at, func.now())},
    limit="report_timeout_seconds",
    over=or_(
        Report.status == ReportStatus.DONE.value,
        and_(
            Report.status.in_([ReportStatus.FAILED.value, ReportStatus.CANCELLED.value]),
            Report.finished_at < func.now() - _CHECKPOINTS_KEPT,
        ),
    ),
    pruned_at=Report.pruned_at,
    failed=FailedRows(Report.status == ReportStatus.FAILED.value, Report.updated_at),
    retries="services.reports.request.retry_report",
    retried_by_person=True,
    stoppable=True,
    stops="services.reports.request.cancel_report",
    reads_entries=False,
    logged={"report_id": Report.id},
)
#: Run a supervision, or continue it after a person has decided on its revision.
SUPERVISIONS = Work(
    kind=JobKind.SUPERVISION,
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
    does="services.supervision.run.run_supervision",
    fails="services.supervision.run.fail_supervision",
    attempts=ReportSupervision.attempts,
    enqueued_at=ReportSupervision.enqueued_at,
    queue_name=RESEARCH_QUEUE_NAME,
    on_take={"started_at": func.coalesce(ReportSupervision.started_at, func.now())},
    limit="report_timeout_seconds",
    # A retry starts a new supervision, so that the checkpoints of an ended one are not needed.
    over=ReportSupervision.status.not_in(OPEN_SUPERVISIONS),
    pruned_at=ReportSupervision.pruned_at,
    failed=FailedRows(
        ReportSupervision.status == SupervisionStatus.FAILED.value,
        ReportSupervision.updated_at,
        place=ReportSupervision.report_id,
    ),
    retries="services.supervision.request.retry_supervision",
    retried_by_person=True,
    stoppable=True,
    stops="services.supervision.request.cancel_supervision",
    reads_entries=False,
    logged={"supervision_id": ReportSupervision.id},
)

"""Work that has failed for good: rows that wait for a person to try them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    SQLColumnExpression,
    Text,
    and_,
    cast,
    func,
    literal,
    null,
    select,
    union_all,
)
from sqlalchemy.dialects.postgresql import JSONB

from core.messages import Message
from core.models import (
    Base,
    BulkChange,
    BulkStatus,
    EmbeddingStatus,
    Export,
    ExportStatus,
    FormDraft,
    FormDraftStatus,
    FormSample,
    FormSampleStatus,
    JobFailure,
    LibraryDocument,
    LibraryStatus,
    MailState,
    OutgoingMail,
    Report,
    ReportStatus,
    ReportSupervision,
    Submission,
    SubmissionStatus,
    SupervisionStatus,
    Upload,
    UploadStatus,
)
from services.context import Context
from services.queue.kinds import JobKind

#: Limit of failed work that is listed.
LISTED = 50


@dataclass(frozen=True)
class FailedWork:
    """One row that has failed."""

    kind: JobKind
    #: The key of the row as its jobs have it.
    key: str
    #: What its page is found by: a file's upload, an entry, a document, a report.
    place: str
    failed_at: datetime
    #: What went wrong, for people; None where the row does not say it.
    error: Message | None
    #: See `core.queue.masked_error.masked`; empty where nothing was recorded.
    traceback: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class _Source:
    """Where failed work of one kind is found."""

    kind: JobKind
    table: type[Base]
    key: SQLColumnExpression[str]
    place: SQLColumnExpression[str]
    failed: ColumnElement[bool]
    at: SQLColumnExpression[Any]
    code: SQLColumnExpression[Any]
    params: SQLColumnExpression[Any]


_NO_PARAMS = cast(null(), JSONB)
_SOURCES = (
    _Source(
        JobKind.UPLOAD,
        Upload,
        cast(Upload.id, Text),
        cast(Upload.batch_id, Text),
        Upload.status == UploadStatus.FAILED.value,
        Upload.updated_at,
        Upload.error_code,
        Upload.error_params,
    ),
    _Source(
        JobKind.RUN,
        Submission,
        func.concat(Submission.id, ":", Submission.run_no),
        cast(Submission.id, Text),
        Submission.status == SubmissionStatus.FAILED.value,
        Submission.updated_at,
        Submission.error_code,
        Submission.error_params,
    ),
    _Source(
        JobKind.MEANING,
        LibraryDocument,
        cast(LibraryDocument.id, Text),
        cast(LibraryDocument.id, Text),
        and_(
            LibraryDocument.status == LibraryStatus.READY.value,
            LibraryDocument.embedding == EmbeddingStatus.FAILED.value,
        ),
        LibraryDocument.updated_at,
        LibraryDocument.error_code,
        LibraryDocument.error_params,
    ),
    _Source(
        JobKind.LIBRARY,
        LibraryDocument,
        cast(LibraryDocument.id, Text),
        cast(LibraryDocument.id, Text),
        LibraryDocument.status == LibraryStatus.FAILED.value,
        LibraryDocument.updated_at,
        LibraryDocument.error_code,
        LibraryDocument.error_params,
    ),
    _Source(
        JobKind.EXPORT,
        Export,
        cast(Export.id, Text),
        cast(Export.id, Text),
        Export.status == ExportStatus.FAILED.value,
        func.coalesce(Export.finished_at, Export.created_at),
        Export.error_code,
        Export.error_params,
    ),
    _Source(
        JobKind.MAIL,
        OutgoingMail,
        cast(OutgoingMail.id, Text),
        cast(OutgoingMail.id, Text),
        OutgoingMail.state == MailState.FAILED.value,
        OutgoingMail.created_at,
        OutgoingMail.error_code,
        OutgoingMail.error_params,
    ),
    _Source(
        JobKind.BLANK,
        FormDraft,
        cast(FormDraft.id, Text),
        cast(FormDraft.id, Text),
        FormDraft.status == FormDraftStatus.FAILED.value,
        FormDraft.created_at,
        FormDraft.error_code,
        FormDraft.error_params,
    ),
    _Source(
        JobKind.SAMPLE,
        FormSample,
        cast(FormSample.id, Text),
        cast(FormSample.draft_id, Text),
        FormSample.status == FormSampleStatus.FAILED.value,
        func.coalesce(FormSample.finished_at, FormSample.created_at),
        FormSample.error_code,
        FormSample.error_params,
    ),
    _Source(
        JobKind.BULK,
        BulkChange,
        cast(BulkChange.id, Text),
        cast(BulkChange.id, Text),
        BulkChange.status == BulkStatus.FAILED.value,
        func.coalesce(BulkChange.finished_at, BulkChange.created_at),
        BulkChange.error_code,
        BulkChange.error_params,
    ),
    _Source(
        JobKind.REPORT,
        Report,
        cast(Report.id, Text),
        cast(Report.id, Text),
        Report.status == ReportStatus.FAILED.value,
        Report.updated_at,
        Report.error_code,
        _NO_PARAMS,
    ),
    _Source(
        JobKind.SUPERVISION,
        ReportSupervision,
        cast(ReportSupervision.id, Text),
        cast(ReportSupervision.report_id, Text),
        ReportSupervision.status == SupervisionStatus.FAILED.value,
        ReportSupervision.updated_at,
        ReportSupervision.error_code,
        _NO_PARAMS,
    ),
)
#: Kinds whose rows can fail for good.
MAY_FAIL = frozenset(source.kind for source in _SOURCES)


def failed_numbers(context: Context) -> dict[JobKind, int]:
    """Return how many rows of each kind have failed and wait for a person."""
    counts = union_all(
        *(
            select(literal(source.kind.value), func.count()).where(source.failed).select_from(source.table)
            for source in _SOURCES
        )
    )
    with context.database.session() as session:
        return {JobKind(kind): number for kind, number in session.execute(counts)}


def failed_work(context: Context, kind: JobKind | None = None, limit: int = LISTED) -> list[FailedWork]:
    """Return what has failed last, of one kind or of all."""
    rows = _rows([source for source in _SOURCES if kind in (None, source.kind)], limit).subquery()
    query = (
        select(rows, JobFailure.errors)
        .outerjoin(JobFailure, and_(JobFailure.kind == rows.c.kind, JobFailure.key == rows.c.key))
        .order_by(rows.c.failed_at.desc(), rows.c.key)
        .limit(limit)
    )
    with context.database.session() as session:
        found = session.execute(query).all()
    return [
        FailedWork(
            JobKind(row.kind),
            row.key,
            row.place,
            row.failed_at,
            Message(row.code, row.params or {}) if row.code else None,
            row.errors or (),
        )
        for row in found
    ]


def _rows(sources: Sequence[_Source], limit: int) -> CompoundSelect[Any]:
    return union_all(*(_newest(source, limit) for source in sources))


def _newest(source: _Source, limit: int) -> Select[Any]:
    newest = (
        select(
            literal(source.kind.value, Text).label("kind"),
            source.key.label("key"),
            source.place.label("place"),
            source.at.label("failed_at"),
            source.code.label("code"),
            source.params.label("params"),
        )
        .where(source.failed)
        .order_by(source.at.desc())
        .limit(limit)
        .subquery()
    )
    return select(newest)

"""Entries: the list, one in full, its audit trail; the retry of failed entries."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import Field

from core.models import SecurityEventKind, SubmissionStatus
from services.entries.list_order import ListOrder
from services.entries.list_submissions import list_submissions
from services.entries.submission_detail import SubmissionDetail, submission_detail
from services.runs.retry_run import retry_run
from web.api.protocol.operation import operation
from web.api.protocol.wire import (
    ListPage,
    MayFailShape,
    PageQuery,
    Share,
    Shown,
    Told,
)
from web.api.shapes.entry_shapes import DocumentShape, FieldValue, HistoryLine
from web.api.shapes.submission_filters import SubmissionFilters
from web.context import get_context, get_person
from web.security.viewed import viewed


class SubmissionQuery(PageQuery, SubmissionFilters):
    """Filters of the list of entries, its order, and which page."""

    sort: ListOrder = ListOrder.NEWEST


class SubmissionLine(Shown):
    """One line of the list."""

    id: uuid.UUID
    status: SubmissionStatus
    needs_review: bool
    reason_codes: list[str]
    confidence: Share | None
    student_name: str | None
    school_name: str | None
    grade: str | None
    filename: str
    page_start: int
    page_end: int
    created_at: datetime


class SubmissionList(ListPage[SubmissionLine]):
    """Entries, newest first unless sorted otherwise."""


class WaitingEscalation(Shown):
    """The pending escalation."""

    id: uuid.UUID
    version: int
    reason: Told
    created_at: datetime


class SubmissionShape(MayFailShape):
    """One entry in full."""

    id: uuid.UUID
    batch_id: uuid.UUID
    status: SubmissionStatus
    version: int
    run_no: int
    needs_review: bool
    reason_codes: list[str]
    missing_fields: list[str]
    confidence: Share | None
    student_name: str | None
    doc_class: str
    doc_format: str
    profile: str | None
    page_start: int
    page_end: int
    created_at: datetime
    document: DocumentShape
    fields: list[FieldValue]
    escalation: WaitingEscalation | None
    suggestion_id: uuid.UUID | None = Field(description="The proposal that waits for a person.")


class AuditTrail(Shown):
    """One page of the events of the entry, newest first."""

    version: int
    history: list[HistoryLine]
    next: str | None = Field(description="The `cursor` of the page after this one; null on the last.")
    previous: str | None = Field(description="The `cursor` of the page before this one; null on the first.")


class RunStarted(Shown):
    """The run that was started."""

    run_id: str


@operation(
    "GET",
    "/submissions",
    tag="submissions",
    rule="signed_in",
    scope="read",
    query=SubmissionQuery,
    answer=SubmissionList,
)
def list_entries(query: SubmissionQuery) -> Any:
    """List the entries of the season.

    Uploaders see their own.
    """
    return list_submissions(
        get_context(), get_person(), query.wanted(), query.cursor or None, query.limit, query.sort
    )


@operation(
    "GET",
    "/submissions/<uuid:submission_id>",
    tag="submissions",
    rule="signed_in",
    scope="read",
    answer=SubmissionShape,
)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_entry(submission_id: uuid.UUID) -> SubmissionDetail:
    """Show one entry with its fields and the places where they were read."""
    return submission_detail(get_context(), get_person(), submission_id)


@operation(
    "GET",
    "/submissions/<uuid:submission_id>/history",
    tag="submissions",
    rule="signed_in",
    scope="read",
    query=PageQuery,
    answer=AuditTrail,
)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_history(query: PageQuery, submission_id: uuid.UUID) -> Any:
    """Show who did what to an entry, when, before and after, and why."""
    entry = submission_detail(get_context(), get_person(), submission_id, query.cursor or None, query.limit)
    trail = entry.history
    return {"version": entry.version, "history": trail.rows, "next": trail.next, "previous": trail.previous}


@operation(
    "POST",
    "/submissions/<uuid:submission_id>/retry",
    tag="submissions",
    rule="uploader",
    scope="write",
    answer=RunStarted,
    status=202,
    problems=(409,),
)
def retry_entry(submission_id: uuid.UUID) -> RunStarted:
    """Read a failed entry again."""
    submission_detail(get_context(), get_person(), submission_id)
    return RunStarted(run_id=retry_run(get_context(), get_person().id, submission_id))

"""The API's entries, their records and pages."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from flask import Response
from pydantic import Field

from core.models import SecurityEventKind, SubmissionStatus
from services.entries.change import Edited, edit_record
from services.entries.detail import SubmissionDetail, submission_detail, surroundings_of
from services.entries.listing import ListOrder, list_submissions
from services.pages import WIDTHS, PageWords, original_file, page_image, page_words
from services.review.undo import last_decision, reopen_record
from services.runs.settle import retry_run
from services.uploads.contents import require_visible_upload, retry_upload
from web.access import get_context, get_person
from web.api.entry_shapes import DocumentShape, FieldValue, HistoryLine, SubmissionFilters
from web.api.operation import Media, operation, version_seen
from web.api.protocol import (
    FieldName,
    ListPage,
    MayFailShape,
    PageQuery,
    Reason,
    RequestModel,
    ResponseModel,
    Share,
    Told,
    Version,
    Words,
)
from web.security.requests import picture, sent_as_download, viewed


class SubmissionQuery(PageQuery, SubmissionFilters):
    """Filters of the list of entries, its order, and which page."""

    sort: ListOrder = ListOrder.NEWEST


class SubmissionLine(ResponseModel):
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


class WaitingEscalation(ResponseModel):
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


class AuditTrail(ResponseModel):
    """One page of the events of the entry, newest first."""

    version: int
    history: list[HistoryLine]
    next: str | None = Field(description="The `cursor` of the page after this one; null on the last.")
    previous: str | None = Field(description="The `cursor` of the page before this one; null on the first.")


class RunStarted(ResponseModel):
    """The run that was started."""

    run_id: str


@operation("GET", "/submissions", rule="signed_in", answer=SubmissionList)
def list_entries(query: SubmissionQuery) -> Any:
    """List the entries of the season.

    Uploaders see their own.
    """
    return list_submissions(
        get_context(), get_person(), query.wanted(), query.cursor or None, query.limit, query.sort
    )


@operation("GET", "/submissions/<uuid:submission_id>", rule="signed_in", answer=SubmissionShape)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_entry(submission_id: uuid.UUID) -> SubmissionDetail:
    """Show one entry with its fields and the places where they were read."""
    return submission_detail(get_context(), get_person(), submission_id)


@operation("GET", "/submissions/<uuid:submission_id>/history", rule="signed_in", answer=AuditTrail)
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def get_history(query: PageQuery, submission_id: uuid.UUID) -> Any:
    """Show who did what to an entry, when, before and after, and why."""
    entry = submission_detail(get_context(), get_person(), submission_id)
    trail = surroundings_of(get_context(), get_person(), entry, query.cursor or None, query.limit).history
    return {"version": entry.version, "history": trail.rows, "next": trail.next, "previous": trail.previous}


@operation(
    "POST",
    "/submissions/<uuid:submission_id>/retry",
    rule="uploader",
    answer=RunStarted,
    status=202,
    problems=(409,),
)
def retry_entry(submission_id: uuid.UUID) -> RunStarted:
    """Read a failed entry again."""
    submission_detail(get_context(), get_person(), submission_id)
    return RunStarted(run_id=retry_run(get_context(), get_person().id, submission_id))


# Correct the values of an entry, and reopen a settled one.


class RecordEdit(RequestModel):
    """Values to write."""

    version: Version | None = None
    values: dict[FieldName, Words | None] = Field(min_length=1, max_length=100)
    reason: Reason | None = None


class EditedShape(ResponseModel):
    """Status of the entry after a correction."""

    submission_id: uuid.UUID
    version: int
    status: SubmissionStatus
    missing: list[str]
    decision_id: uuid.UUID = Field(description="To take it back.")


class Reopening(RequestModel):
    """The reopening of an entry."""

    version: Version | None = None
    reason: Reason | None = None


class Reopened(ResponseModel):
    """Result of reopening an entry."""

    submission_id: uuid.UUID
    escalation_id: uuid.UUID
    decision_id: uuid.UUID | None = Field(description="To take it back.")


@operation("PATCH", "/submissions/<uuid:submission_id>", rule="reviewer", answer=EditedShape)
def edit_entry(submission_id: uuid.UUID, body: RecordEdit) -> Edited:
    """Correct values of an entry that is settled or waits."""
    return edit_record(get_context(), get_person().id, submission_id, version_seen(body), body.values, body.reason)


@operation("POST", "/submissions/<uuid:submission_id>/reopen", rule="reviewer", answer=Reopened)
def reopen_entry(submission_id: uuid.UUID, body: Reopening) -> Reopened:
    """Reopen a completed, settled or rejected entry, so that it waits for a person again."""
    context, person = get_context(), get_person()
    escalation_id = reopen_record(context, person.id, submission_id, version_seen(body), body.reason)
    decision_id = last_decision(context, person.id, submission_id)
    return Reopened(submission_id=submission_id, escalation_id=escalation_id, decision_id=decision_id)


# Files: originals, pictures and words of pages, and the retry of failed files.


_DEFAULT_WIDTH = 1200


class WordShape(ResponseModel):
    """One word and its box, in fractions (0-1) of the displayed page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class WordsShape(ResponseModel):
    """The lines of a page in reading order."""

    lines: list[list[WordShape]]
    turned: int = Field(description="Clockwise degrees that make its text stand upright.")


class PictureQuery(RequestModel):
    """The wanted size of the picture."""

    width: int = Field(
        _DEFAULT_WIDTH, ge=1, le=WIDTHS[-1], description="In pixels; the next larger that is kept is sent."
    )


@operation(
    "GET",
    "/uploads/<uuid:upload_id>/original",
    rule="signed_in",
    answer=Media("*/*", "The file, byte for byte, under its own content type."),
)
@viewed(SecurityEventKind.ORIGINAL_DOWNLOADED)
def get_original(upload_id: uuid.UUID) -> Response:
    """Fetch the original of a file."""
    require_visible_upload(get_context(), get_person(), upload_id)
    return sent_as_download(*original_file(get_context(), upload_id))


@operation(
    "GET",
    "/uploads/<uuid:upload_id>/pages/<int(min=1,max=999999):page_no>/picture",
    rule="signed_in",
    answer=Media("image/webp", "The page, upright."),
    conditional=True,
)
@viewed(SecurityEventKind.PAGES_VIEWED)
def get_page_picture(upload_id: uuid.UUID, page_no: int, query: PictureQuery) -> Response:
    """Fetch a page as a picture; boxes are fractions of it."""
    require_visible_upload(get_context(), get_person(), upload_id)
    tag = f"{upload_id}-{page_no}-{query.width}"
    return picture(tag, lambda: page_image(get_context(), upload_id, page_no, query.width))


@operation(
    "GET",
    "/uploads/<uuid:upload_id>/pages/<int(min=1,max=999999):page_no>/words",
    rule="signed_in",
    answer=WordsShape,
)
@viewed(SecurityEventKind.PAGES_VIEWED)
def get_page_words(upload_id: uuid.UUID, page_no: int) -> PageWords:
    """Show the words of a page, if they are known; no OCR is started for it."""
    require_visible_upload(get_context(), get_person(), upload_id)
    return page_words(get_context(), upload_id, page_no)


@operation(
    "POST", "/uploads/<uuid:upload_id>/retry", rule="uploader", scope="uploads", answer=None, problems=(409,)
)
def retry_file(upload_id: uuid.UUID) -> None:
    """Read a failed file again."""
    require_visible_upload(get_context(), get_person(), upload_id)
    retry_upload(get_context(), get_person().id, upload_id)

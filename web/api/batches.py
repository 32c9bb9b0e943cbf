"""Batches: upload files and follow their progress."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from flask import Response, request
from flask_babel import gettext
from pydantic import ConfigDict, Field, WithJsonSchema, computed_field
from sqlalchemy.exc import OperationalError
from werkzeug.datastructures import FileStorage

from core.errors import UploadUnconfirmedError
from core.models import SubmissionStatus, UploadStatus
from pipeline.validation.defaults import DEFAULT_FIELDS, LANGUAGE
from services.batches.received import checked_received
from services.batches.said import SaidOfBatch
from services.uploads.batch_progress import BatchProgress, batch_progress
from services.uploads.expect_submissions import MOST, expect_submissions
from services.uploads.recent_batches import recent_batches
from services.uploads.submit_files import submit_files
from web.api.protocol.operation import JSON, operation
from web.api.protocol.wire import Given, MayFailShape, Shown
from web.context import get_context, get_person, get_settings
from web.security.sent_form import incoming

SentFile = Annotated[FileStorage, WithJsonSchema({"type": "string", "format": "binary"})]


class NewFiles(Given):
    """Files to add to a batch."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    files: list[SentFile] = Field(min_length=1)


class NewBatch(NewFiles):
    """Files to be read."""

    one_entry: bool = Field(False, description="The files are the pages of one entry, in this order.")
    expected_entries: int = Field(0, ge=0, le=MOST, description="How many entries were sent; 0: nobody knows.")
    school_name: str = Field("", description="The school of every entry whose pages give none.")
    grade: str = Field("", description="The grade of every entry whose pages give none.")
    teacher_name: str = Field("", description="The teacher of every entry whose pages give none.")
    language: str = Field("", description="`en` or `es`, for every essay whose words do not tell.")
    received_on: str = Field(
        "", description="The day of the postmark, as 2026-03-31; without it that of the upload."
    )

    @property
    def said(self) -> SaidOfBatch:
        """What is said of the batch."""
        given = {key: getattr(self, key) for key in (*DEFAULT_FIELDS, LANGUAGE)}
        return SaidOfBatch(given, checked_received(get_settings(), self.received_on))


class BatchLine(Shown):
    """One batch."""

    id: uuid.UUID
    created_at: datetime
    file_count: int
    first_filename: str | None


class BatchList(Shown):
    """The person's own batches, newest first."""

    rows: list[BatchLine]


class EntryShape(MayFailShape):
    """One entry of a file."""

    id: uuid.UUID
    status: SubmissionStatus
    student_name: str | None
    school_name: str | None
    grade: str | None
    page_start: int
    page_end: int
    late: bool = Field(description="Received after the season's deadline.")


class FileShape(MayFailShape):
    """One file of the batch and what was found in it."""

    id: uuid.UUID
    filename: str
    byte_size: int
    status: UploadStatus
    page_count: int | None
    pages_read: int | None = Field(description="Of a long file whose pages are still being read: how many were.")
    duplicate_of: uuid.UUID | None = Field(
        description="Of a file with status `duplicate`: the one with the same bytes, if this person may see it."
    )
    working: bool
    entries: list[EntryShape]


class BatchShape(Shown):
    """The progress of a batch."""

    id: uuid.UUID
    one_entry: bool
    created_at: datetime
    file_count: int
    expected_entries: int | None = Field(description="How many entries were sent, as somebody said.")
    submissions_found: int
    files_done: int
    working: bool = Field(description="Whether something may still change by itself.")
    by_status: dict[str, int]
    unqueued: bool = Field(description="Whether a file is stored, but waits for a queue that does not answer.")
    files: list[FileShape]

    @computed_field(description="What to know while a file is `unqueued`, for people.")  # type: ignore[prop-decorator]
    @property
    def notice(self) -> str | None:
        """The sentence."""
        if not self.unqueued:
            return None
        return gettext(
            "The queue is not responding. Your files are safe and will be read as soon as it is "
            "back; do not upload them again."
        )


@operation("GET", "/batches", tag="batches", rule="uploader", scope="read", answer=BatchList)
def list_batches() -> Any:
    """List this person's recent batches."""
    return {"rows": recent_batches(get_context(), get_person(), limit=50)}


@operation(
    "POST",
    "/batches",
    tag="batches",
    rule="uploader",
    scope="uploads",
    body=NewBatch,
    multipart=True,
    answer=BatchShape,
    status=201,
    problems=(429,),
)
def upload_batch(body: NewBatch) -> Any:
    """Upload files and have them read."""
    batch_id = submit_files(get_context(), get_person().id, incoming(body.files), body.one_entry, said=body.said)
    if body.expected_entries:
        expect_submissions(get_context(), get_person(), batch_id, body.expected_entries)
    return _taken_in(batch_id)


@operation(
    "POST",
    "/batches/<uuid:batch_id>/files",
    tag="batches",
    rule="uploader",
    scope="uploads",
    body=NewFiles,
    multipart=True,
    answer=BatchShape,
    status=201,
    problems=(429,),
)
def add_files(batch_id: uuid.UUID, body: NewFiles) -> Any:
    """Add files to a batch of one's own."""
    submit_files(get_context(), get_person().id, incoming(body.files), batch_id=batch_id)
    return _taken_in(batch_id)


@operation(
    "GET",
    "/batches/<uuid:batch_id>",
    tag="batches",
    rule="signed_in",
    scope="read",
    answer=BatchShape,
    conditional=True,
)
def get_batch(batch_id: uuid.UUID) -> Response:
    """Show the progress of a batch; 304 while nothing has changed."""
    progress = batch_progress(get_context(), get_person(), batch_id)
    if progress.fingerprint in request.if_none_match:
        response = Response(status=304)
    else:
        response = Response(BatchShape.model_validate(progress).model_dump_json(), content_type=JSON)
    response.set_etag(progress.fingerprint)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _taken_in(batch_id: uuid.UUID) -> BatchProgress:
    """Return the progress of a batch whose files are stored. A failure must not say that they are not."""
    try:
        return batch_progress(get_context(), get_person(), batch_id)
    except OperationalError as exc:
        raise UploadUnconfirmedError(type(exc.orig).__name__) from exc

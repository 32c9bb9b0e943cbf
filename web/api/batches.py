"""The API's uploads, and how a file is split into entries."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from flask import Response
from flask_babel import gettext
from pydantic import ConfigDict, Field, WithJsonSchema, computed_field
from sqlalchemy.exc import OperationalError
from werkzeug.datastructures import FileStorage

from core.errors import UploadUnconfirmedError
from core.models import SubmissionStatus, UploadStatus
from pipeline.validate import DEFAULT_FIELDS, LANGUAGE
from services.batches.default_values import SaidOfBatch
from services.batches.typed_in import checked_received
from services.uploads.progress import BatchProgress, batch_progress, recent_batches
from services.uploads.resplit import Resplit, resplit_upload, undo_resplit
from services.uploads.split import PlannedEntry, PlannedPage, SplitView, split_view
from services.uploads.submit import MOST, expect_submissions, submit_files
from web.access import app_settings, get_context, get_person
from web.api.operation import if_changed, operation
from web.api.protocol import ListPage, MayFailShape, PageQuery, RequestModel, ResponseModel, SeenVersion, Told
from web.security.sent_form import incoming

SentFile = Annotated[FileStorage, WithJsonSchema({"type": "string", "format": "binary"})]


class NewFiles(RequestModel):
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
        return SaidOfBatch(given, checked_received(app_settings(), self.received_on))


class BatchLine(ResponseModel):
    """One batch."""

    id: uuid.UUID
    created_at: datetime
    file_count: int
    first_filename: str | None


class BatchList(ListPage[BatchLine]):
    """One page of the person's own batches, newest first."""


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
    found: int = Field(description="The number of its entries.")
    entries: list[EntryShape] = Field(
        description="The first of them; `GET /submissions` with this batch lists all."
    )


class BatchShape(ResponseModel):
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
    next: str | None = Field(description="Cursor of the next page of files; null on the last.")
    previous: str | None = Field(description="Cursor of the page before; null on the first.")

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


@operation("GET", "/batches", rule="uploader", answer=BatchList)
def list_batches(query: PageQuery) -> Any:
    """List this person's batches."""
    return recent_batches(get_context(), get_person(), query.cursor or None, query.limit)


@operation(
    "POST",
    "/batches",
    rule="uploader",
    scope="uploads",
    multipart=True,
    answer=BatchShape,
    status=201,
    problems=(429, 507),
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
    rule="uploader",
    scope="uploads",
    multipart=True,
    answer=BatchShape,
    status=201,
    problems=(429, 507),
)
def add_files(batch_id: uuid.UUID, body: NewFiles) -> Any:
    """Add files to a batch of one's own."""
    submit_files(get_context(), get_person().id, incoming(body.files), batch_id=batch_id)
    return _taken_in(batch_id)


@operation("GET", "/batches/<uuid:batch_id>", rule="signed_in", answer=BatchShape, conditional=True)
def get_batch(batch_id: uuid.UUID, query: PageQuery) -> Response:
    """Show the progress of a batch, with a page of its files; 304 while nothing has changed."""
    progress = batch_progress(get_context(), get_person(), batch_id, query.cursor, query.limit)
    return if_changed(progress, lambda: BatchShape.model_validate(progress))


def _taken_in(batch_id: uuid.UUID) -> BatchProgress:
    """Return the progress of a batch whose files are stored; an error here must not say that they are not."""
    try:
        return batch_progress(get_context(), get_person(), batch_id)
    except OperationalError as exc:
        raise UploadUnconfirmedError(type(exc.orig).__name__) from exc


# Corrections of the split of files into entries: the present split, a plan for it, and undoing.


class PlannedPageShape(ResponseModel):
    """A page with its clockwise rotation."""

    upload_id: uuid.UUID
    page_no: int
    rotation: int


class PageTileShape(ResponseModel):
    """A page as it is placed, and its origin."""

    page: PlannedPageShape
    filename: str
    number: int


class EntryTilesShape(ResponseModel):
    """A present entry with its pages."""

    submission_id: uuid.UUID | None
    status: SubmissionStatus | None
    student_name: str | None
    tiles: list[PageTileShape]


class FileNameShape(ResponseModel):
    """A file of the batch."""

    id: uuid.UUID
    filename: str


class PastSplitShape(ResponseModel):
    """A correction that is in force."""

    id: uuid.UUID
    actor: str
    at: datetime
    waits: bool = Field(description="Its work is still to be done.")
    error: Told | None


class SplitShape(ResponseModel):
    """The present entries of a file and of the files derived from it, by their pages."""

    upload_id: uuid.UUID
    batch_id: uuid.UUID
    files: list[FileNameShape] = Field(description="A plan is about the pages of all of them.")
    addable: list[FileNameShape] = Field(description="Further files of the batch whose pages a plan may join.")
    entries: list[EntryTilesShape]
    left_out: list[PageTileShape]
    versions: dict[uuid.UUID, int] = Field(description="By entry; a plan sends them back.")
    splits: list[PastSplitShape]


class PlannedPageGiven(RequestModel):
    """A page, and the clockwise rotation wanted for it."""

    upload_id: uuid.UUID
    page_no: int = Field(ge=1, le=999_999)
    rotation: Literal[0, 90, 180, 270] = 0


class PlannedEntryGiven(RequestModel):
    """The pages of one entry, in order."""

    pages: list[PlannedPageGiven] = Field(min_length=1, max_length=5000)


class SplitPlan(RequestModel):
    """The wanted entries of the files' pages; a page in none of them is left out."""

    upload_ids: list[uuid.UUID] = Field(min_length=1, max_length=100)
    versions: dict[uuid.UUID, SeenVersion] = Field(description="The version seen of each entry of these files.")
    entries: list[PlannedEntryGiven] = Field(max_length=5000)


class ResplitShape(ResponseModel):
    """Result of a split correction."""

    split_id: uuid.UUID = Field(description="To take it back.")
    submission_ids: list[uuid.UUID] = Field(description="The entries that are made and read.")
    superseded: list[uuid.UUID]


class SplitUndone(ResponseModel):
    """The restored entries."""

    submission_ids: list[uuid.UUID]


@operation("GET", "/uploads/<uuid:upload_id>/split", tag="splits", rule="reviewer", answer=SplitShape)
def get_split(upload_id: uuid.UUID) -> SplitView:
    """Show which pages of a file make up which entries."""
    return split_view(get_context(), upload_id)


@operation("POST", "/splits", rule="reviewer", answer=ResplitShape, status=201, problems=(404, 409))
def correct_split(body: SplitPlan) -> Resplit:
    """Correct a split.

    An entry whose pages are planned unchanged is kept; the others are superseded, but not deleted.
    """
    plan = [
        PlannedEntry(tuple(PlannedPage(page.upload_id, page.page_no, page.rotation) for page in entry.pages))
        for entry in body.entries
    ]
    return resplit_upload(get_context(), get_person().id, body.upload_ids, body.versions, plan)


@operation("POST", "/splits/<uuid:split_id>/undo", rule="reviewer", answer=SplitUndone, problems=(409,))
def undo_split(split_id: uuid.UUID) -> SplitUndone:
    """Undo the correction of a split."""
    return SplitUndone(submission_ids=undo_resplit(get_context(), get_person().id, split_id))

"""Corrections of the split of files into entries: the present split, a plan for it, and undoing."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal

from pydantic import Field

from core.models import SubmissionStatus
from services.uploads.resplit_upload import Resplit, resplit_upload
from services.uploads.split_plan import PlannedEntry, PlannedPage
from services.uploads.split_view import SplitView, split_view
from services.uploads.undo_resplit import undo_resplit
from web.api.protocol.operation import operation
from web.api.protocol.wire import Given, SeenVersion, Shown, Told
from web.context import get_context, get_person


class PlannedPageShape(Shown):
    """A page with its clockwise rotation."""

    upload_id: uuid.UUID
    page_no: int
    rotation: int


class PageTileShape(Shown):
    """A page as it is placed, and its origin."""

    page: PlannedPageShape
    filename: str
    number: int


class EntryTilesShape(Shown):
    """A present entry with its pages."""

    submission_id: uuid.UUID | None
    status: SubmissionStatus | None
    student_name: str | None
    tiles: list[PageTileShape]


class FileNameShape(Shown):
    """A file of the batch."""

    id: uuid.UUID
    filename: str


class PastSplitShape(Shown):
    """A correction that is in force."""

    id: uuid.UUID
    actor: str
    at: datetime
    waits: bool = Field(description="Its work is still to be done.")
    error: Told | None


class SplitShape(Shown):
    """The present entries of a file and of the files derived from it, by their pages."""

    upload_id: uuid.UUID
    batch_id: uuid.UUID
    files: list[FileNameShape] = Field(description="A plan is about the pages of all of them.")
    addable: list[FileNameShape] = Field(description="Further files of the batch whose pages a plan may join.")
    entries: list[EntryTilesShape]
    left_out: list[PageTileShape]
    versions: dict[uuid.UUID, int] = Field(description="By entry; a plan sends them back.")
    splits: list[PastSplitShape]


class PlannedPageGiven(Given):
    """A page, and the clockwise rotation wanted for it."""

    upload_id: uuid.UUID
    page_no: int = Field(ge=1, le=999_999)
    rotation: Literal[0, 90, 180, 270] = 0


class PlannedEntryGiven(Given):
    """The pages of one entry, in order."""

    pages: list[PlannedPageGiven] = Field(min_length=1, max_length=5000)


class SplitPlan(Given):
    """The wanted entries of the files' pages; a page in none of them is left out."""

    upload_ids: list[uuid.UUID] = Field(min_length=1, max_length=100)
    versions: dict[uuid.UUID, SeenVersion] = Field(description="The version seen of each entry of these files.")
    entries: list[PlannedEntryGiven] = Field(max_length=5000)


class ResplitShape(Shown):
    """Result of a split correction."""

    split_id: uuid.UUID = Field(description="To take it back.")
    submission_ids: list[uuid.UUID] = Field(description="The entries that are made and read.")
    superseded: list[uuid.UUID]


class SplitUndone(Shown):
    """The restored entries."""

    submission_ids: list[uuid.UUID]


@operation(
    "GET", "/uploads/<uuid:upload_id>/split", tag="splits", rule="reviewer", scope="read", answer=SplitShape
)
def get_split(upload_id: uuid.UUID) -> SplitView:
    """Show which pages of a file make up which entries."""
    return split_view(get_context(), upload_id)


@operation(
    "POST",
    "/splits",
    tag="splits",
    rule="reviewer",
    scope="write",
    body=SplitPlan,
    answer=ResplitShape,
    status=201,
    problems=(404, 409),
)
def correct_split(body: SplitPlan) -> Resplit:
    """Correct a split.

    An entry whose pages are planned unchanged is kept; the others are superseded, but not deleted.
    """
    plan = [
        PlannedEntry(tuple(PlannedPage(page.upload_id, page.page_no, page.rotation) for page in entry.pages))
        for entry in body.entries
    ]
    return resplit_upload(get_context(), get_person().id, body.upload_ids, body.versions, plan)


@operation(
    "POST",
    "/splits/<uuid:split_id>/undo",
    tag="splits",
    rule="reviewer",
    scope="write",
    answer=SplitUndone,
    problems=(409,),
)
def undo_split(split_id: uuid.UUID) -> SplitUndone:
    """Undo the correction of a split."""
    return SplitUndone(submission_ids=undo_resplit(get_context(), get_person().id, split_id))

"""The pages of a file by the entries they make up at present, for correcting the split."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import Submission, SubmissionStatus, Upload, UploadStatus
from services.context import Context
from services.entries.past_splits import PastSplit, past_splits
from services.uploads.live_entries import placed_pages, standing_splits
from services.uploads.split_plan import LiveEntry, PageKey, PlannedEntry, PlannedPage, entries_from_json


@dataclass(frozen=True)
class PageTile:
    """One page as it is placed, and where it came in."""

    page: PlannedPage
    #: The page that a person uploaded, also for a page of a derived file.
    origin: PageKey
    #: The name of its file.
    filename: str

    @property
    def number(self) -> int:
        return self.origin.page_no


@dataclass(frozen=True)
class EntryTiles:
    """One entry; `submission_id` is None for one that is only planned."""

    tiles: list[PageTile]
    submission_id: uuid.UUID | None = None
    status: str | None = None
    student_name: str | None = None


@dataclass(frozen=True)
class FileName:
    """A file of the batch."""

    id: uuid.UUID
    filename: str


@dataclass(frozen=True)
class SplitView:
    """All that the page shows."""

    upload_id: uuid.UUID
    batch_id: uuid.UUID
    filename: str
    #: The files whose pages are shown; a plan is about all of them.
    files: list[FileName]
    #: Further files of the batch that can be added.
    addable: list[FileName]
    #: As they stand.
    live: list[EntryTiles]
    #: As they are planned; at first the same.
    entries: list[EntryTiles]
    left_out: list[PageTile]
    versions: dict[uuid.UUID, int]
    splits: list[PastSplit]

    @property
    def several_files(self) -> bool:
        """Whether the pages came in with more than one file."""
        tiles = [*self.left_out, *(tile for entry in self.live for tile in entry.tiles)]
        return len({tile.origin.upload_id for tile in tiles}) > 1

    @property
    def plan(self) -> list[PlannedEntry]:
        return [PlannedEntry(_pages(entry.tiles)) for entry in self.entries]

    def index_of(self, tile: PageTile) -> int:
        return [file.id for file in self.files].index(tile.page.upload_id)


def split_view(context: Context, upload_id: uuid.UUID, others: Sequence[uuid.UUID] = ()) -> SplitView:
    """The entries as they stand of this file, of what was derived from it, and of `others` of its batch.

    Raises NotFoundError for a file that does not exist or was not split.
    """
    with context.database.session() as session:
        upload = session.get(Upload, upload_id)
        if upload is None or upload.status != UploadStatus.SPLIT.value:
            raise NotFoundError("no such file with entries")
        rows = session.scalars(
            select(Upload)
            .where(Upload.batch_id == upload.batch_id, Upload.status == UploadStatus.SPLIT.value)
            .order_by(Upload.position, Upload.created_at, Upload.id)
        ).all()
        batch = {row.id: row for row in rows}
        origins = _origins(session, batch)
        ids = _with_derived(batch, origins, [upload_id, *(other for other in others if other in batch)])
        tiles = _tiles([batch[found] for found in ids], batch, origins)
        live, versions = _entries(session, ids, tiles)
        left_out = _left_out(session, ids, tiles, live)
        files = [FileName(found, batch[found].original_filename) for found in ids]
        addable = [FileName(row.id, row.original_filename) for row in rows if row.id not in ids]
        splits = past_splits(session, ids)
    return SplitView(
        upload_id,
        upload.batch_id,
        upload.original_filename,
        files,
        addable,
        live,
        live,
        left_out,
        versions,
        splits,
    )


def arranged(view: SplitView, plan: Sequence[PlannedEntry], of_files: Iterable[uuid.UUID]) -> SplitView:
    """The view with a plan about some of its files, as far as their pages still stand; the rest as it is."""
    about = set(of_files)
    known = {tile.page.key: tile for entry in view.live for tile in entry.tiles}
    known |= {tile.page.key: tile for tile in view.left_out}
    standing = {_pages(entry.tiles): entry for entry in view.live}
    entries: list[EntryTiles] = []
    for planned in plan:
        tiles = [replace(known[page.key], page=page) for page in planned.pages if page.key in known]
        if tiles:
            entries.append(standing.get(_pages(tiles), EntryTiles(tiles)))
    entries += [entry for entry in view.live if not any(tile.page.upload_id in about for tile in entry.tiles)]
    placed = {tile.page.key for entry in entries for tile in entry.tiles}
    return replace(view, entries=entries, left_out=[tile for key, tile in known.items() if key not in placed])


def _pages(tiles: Iterable[PageTile]) -> tuple[PlannedPage, ...]:
    return tuple(tile.page for tile in tiles)


def _origins(session: Session, batch: Mapping[uuid.UUID, Upload]) -> dict[PageKey, PageKey]:
    """For each page of a derived file the page that it was made of."""
    made = {split.made_upload_id: split for split in standing_splits(session, batch)}
    return {
        PageKey(upload.id, number): page.key
        for upload in batch.values()
        if upload.split_id is not None and upload.id in made
        for number, page in enumerate(
            (page for _, entry in entries_from_json(made[upload.id].plan) for page in entry.pages), 1
        )
    }


def _with_derived(
    batch: Mapping[uuid.UUID, Upload], origins: Mapping[PageKey, PageKey], wanted: Sequence[uuid.UUID]
) -> list[uuid.UUID]:
    """The files wanted, each once, and those derived from them, also of these, as often as it takes."""
    found = list(dict.fromkeys(wanted))
    for upload_id in found:
        for page, origin in origins.items():
            if origin.upload_id == upload_id and page.upload_id not in found and page.upload_id in batch:
                found.append(page.upload_id)
    return found


def _tiles(
    uploads: Sequence[Upload], batch: Mapping[uuid.UUID, Upload], origins: Mapping[PageKey, PageKey]
) -> dict[PageKey, PageTile]:
    tiles = {}
    for upload in uploads:
        for number in range(1, (upload.page_count or 0) + 1):
            key = first = PageKey(upload.id, number)
            while first in origins and origins[first].upload_id in batch:
                first = origins[first]
            page = PlannedPage(upload.id, number)
            tiles[key] = PageTile(page, first, batch[first.upload_id].original_filename)
    return tiles


def _entries(
    session: Session, ids: Sequence[uuid.UUID], tiles: Mapping[PageKey, PageTile]
) -> tuple[list[EntryTiles], dict[uuid.UUID, int]]:
    """In the order in which their first pages came in."""
    rows = session.execute(
        select(
            Submission.id,
            Submission.upload_id,
            Submission.page_start,
            Submission.page_end,
            Submission.status,
            Submission.student_name,
            Submission.version,
        ).where(Submission.upload_id.in_(ids), Submission.status != SubmissionStatus.SUPERSEDED.value)
    ).all()
    order = {key: index for index, key in enumerate(tiles)}
    entries = []
    for row in rows:
        live = LiveEntry(row.id, row.upload_id, row.page_start, row.page_end)
        own = [tiles[page.key] for page in live.as_planned.pages if page.key in tiles]
        if own:
            entries.append(EntryTiles(own, row.id, row.status, row.student_name))
    # Of a derived file alone the uploaded pages are not among the tiles.
    entries.sort(key=lambda entry: order.get(entry.tiles[0].origin, order[entry.tiles[0].page.key]))
    return entries, {row.id: row.version for row in rows}


def _left_out(
    session: Session, ids: Sequence[uuid.UUID], tiles: Mapping[PageKey, PageTile], live: Sequence[EntryTiles]
) -> list[PageTile]:
    placed = placed_pages(standing_splits(session, ids)) | {tile.page.key for e in live for tile in e.tiles}
    return [tile for key, tile in tiles.items() if key not in placed]

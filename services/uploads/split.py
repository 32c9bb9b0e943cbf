"""How a file is split into entries, and plans for another split."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, NotFoundError
from core.models import SplitStatus, Submission, SubmissionStatus, Upload, UploadSplit, UploadStatus
from services.context import Context
from services.entries.detail import PastSplit, past_splits
from services.messages.entries import SplitRefused

# A plan of entries, and its differences from the present entries, without database access.


ROTATIONS = (0, 90, 180, 270)


class PageKey(NamedTuple):
    upload_id: uuid.UUID
    page_no: int


class PlannedPage(NamedTuple):
    """A page of the plan, rotated clockwise by 0, 90, 180 or 270 degrees."""

    upload_id: uuid.UUID
    page_no: int
    rotation: int = 0

    @property
    def key(self) -> PageKey:
        return PageKey(self.upload_id, self.page_no)


@dataclass(frozen=True)
class PlannedEntry:
    """The pages of one entry, in order."""

    pages: tuple[PlannedPage, ...]


@dataclass(frozen=True)
class LiveEntry:
    """A present entry: a range of pages of one file."""

    submission_id: uuid.UUID
    upload_id: uuid.UUID
    page_start: int
    page_end: int

    @property
    def as_planned(self) -> PlannedEntry:
        numbers = range(self.page_start, self.page_end + 1)
        return PlannedEntry(tuple(PlannedPage(self.upload_id, number) for number in numbers))


@dataclass(frozen=True)
class Changes:
    """The effects of saving a plan."""

    #: Entries that are not changed.
    kept: list[uuid.UUID]
    #: Entries that are superseded.
    superseded: list[uuid.UUID]
    #: New entries, which will be read.
    made: list[PlannedEntry]
    #: Number of pages of superseded entries that are in no planned entry.
    left_out: int

    @property
    def any(self) -> bool:
        return bool(self.superseded or self.made)


def split_changes(live: Sequence[LiveEntry], plan: Sequence[PlannedEntry]) -> Changes:
    """Compare the plan with the present entries.

    An entry is kept if the plan has exactly its pages, in order and unrotated; the others are superseded.
    """
    planned = {entry.pages for entry in plan}
    kept = {entry.as_planned.pages: entry.submission_id for entry in live if entry.as_planned.pages in planned}
    gone = [entry for entry in live if entry.as_planned.pages not in kept]
    made = [entry for entry in plan if entry.pages not in kept]
    placed = {page.key for entry in plan for page in entry.pages}
    before = {page.key for entry in gone for page in entry.as_planned.pages}
    return Changes(list(kept.values()), [entry.submission_id for entry in gone], made, len(before - placed))


def require_sound(
    plan: Sequence[PlannedEntry], pages: Mapping[uuid.UUID, int], taken: Collection[PageKey]
) -> None:
    """Raise InvalidInputError for an invalid plan.

    `pages` has the number of pages of each file, `taken` the pages in entries of other corrections.
    """
    seen: set[PageKey] = set()
    for entry in plan:
        if not entry.pages:
            raise InvalidInputError(SplitRefused.ENTRY_WITHOUT_PAGES)
        for page in entry.pages:
            if not 1 <= page.page_no <= pages.get(page.upload_id, 0):
                raise InvalidInputError(SplitRefused.NO_SUCH_PAGE, page=page.page_no)
            if page.rotation not in ROTATIONS:
                raise InvalidInputError(SplitRefused.PAGE_TURN, page=page.page_no)
            if page.key in seen:
                raise InvalidInputError(SplitRefused.PAGE_TWICE, page=page.page_no)
            if page.key in taken:
                raise InvalidInputError(SplitRefused.PAGE_TAKEN, page=page.page_no)
            seen.add(page.key)


def entries_to_json(made: Sequence[PlannedEntry], ids: Sequence[uuid.UUID]) -> list[dict[str, Any]]:
    """Return the plan as stored in its row, with the ids that the entries will have."""
    return [
        {
            "submission_id": str(submission_id),
            "pages": [
                {"upload_id": str(page.upload_id), "page_no": page.page_no, "rotation": page.rotation}
                for page in entry.pages
            ],
        }
        for entry, submission_id in zip(made, ids, strict=True)
    ]


def entries_from_json(plan: Sequence[Mapping[str, Any]]) -> list[tuple[uuid.UUID, PlannedEntry]]:
    """Return the plan stored in a row: each entry with its present or future id."""
    return [
        (
            uuid.UUID(entry["submission_id"]),
            PlannedEntry(
                tuple(
                    PlannedPage(uuid.UUID(page["upload_id"]), page["page_no"], page["rotation"])
                    for page in entry["pages"]
                )
            ),
        )
        for entry in plan
    ]


@dataclass(frozen=True)
class PageTile:
    """One page as it is placed, and its origin."""

    page: PlannedPage
    #: The uploaded page, even for a page of a derived file.
    origin: PageKey
    #: The name of the origin's file.
    filename: str

    @property
    def number(self) -> int:
        return self.origin.page_no


@dataclass(frozen=True)
class EntryTiles:
    """One entry; `submission_id` is None if it is only planned."""

    tiles: list[PageTile]
    submission_id: uuid.UUID | None = None
    status: str | None = None
    student_name: str | None = None


@dataclass(frozen=True)
class FileName:
    id: uuid.UUID
    filename: str


@dataclass(frozen=True)
class SplitView:
    upload_id: uuid.UUID
    batch_id: uuid.UUID
    filename: str
    #: The files whose pages are shown; a plan concerns all of them.
    files: list[FileName]
    #: Other files of the batch that can be added.
    addable: list[FileName]
    #: The present entries.
    live: list[EntryTiles]
    #: The planned entries; initially the same.
    entries: list[EntryTiles]
    left_out: list[PageTile]
    versions: dict[uuid.UUID, int]
    splits: list[PastSplit]

    @property
    def several_files(self) -> bool:
        """Whether the pages were uploaded in more than one file."""
        tiles = [*self.left_out, *(tile for entry in self.live for tile in entry.tiles)]
        return len({tile.origin.upload_id for tile in tiles}) > 1

    @property
    def plan(self) -> list[PlannedEntry]:
        return [PlannedEntry(_pages(entry.tiles)) for entry in self.entries]

    def index_of(self, tile: PageTile) -> int:
        return [file.id for file in self.files].index(tile.page.upload_id)


def split_view(context: Context, upload_id: uuid.UUID, others: Sequence[uuid.UUID] = ()) -> SplitView:
    """Return the present entries of this file, of the files derived from it, and of the `others` in its batch.

    Raises NotFoundError if the file does not exist or is not split.
    """
    with context.database.reading() as session:
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
    """Return the view with a plan for some of its files applied; pages that are no longer known are left out."""
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
    """Return, for each page of a derived file, the page that it was made from."""
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
    """Return the wanted files and all files derived from them, directly or indirectly, each once."""
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
    """Return the entries in the order in which their first pages were uploaded, and their versions by id."""
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
    # If only a derived file is shown, the uploaded pages are not among the tiles.
    entries.sort(key=lambda entry: order.get(entry.tiles[0].origin, order[entry.tiles[0].page.key]))
    return entries, {row.id: row.version for row in rows}


def _left_out(
    session: Session, ids: Sequence[uuid.UUID], tiles: Mapping[PageKey, PageTile], live: Sequence[EntryTiles]
) -> list[PageTile]:
    placed = placed_pages(standing_splits(session, ids)) | {tile.page.key for e in live for tile in e.tiles}
    return [tile for key, tile in tiles.items() if key not in placed]


def live_entries(session: Session, upload_ids: Collection[uuid.UUID]) -> list[LiveEntry]:
    """Return the entries of these files that are not superseded, in the order of files and pages."""
    rows = session.execute(
        select(Submission.id, Submission.upload_id, Submission.page_start, Submission.page_end)
        .where(Submission.upload_id.in_(upload_ids), Submission.status != SubmissionStatus.SUPERSEDED.value)
        .order_by(Submission.upload_id, Submission.page_start)
    )
    return [LiveEntry(row.id, row.upload_id, row.page_start, row.page_end) for row in rows]


def standing_splits(session: Session, upload_ids: Collection[uuid.UUID]) -> Sequence[UploadSplit]:
    """Return the corrections of these files that are not undone, oldest first."""
    return session.scalars(
        select(UploadSplit)
        .where(UploadSplit.upload_ids.overlap(list(upload_ids)), UploadSplit.status != SplitStatus.UNDONE.value)
        .order_by(UploadSplit.created_at, UploadSplit.id)
    ).all()


def placed_pages(splits: Sequence[UploadSplit]) -> set[PageKey]:
    """Return the pages in the planned entries of these corrections."""
    return {page.key for split in splits for _, entry in entries_from_json(split.plan) for page in entry.pages}

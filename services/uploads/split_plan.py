"""A plan of entries, and what it changes of the entries there are. Nothing here touches the database."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.errors import InvalidInputError

ROTATIONS = (0, 90, 180, 270)


class PageKey(NamedTuple):
    """One page of one file."""

    upload_id: uuid.UUID
    page_no: int


class PlannedPage(NamedTuple):
    """A page as it is wanted: turned clockwise by 0, 90, 180 or 270 degrees."""

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
    """An entry as it stands: a run of pages of one file."""

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
    """What saving a plan does."""

    #: Entries that stay as they are.
    kept: list[uuid.UUID]
    #: Entries that are superseded.
    superseded: list[uuid.UUID]
    #: Entries that are made and read.
    made: list[PlannedEntry]
    #: Pages of superseded entries that are in no entry any more.
    left_out: int

    @property
    def any(self) -> bool:
        return bool(self.superseded or self.made)


def changes_of(live: Sequence[LiveEntry], plan: Sequence[PlannedEntry]) -> Changes:
    """An entry whose very pages are planned, in order and unturned, stays; the others are superseded."""
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
    """Raises InvalidInputError for a plan that cannot be carried out.

    `pages`: how many pages each file has; `taken`: pages that stand in entries of other corrections.
    """
    seen: set[PageKey] = set()
    for entry in plan:
        if not entry.pages:
            raise InvalidInputError("an entry without pages")
        for page in entry.pages:
            if not 1 <= page.page_no <= pages.get(page.upload_id, 0):
                raise InvalidInputError(f"there is no page {page.page_no} in this file")
            if page.rotation not in ROTATIONS:
                raise InvalidInputError(f"page {page.page_no}: a page turns by 0, 90, 180 or 270 degrees")
            if page.key in seen:
                raise InvalidInputError(f"page {page.page_no} stands in the plan twice")
            if page.key in taken:
                raise InvalidInputError(f"page {page.page_no} is part of an entry that was made from it since")
            seen.add(page.key)


def entries_to_json(made: Sequence[PlannedEntry], ids: Sequence[uuid.UUID]) -> list[dict[str, Any]]:
    """The plan as its row keeps it, with the ids that the entries will have."""
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
    """The plan of a row: each entry with the id that it has or will have."""
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

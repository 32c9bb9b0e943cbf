"""A plan of entries, and its differences from the present entries, without database access."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.errors import InvalidInputError
from services.messages.refused import SplitRefused

ROTATIONS = (0, 90, 180, 270)


class PageKey(NamedTuple):
    """One page of one file."""

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


def changes_of(live: Sequence[LiveEntry], plan: Sequence[PlannedEntry]) -> Changes:
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

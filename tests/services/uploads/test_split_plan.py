from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st

from services.uploads.split import (
    LiveEntry,
    PlannedEntry,
    PlannedPage,
    entries_from_json,
    entries_to_json,
    split_changes,
)

FILE = uuid.UUID(int=7)
LIVE = [LiveEntry(uuid.UUID(int=1), FILE, 1, 2), LiveEntry(uuid.UUID(int=2), FILE, 3, 3)]


def entry(*numbers: int, rotation: int = 0) -> PlannedEntry:
    return PlannedEntry(tuple(PlannedPage(FILE, number, rotation) for number in numbers))


def test_what_is_planned_as_it_stands_stays() -> None:
    changes = split_changes(LIVE, [entry(3), entry(1, 2)])
    assert (changes.any, changes.superseded, changes.made, changes.left_out) == (False, [], [], 0)


def test_a_turned_page_changes_its_entry_alone() -> None:
    changes = split_changes(LIVE, [entry(1, 2), entry(3, rotation=90)])
    assert (changes.kept, changes.superseded) == ([uuid.UUID(int=1)], [uuid.UUID(int=2)])


def test_pages_in_no_entry_are_counted_once_they_leave_one() -> None:
    assert split_changes(LIVE, [entry(2)]).left_out == 2
    assert split_changes(LIVE, [entry(1, 2), entry(3), entry(4)]).left_out == 0


@given(st.lists(st.lists(st.tuples(st.integers(1, 9), st.sampled_from((0, 90, 180, 270))), min_size=1)))
def test_a_row_gives_the_plan_back(plan: list[list[tuple[int, int]]]) -> None:
    made = [PlannedEntry(tuple(PlannedPage(FILE, *page) for page in pages)) for pages in plan]
    ids = [uuid.uuid4() for _ in made]
    assert entries_from_json(entries_to_json(made, ids)) == list(zip(ids, made, strict=True))

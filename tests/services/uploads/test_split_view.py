from __future__ import annotations

import uuid

import pytest

from core.errors import NotFoundError
from services.context import Context
from services.entries.detail import past_splits, replacement_of
from services.uploads.resplit import resplit_upload, undo_resplit
from services.uploads.split import EntryTiles, arranged, split_view
from services.uploads.submissions import analyse_upload
from tests.support import factories
from tests.support.office import make_person
from tests.support.reading.stacks import make_stack, planned, split_of, versions_of


def pages(entries: list[EntryTiles]) -> list[list[tuple[str, int]]]:
    """By the files and pages that came in."""
    return [[(tile.filename, tile.number) for tile in entry.tiles] for entry in entries]


def test_entries_come_in_the_order_of_their_first_pages(context: Context) -> None:
    reviewer = make_person(context, "reviewer")
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 2), (3, 4), (5, 5)])
    plan = [planned((upload, 2)), planned((upload, 3), (upload, 4)), planned((upload, 5))]
    first = resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    made = split_of(context, first.split_id).made_upload_id
    assert made is not None
    analyse_upload(context, made)
    view = split_view(context, upload.id)
    name = "stack A.pdf"
    assert pages(view.entries) == [[(name, 2)], [(name, 3), (name, 4)], [(name, 5)]]
    assert [(tile.filename, tile.number) for tile in view.left_out] == [(name, 1)]
    assert not view.several_files and not view.addable
    # A correction of the correction: its pages are still called by where they came in.
    (derived,) = [file.id for file in view.files if file.id != upload.id]
    live = [entry for entry in view.live if entry.tiles[0].page.upload_id == derived]
    merged = [planned((upload, 3), (upload, 4)), planned((upload, 5)), planned((upload, 1))]
    merged[2] = type(merged[2])((*merged[2].pages, live[0].tiles[0].page))
    resplit_upload(context, reviewer, [file.id for file in view.files], view.versions, merged)
    again = split_view(context, upload.id)
    assert pages(again.entries) == [[(name, 3), (name, 4)], [(name, 5)]] and again.left_out == []
    assert [split.waits for split in again.splits] == [True, False]


def test_a_plan_is_laid_over_what_stands(context: Context) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session)
        first, _ = make_stack(context, session, [(1, 2), (3, 3)], batch)
        second, _ = make_stack(context, session, [(1, 1)], batch, mark="B", position=1)
    assert [file.id for file in split_view(context, first.id).addable] == [second.id]
    view = split_view(context, first.id, [second.id])
    plan = [planned((first, 3)), planned((first, 2), (first, 9))]
    view = arranged(view, plan, [first.id])
    assert pages(view.entries) == [[("stack A.pdf", 3)], [("stack A.pdf", 2)], [("stack B.pdf", 1)]]
    assert [entry.submission_id is None for entry in view.entries] == [False, True, False]
    assert [tile.number for tile in view.left_out] == [1]


def test_what_replaced_an_entry(context: Context) -> None:
    reviewer = make_person(context, "reviewer")
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = resplit_upload(
        context, reviewer, [upload.id], versions_of(entries), [planned((upload, 1), (upload, 2))]
    )
    made = split_of(context, resplit.split_id).made_upload_id
    assert made is not None
    analyse_upload(context, made)
    with context.database.session() as session:
        found = replacement_of(session, entries[0].id)
        assert found is not None and (found.id, found.actor) == (resplit.split_id, "Reviewer")
        assert [entry.id for entry in found.made] == resplit.submission_ids
        assert replacement_of(session, resplit.submission_ids[0]) is None
        assert [split.id for split in past_splits(session, [made])] == [resplit.split_id]
    undo_resplit(context, reviewer, resplit.split_id)
    with context.database.session() as session:
        assert replacement_of(session, entries[0].id) is None


def test_a_file_that_is_none(context: Context) -> None:
    with pytest.raises(NotFoundError):
        split_view(context, uuid.uuid4())

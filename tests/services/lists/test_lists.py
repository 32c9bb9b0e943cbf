"""The list as a person made it theirs: filters under names, columns, orders."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from core.errors import InvalidInputError, NotFoundError
from core.models import SavedFilter
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries.listing import ListOrder, SubmissionFilter, list_submissions
from services.saved_lists import (
    DEFAULT,
    choose_columns,
    chosen_columns,
    column_values,
    default_filter,
    delete_filter,
    essay_lengths,
    list_filters,
    make_default,
    rename_filter,
    save_filter,
)
from tests.support import factories
from tests.support.review import desk
from tests.support.site import person


@pytest.fixture
def reader(context: Context) -> Person:
    return person_of(person(context, "reviewer"))


def test_filters_are_ones_own(context: Context, reader: Person) -> None:
    other = person_of(person(context, "reviewer"))
    wanted = SubmissionFilter(grade="5", form="ifi_2026", needs_review=True)
    save_filter(context, reader, "  Fifth  grade ", wanted)
    (kept,) = list_filters(context, reader)
    assert (kept.name, kept.wanted, kept.is_default) == ("Fifth grade", wanted, False)
    assert list_filters(context, other) == []
    for refused in (
        lambda: rename_filter(context, other, kept.id, "Mine"),
        lambda: delete_filter(context, other, kept.id),
        lambda: make_default(context, other, kept.id, True),
    ):
        with pytest.raises(NotFoundError):
            refused()
    with pytest.raises(InvalidInputError):
        save_filter(context, reader, "Fifth grade", SubmissionFilter())
    rename_filter(context, reader, kept.id, "Grade 5")
    delete_filter(context, reader, kept.id)
    assert list_filters(context, reader) == []


def test_one_of_them_opens_the_list(context: Context, reader: Person) -> None:
    assert default_filter(context, reader) is None
    save_filter(context, reader, "a", SubmissionFilter(grade="1"), is_default=True)
    save_filter(context, reader, "b", SubmissionFilter(grade="2"), is_default=True)
    assert default_filter(context, reader) == SubmissionFilter(grade="2")
    make_default(context, reader, list_filters(context, reader)[0].id, True)
    assert default_filter(context, reader) == SubmissionFilter(grade="1")
    make_default(context, reader, list_filters(context, reader)[0].id, False)
    assert default_filter(context, reader) is None


def test_a_filter_of_another_version_is_read(context: Context, reader: Person) -> None:
    save_filter(context, reader, "a", SubmissionFilter(grade="1"))
    context.database.execute(update(SavedFilter).values(filter={"grade": "1", "of_a_later_version": 3}))
    assert list_filters(context, reader)[0].wanted == SubmissionFilter(grade="1")


def test_columns_are_remembered_and_read_for_the_page(context: Context, reader: Person) -> None:
    assert chosen_columns(context, reader) == DEFAULT
    columns = ("phone", "essay_text", "characters")
    choose_columns(context, reader, ["phone", "essay_text", "characters", "student_name"])
    assert chosen_columns(context, reader) == columns
    with pytest.raises(InvalidInputError):
        choose_columns(context, reader, ["shoe_size"])
    with context.database.session() as session:
        entry = desk.make_entry(context, session, status="completed", profile="ifi_2026").submission.id
    values = column_values(context, [entry], columns)[entry]
    assert values["phone"] == "555-0142" and values["essay_text"].endswith("…")
    assert essay_lengths(context, [entry], columns) == {entry: (len(desk.ESSAY), 3000)}
    choose_columns(context, reader, [])
    assert chosen_columns(context, reader) == DEFAULT


@pytest.mark.parametrize("order", [ListOrder.STUDENT, ListOrder.STUDENT_BACK, ListOrder.SCHOOL, ListOrder.OLDEST])
def test_pages_of_every_order_hold_each_entry_once(context: Context, reader: Person, order: ListOrder) -> None:
    names = ["Cleo Vance", None, "Ana Ruiz", "Cleo Vance", "Bo Li"]
    with context.database.session() as session:
        upload = factories.make_upload(session)
        for place, name in enumerate(names):
            factories.make_submission(session, upload, chunk_index=place, student_name=name, school_name=name)
    seen, cursor = [], None
    while True:
        page = list_submissions(context, reader, SubmissionFilter(), cursor, limit=2, order=order)
        seen += page.rows
        if (cursor := page.next) is None:
            break
    assert len({row.id for row in seen}) == len(seen) == 5
    told = [row.student_name or "" for row in seen]
    if order is ListOrder.OLDEST:
        assert [row.created_at for row in seen] == sorted(row.created_at for row in seen)
    else:
        assert told == sorted(told, reverse=order.descending)
    assert page.previous is not None
    back = list_submissions(context, reader, SubmissionFilter(), page.previous, limit=2, order=order)
    assert [row.id for row in back.rows] == [row.id for row in seen[2:4]]

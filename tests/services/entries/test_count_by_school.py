"""Counts by school and grade, against the rows themselves."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import case, delete, func, select, update
from sqlalchemy.orm import Session

from core.models import SchoolCount, Submission, Upload
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries import listing as counting
from services.entries.listing import SubmissionCounts, count_by_school, grade_order
from services.reconcile import fold_counts, reconcile
from tests.support import factories
from tests.support.site import person


@pytest.fixture
def reader(context: Context) -> Person:
    return person_of(person(context, "reviewer"))


def make(
    context: Context, school: str | None, grade: str | None, status: str, missing: tuple[str, ...] = ()
) -> None:
    with context.database.session() as session:
        factories.make_submission(
            session, school_name=school, grade=grade, status=status, missing_fields=list(missing)
        )


def test_by_school_and_grade(context: Context, reader: Person) -> None:
    make(context, "Juniper", "10", "completed")
    make(context, "Juniper", "2", "resolved")
    make(context, "Juniper", "2", "suggested", ("teacher_name", "grade"))
    make(context, "Juniper", "2", "escalated", ("teacher_name",))
    make(context, "Juniper", "K", "processing")
    make(context, "Juniper", None, "failed")
    make(context, "Juniper", "2", "superseded")
    make(context, "Ashgrove", "4", "rejected")
    # What is missing in a rejected entry is asked of nobody.
    make(context, None, None, "rejected", ("school_name",))
    found = count_by_school(context, reader)
    assert [(school.name, school.grades) for school in found.schools] == [
        ("", [("", SubmissionCounts(1, out=1))]),
        ("Ashgrove", [("4", SubmissionCounts(1, out=1))]),
        (
            "Juniper",
            [
                ("K", SubmissionCounts(1, under_way=1)),
                ("2", SubmissionCounts(3, 1, 2, missing={"teacher_name": 2, "grade": 1})),
                ("10", SubmissionCounts(1, 1)),
                ("", SubmissionCounts(1, out=1)),
            ],
        ),
    ]
    assert found.schools[2].total == SubmissionCounts(6, 2, 2, 1, 1, {"teacher_name": 2, "grade": 1})
    assert (found.total.received, found.total.complete, found.after) == (8, 2, None)


def test_page_by_page(context: Context, reader: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PAGE_SIZE", 2)
    for school in ("B", "a", "C", None, "Ñandú"):
        make(context, school, "4", "completed")
    seen, after = [], None
    while True:
        found = count_by_school(context, reader, after)
        seen += [school.name for school in found.schools]
        assert found.total.received == 5
        if (after := found.after) is None:
            break
    assert sorted(seen) == sorted(["B", "a", "C", "", "Ñandú"])


def test_uploaders_see_their_own(context: Context) -> None:
    uploader = person(context, "uploader")
    with context.database.session() as session:
        batch = factories.make_batch(session, uploader)
        factories.make_submission(session, factories.make_upload(session, batch), school_name="Juniper")
    make(context, "Ashgrove", "4", "completed")
    assert [school.name for school in count_by_school(context, person_of(uploader)).schools] == ["Juniper"]


def test_the_order_of_grades() -> None:
    grades = ["", "10", "2", "K", "Pre-K", "1"]
    assert sorted(grades, key=grade_order) == ["K", "1", "2", "10", "Pre-K", ""]


def test_counts_follow_every_change(context: Context, reader: Person) -> None:
    make(context, "Juniper", "2", "suggested", ("grade",))
    make(context, "Juniper", "2", "suggested")
    reconcile(context)
    with context.database.session() as session:
        first, second = session.scalars(select(Submission).order_by(Submission.missing_fields.desc()))
        first.grade, first.status, first.missing_fields, first.needs_review = "4", "resolved", [], False
    found = count_by_school(context, reader).schools
    assert found[0].grades == [("2", SubmissionCounts(1, waiting=1)), ("4", SubmissionCounts(1, 1))]
    reconcile(context)
    assert count_by_school(context, reader).schools == found and rows_of_counts(context) == 2
    with context.database.session() as session:
        session.execute(update(Submission).values(school_name="Ashgrove"))
        session.execute(delete(Submission).where(Submission.id == second.id))
    assert [school.name for school in count_by_school(context, reader).schools] == ["Ashgrove"]
    assert rows_of_counts(context) == 1, "no name of a school is left that no entry has"


def rows_of_counts(context: Context) -> int:
    return context.database.scalar(select(func.count()).select_from(SchoolCount)) or 0


def test_nothing_waits_for_an_erasure_whose_files_go_slowly(context: Context) -> None:
    """It keeps the lock of the counts until its files are removed; workers are looked after meanwhile."""
    with context.database.session() as session:
        session.execute(select(func.public.fold_entry_counts()))
        passing = threading.Thread(target=reconcile, args=(context,))
        passing.start()
        passing.join(20)
        assert not passing.is_alive()


_SLOTS = 3
#: Status, whether a person is needed, and what is missing.
_STATES = [("suggested", True, ["grade"]), ("escalated", True, []), ("resolved", False, [])]
_STEPS = st.lists(
    st.tuples(
        st.integers(0, _SLOTS - 1),
        st.sampled_from(["make", "make", "move", "erase", "fold", "undo", "commit"]),
        # Too short to be words of a search, whose rows wait for one another.
        st.sampled_from(["", None, "PS", "MS"]),
        st.sampled_from(_STATES),
    ),
    max_size=30,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_STEPS)
def test_counts_are_those_of_the_entries_however_changes_meet(context: Context, steps: list[Any]) -> None:
    """Some transactions at a time, each with entries of its own, are committed or not in any order."""
    with context.database.session() as session:
        upload_id = factories.make_upload(session).id
    open_ = {slot: Session(context.database.engine) for slot in range(_SLOTS)}
    erasing: int | None = None
    for number, (slot, step, school, (status, needs_review, missing)) in enumerate(steps):
        session, own = open_[slot], Submission.chunk_index % _SLOTS == slot
        values = {"school_name": school, "status": status, "needs_review": needs_review, "missing_fields": missing}
        if step == "make":
            upload = session.get_one(Upload, upload_id)
            factories.make_submission(session, upload, chunk_index=number * _SLOTS + slot, **values)
        elif step == "move":
            session.execute(update(Submission).where(Submission.upload_id == upload_id, own).values(values))
        elif step == "erase" and erasing in (None, slot):
            # Another erasure would wait for this one's end.
            erasing = slot
            session.execute(delete(Submission).where(own, Submission.chunk_index % 2 == number % 2))
        elif step == "fold":
            fold_counts(context)
        elif step in ("undo", "commit"):
            session.rollback() if step == "undo" else session.commit()
            erasing = None if erasing == slot else erasing
    for session in open_.values():
        session.commit()
        session.close()
    keys = ("season_id", "owner_user_id", "status")
    lacking = case((Submission.status.in_(["suggested", "escalated"]), Submission.missing_fields), else_=[])
    with context.database.session() as session:
        columns = [getattr(Submission, key) for key in keys]
        school = func.coalesce(Submission.school_name, "")
        grouped = select(*columns, school, lacking, func.count()).group_by(*columns, school, lacking)
        fresh = sorted(map(str, session.execute(grouped)))
        columns = [getattr(SchoolCount, key) for key in (*keys, "school_name", "missing_fields")]
        summed = func.sum(SchoolCount.number)
        told = select(*columns, summed).group_by(*columns).having(summed != 0)
        assert sorted(map(str, session.execute(told))) == fresh
    fold_counts(context)
    assert rows_of_counts(context) == len(fresh)

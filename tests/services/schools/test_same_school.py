"""One school is one row, however its name is written, and follows the list at once."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select

from core.models import ErasureReason, Escalation, SchoolSpelling, Submission
from pipeline.extraction.values.names import ListedNames
from pipeline.supabase_db import update_record
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries.listing import SubmissionFilter, count_by_school, list_submissions
from services.erasure.erase import erase_submissions
from services.exports.contents import known_columns, read_submissions
from services.review.queues import QueueFilter, of_escalations
from services.review.waiting import WaitingFilter, list_waiting
from services.school_lists import import_schools
from services.school_names import is_school, schools_by_key, settle_schools
from services.schools import add_alias, add_school, merge_schools, remove_alias, rename_school
from services.seasons import current_season
from tests.support import factories
from tests.support.review import desk


@pytest.fixture
def reviewer(context: Context) -> Person:
    with context.database.session() as session:
        return person_of(factories.make_profile(session, "reviewer"))


def _write(context: Context, *schools: str) -> list[uuid.UUID]:
    """Have an entry with each of these names, written as all values are."""
    ids = []
    with context.database.session() as session:
        for school in schools:
            entry = factories.make_submission(session, grade="4", status="completed", needs_review=False)
            update_record(session, entry.id, {"school_name": school})
            ids.append(entry.id)
    return ids


def _rows(context: Context, person: Person) -> dict[str, int]:
    return {school.name: school.total.received for school in count_by_school(context, person).schools}


def _of(context: Context, person: Person, school: str) -> set[str | None]:
    return {row.school_name for row in list_submissions(context, person, SubmissionFilter(school=school)).rows}


def test_capitals_aliases_and_abbreviations_are_one_school(context: Context, reviewer: Person) -> None:
    add_school(context, "Juniper Elementary School")
    add_alias(context, "Juniper Elementary School", "Escuela del Enebro")
    written = ("Juniper Elementary School", "JUNIPER ELEM.", "escuela del enebro", "Juniper Elem Room 12")
    _write(context, *written, "Juniper Middle School", "")
    assert _rows(context, reviewer) == {"": 1, "Juniper Elementary School": 4, "Juniper Middle School": 1}
    for name in ("Juniper Elementary School", "JUNIPER ELEM.", "Escuela del Enebro"):
        assert _of(context, reviewer, name) == set(written)
    assert _of(context, reviewer, "Juniper Middle School") == {"Juniper Middle School"}


def test_names_on_no_list_are_one_row_whatever_their_case_and_accents(context: Context, reviewer: Person) -> None:
    _write(context, "ESCUELA PEÑA", "Escuela Peña", "escuela pena", "Escuela Penas")
    assert _rows(context, reviewer) == {"Escuela Peña": 3, "Escuela Penas": 1}
    assert _of(context, reviewer, "Escuela Peña") == {"ESCUELA PEÑA", "Escuela Peña", "escuela pena"}


def test_entries_follow_the_list_at_once(context: Context, reviewer: Person) -> None:
    _write(context, "LAKEVIEW ELEMENTARY", "The Lake School")
    assert _rows(context, reviewer) == {"LAKEVIEW ELEMENTARY": 1, "The Lake School": 1}
    add_school(context, "Lakeview Elementary School")
    assert _rows(context, reviewer) == {"Lakeview Elementary School": 1, "The Lake School": 1}
    add_alias(context, "Lakeview Elementary School", "The Lake School")
    assert _rows(context, reviewer) == {"Lakeview Elementary School": 2}
    remove_alias(context, "Lakeview Elementary School", "The Lake School")
    assert _rows(context, reviewer) == {"Lakeview Elementary School": 1, "The Lake School": 1}
    import_schools(context, "name,aliases\nLake Academy,The Lake School\n")
    assert _rows(context, reviewer) == {"Lake Academy": 1, "Lakeview Elementary School": 1}
    merge_schools(context, "Lake Academy", "Lakeview Elementary School")
    assert _rows(context, reviewer) == {"Lakeview Elementary School": 2}
    with context.database.session() as session:
        school = schools_by_key(session, current_season(session).id)["lakeview elementary school"]
        assert rename_school(session, school.id, "Lakeview K-5 School", uuid.uuid4())
    assert _rows(context, reviewer) == {"Lakeview K-5 School": 2}
    assert _of(context, reviewer, "Lakeview K-5 School") == {"LAKEVIEW ELEMENTARY", "The Lake School"}


def test_entries_follow_their_value_at_once(context: Context, reviewer: Person) -> None:
    add_school(context, "Juniper School")
    (entry,) = _write(context, "Ashgrove")
    with context.database.session() as session:
        update_record(session, entry, {"school_name": "JUNIPER SCHOOL"})
    assert _rows(context, reviewer) == {"Juniper School": 1}


def test_pages_go_by_school(context: Context, reviewer: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.entries.listing.PAGE_SIZE", 2)
    _write(context, "Ashgrove", "ASHGROVE", "Foxglove", "FOXGLOVE", "Juniper", "JUNIPER")
    first = count_by_school(context, reviewer)
    assert [(one.name, one.total.received) for one in first.schools] == [("Ashgrove", 2), ("Foxglove", 2)]
    second = count_by_school(context, reviewer, first.after)
    assert [(one.name, one.total.received) for one in second.schools] == [("Juniper", 2)]
    assert second.after is None and second.total.received == 6


def test_an_erased_entry_leaves_no_spelling(context: Context, reviewer: Person) -> None:
    gone, _ = _write(context, "Mrs. Quarrington's", "Juniper School")
    with context.database.session() as session:
        update_record(session, gone, {"school_name": "Ashgrove"})
    erase_submissions(context, [gone], None, ErasureReason.ASKED)
    with context.database.session() as session:
        assert set(session.scalars(select(SchoolSpelling.spelling))) == {"Juniper School"}
        assert session.scalars(select(Submission.id)).all() != []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("lincoln elementary school", "Lincoln Elementary School"),
        ("LINCOLN ELEM", "Lincoln Elementary School"),
        ("Lincoln Elem. Rm 12", "Lincoln Elementary School"),
        ("Lincoln HS", "Lincoln High School"),
        ("Lincoln", None),
        ("Lincoln Middle School", None),
        ("Lincon Elementary", None),
        ("P.S. 118", "PS 118"),
        ("Saint Anne", "St. Anne Academy"),
        ("", None),
    ],
)
def test_which_school_of_the_list_is_meant(written: str, meant: str | None) -> None:
    schools = {
        "Lincoln Elementary School": [],
        "Lincoln High School": ["Lincoln HS"],
        "PS 118": [],
        "St. Anne Academy": ["Saint Anne"],
    }
    assert ListedNames(schools).meant(written) == meant


def test_exports_have_the_listed_school_beside_what_was_read(context: Context, reviewer: Person) -> None:
    add_school(context, "Juniper Elementary School")
    ids = _write(context, "JUNIPER ELEM", "Foxglove")
    found = [(one.text("school_name"), one.text("listed_school")) for one in read_submissions(context, ids)]
    assert found == [("JUNIPER ELEM", "Juniper Elementary School"), ("Foxglove", "")]
    columns = known_columns()
    assert columns.index("listed_school") == columns.index("school_name") + 1


def test_queues_are_filtered_by_school(context: Context, reviewer: Person) -> None:
    add_school(context, "Juniper Elementary School")
    with context.database.session() as session:
        entry = desk.make_escalated(context, session).submission
        update_record(session, entry.id, {"school_name": "JUNIPER ELEM"})
        desk.make_escalated(context, session)
    page = list_waiting(context, WaitingFilter(kind="escalation", place=None, school="Juniper Elementary School"))
    assert [row.school_name for row in page.rows] == ["JUNIPER ELEM"]


def test_what_a_name_means_is_asked_of_the_database_once(context: Context) -> None:
    with context.database.session() as session:
        statement = str(select(Submission.id).where(is_school("Juniper")).compile(session.get_bind()))
    assert statement.lower().count("union") == 1


def test_the_queue_finds_a_schools_entries_before_it_reads_the_items(context: Context) -> None:
    with context.database.session() as session:
        query = of_escalations(select(Escalation.id), QueueFilter(school="Juniper"), uuid.uuid4(), joined=False)
        statement = str(query.compile(session.get_bind()))
    assert "AS MATERIALIZED" in statement


def test_what_was_not_noted_is_settled_within_a_day(context: Context, reviewer: Person) -> None:
    add_school(context, "Juniper Elementary School")
    with context.database.session() as session:
        factories.make_submission(session, school_name="JUNIPER ELEM")
    assert settle_schools(context).spellings == 1
    assert _rows(context, reviewer) == {"Juniper Elementary School": 1}

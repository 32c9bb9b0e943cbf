"""Entries are found by what people remember of them, and nothing of an erased one is left to be found."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import Text, cast, delete, func, select, update
from sqlalchemy import text as text_of_sql
from sqlalchemy.orm import Session

from core.models import Profile, SearchWord, Submission, Upload
from pipeline.supabase_db import update_record
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries.listing import SubmissionFilter, list_similar, list_submissions
from tests.support import factories

_CODE = uuid.UUID("7c0ffee7-1234-4321-8888-0123456789ab")
_NAMES = (
    "Verónica Ruiz",
    "Luis Barragán",
    "Carla Bustamante",
    "Sean O’Connell",
    "Ana Smith-Jones",
    "Zoë Lindqvist",
)

#: Entries with other names, as one statement writes them.
_MANY = """
insert into submissions (season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end,
    doc_class, doc_format, student_name)
  select s.season_id, s.batch_id, s.upload_id, s.owner_user_id, n, 1, 1, s.doc_class, s.doc_format,
    'Ana Ruiz ' || n
  from submissions s, generate_series(100, 5000) n
"""


@pytest.fixture
def reviewer(context: Context) -> Person:
    with context.database.session() as session:
        for number, name in enumerate(_NAMES):
            upload = factories.make_upload(session, original_filename=f"Room_{number} scan.pdf")
            factories.make_submission(session, upload, student_name=name, school_name=f"Juniper School {number}")
        upload = factories.make_upload(session, original_filename="kitchen-table.pdf")
        entry = factories.make_submission(session, upload, id=_CODE, student_name="Theo Okafor")
        update_record(session, entry.id, {"phone": "(212) 555-0143", "email": "Theo.K@Example.org"})
        return person_of(factories.make_profile(session, "reviewer"))


def _found(context: Context, person: Person, text: str) -> list[str | None]:
    return [row.student_name for row in list_submissions(context, person, SubmissionFilter(text=text)).rows]


def _similar(context: Context, person: Person, text: str) -> list[str | None]:
    wanted = SubmissionFilter(text=text)
    page = list_submissions(context, person, wanted)
    return [row.student_name for row in list_similar(context, person, wanted, page).rows]


@pytest.mark.parametrize(
    ("looked_for", "name"),
    [
        ("veronica", "Verónica Ruiz"),
        ("VERÓNICA ruiz", "Verónica Ruiz"),
        ("barragan", "Luis Barragán"),
        ("oconnell", "Sean O’Connell"),
        ("o'connell", "Sean O’Connell"),
        ("connell sean", "Sean O’Connell"),
        ("smithjones", "Ana Smith-Jones"),
        ("jones ana", "Ana Smith-Jones"),
        ("zoe lind", "Zoë Lindqvist"),
        ("212 555 0143", "Theo Okafor"),
        ("+1 (212) 555-0143", "Theo Okafor"),
        ("555-0143", "Theo Okafor"),
        ("0143", "Theo Okafor"),
        ("theo.k@example.org", "Theo Okafor"),
        ("theo.k@", "Theo Okafor"),
        ("kitchen-table.pdf", "Theo Okafor"),
        ("table okafor", "Theo Okafor"),
        ("7c0ffee7", "Theo Okafor"),
        (str(_CODE).upper(), "Theo Okafor"),
    ],
)
def test_an_entry_is_found(context: Context, reviewer: Person, looked_for: str, name: str) -> None:
    assert _found(context, reviewer, looked_for) == [name]


@pytest.mark.parametrize(
    ("looked_for", "name"),
    [
        ("bustamonte", "Carla Bustamante"),
        ("bustamnte", "Carla Bustamante"),
        ("bustammante carla", "Carla Bustamante"),
        ("veronika", "Verónica Ruiz"),
        ("barargan", "Luis Barragán"),
        ("oconell", "Sean O’Connell"),
    ],
)
def test_an_entry_is_found_with_a_letter_wrong(
    context: Context, reviewer: Person, looked_for: str, name: str
) -> None:
    assert _found(context, reviewer, looked_for) == []
    assert _similar(context, reviewer, looked_for) == [name]


@pytest.mark.parametrize("looked_for", ["bustamxxte", "veronica okafor", "555-0144", "' & | !*:", "7c0ffee8"])
def test_nothing_else_is_found(context: Context, reviewer: Person, looked_for: str) -> None:
    assert _similar(context, reviewer, looked_for) == []
    if looked_for != "' & | !*:":
        assert _found(context, reviewer, looked_for) == []


def test_what_has_the_words_comes_before_what_is_similar(context: Context, reviewer: Person) -> None:
    with context.database.session() as session:
        factories.make_submission(session, student_name="Carla Bustamonte")
    assert _found(context, reviewer, "bustamante") == ["Carla Bustamante"]
    assert _similar(context, reviewer, "bustamante") == ["Carla Bustamonte"]
    wanted = SubmissionFilter(text="bustamante", similar=True)
    assert [row.student_name for row in list_submissions(context, reviewer, wanted).rows] == ["Carla Bustamonte"]


def test_each_word_is_looked_up_once_for_what_is_similar(context: Context) -> None:
    with context.database.session() as session:
        for name in ("Carla Bustamonte", "Carlo Bustamante"):
            factories.make_submission(session, student_name=name)
        query = session.scalar(select(cast(func.public.search_query("carla bustamante", True), Text)))
    assert query == "( 'carla':* | 'carlo' ) & ( 'bustamante':* | 'bustamonte' )"


def test_similar_ones_wait_for_the_last_page(context: Context, reviewer: Person) -> None:
    wanted = SubmissionFilter(text="juniper")
    first = list_submissions(context, reviewer, wanted, limit=4)
    assert first.next and list_similar(context, reviewer, wanted, first).rows == []


def test_an_uploader_finds_their_own(context: Context, reviewer: Person) -> None:
    with context.database.session() as session:
        own: Profile = factories.make_profile(session, "uploader")
        upload = factories.make_upload(session, factories.make_batch(session, own))
        factories.make_submission(session, upload, student_name="Rosa Bustamante")
    assert _found(context, person_of(own), "bustamante") == ["Rosa Bustamante"]
    assert _similar(context, person_of(own), "bustamonte") == ["Rosa Bustamante"]
    assert _found(context, person_of(own), "7c0ffee7") == []


def test_a_corrected_value_is_found_at_once_and_the_one_before_no_longer(
    context: Context, reviewer: Person
) -> None:
    with context.database.session() as session:
        entry = session.scalars(select(Submission.id).where(Submission.student_name == "Theo Okafor")).one()
        update_record(session, entry, {"student_name": "Theo Adeyemi", "phone": "212 555 0199"})
        assert _words(session, "okafor", "adeyemi") == {"adeyemi"}
    assert _found(context, reviewer, "adeyemi") == _found(context, reviewer, "5550199") == ["Theo Adeyemi"]
    assert _found(context, reviewer, "okafor") == _found(context, reviewer, "5550143") == []
    assert _found(context, reviewer, "theo.k@example.org") == ["Theo Adeyemi"]


def test_a_word_stays_as_long_as_an_entry_has_it(context: Context, reviewer: Person) -> None:
    with context.database.session() as session:
        first = factories.make_submission(session, student_name="Xochitl Quintero").id
        second = factories.make_submission(session, student_name="Xochitl Vogel").id
    for entry, left in ((first, {"xochitl", "vogel"}), (second, set())):
        with context.database.session() as session:
            session.execute(delete(Submission).where(Submission.id == entry))
            assert _words(session, "xochitl", "vogel", "quintero") == left


def test_a_file_that_is_called_otherwise_is_found_by_its_new_name(context: Context, reviewer: Person) -> None:
    with context.database.session() as session:
        named = Upload.original_filename == "kitchen-table.pdf"
        session.execute(update(Upload).where(named).values(original_filename="erased-in-part.pdf"))
    assert _found(context, reviewer, "kitchen") == []
    assert _found(context, reviewer, "erased") == ["Theo Okafor"]


def test_any_text_can_be_searched_for(context: Context, reviewer: Person) -> None:
    odd = [
        "\\",
        "''",
        "a\\':*",
        "@",
        "x@'\\y",
        "ﬁ",
        "İ",
        "+",
        "(((",
        "1-2-3-4",
        "é" * 200,
        "山田",
        "a@" + "b" * 190,
    ]
    for one in odd:
        _found(context, reviewer, one)
        _similar(context, reviewer, one)


def test_folding_in_the_database(context: Context) -> None:
    folded = context.database.scalar(select(func.public.folded("ÑANDÚ Ørsted `´’‘ʼ Straße Łódź ÆŒ")))
    assert folded == "nandu orsted ''''' strasse lodz aeoe"


def _words(session: Session, *words: str) -> set[str]:
    return set(session.scalars(select(SearchWord.word).where(SearchWord.word.in_(words))))


def test_few_among_many_are_found_by_the_index(context: Context) -> None:
    with context.database.session() as session:
        factories.make_submission(session, student_name="Carla Bustamante")
        session.execute(text_of_sql(_MANY))
        session.execute(text_of_sql("select gin_clean_pending_list('submissions_search')"))
        session.execute(text_of_sql("analyze submissions"))
        for wanted in (SubmissionFilter(text="bustamante"), SubmissionFilter(text="bustamonte", similar=True)):
            found = select(Submission.id).where(*wanted.conditions(session)).order_by(Submission.created_at.desc())
            compiled = found.limit(51).compile(dialect=session.get_bind().dialect)
            plan = "\n".join(
                session.connection().exec_driver_sql(f"explain {compiled}", compiled.params).scalars()
            )
            assert "submissions_search" in plan, plan

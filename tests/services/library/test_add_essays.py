"""Essays come into the library without a name, and go with their entry's approval."""

from __future__ import annotations

import re
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from core.clock import utcnow
from core.models import LibraryDocument, LibraryPassage, Submission, SubmissionField
from research.sources.base import SearchScope
from research.sources.library import LibrarySource
from services.context import Context
from services.library.documents import remove_document
from services.library.essays.add_essays import add_essays, initials, refresh_essays, without_names
from services.library.essays.words import NO_NAMES
from tests.support import factories
from tests.support.research.library import text_of

ENTRY = {
    "student_name": "Marisol Quintero",
    "father_figure_name": "Ernesto Quintero",
    "teacher_name": "Ms. Okafor",
    "school_name": "Lakeview Elementary School",
    "grade": "4",
    "phone": "555-0142",
    "email": "quintero@example.org",
    "essay_text": (
        "My name is Marisol and my dad is Ernesto. Everyone at Lakeview knows the Quinteros. My little brother "
        "Diego says Mari when he means me.\n\nMs. Okafor calls him at (555) 0142 "
        "or writes to quintero@example.org. "
        "Diego and I bake bread with our father on Sundays. I love you, Dad. Love, MARISOL QUINTERO"
    ),
}


def approved(context: Context, status: str = "completed", **values: str | None) -> uuid.UUID:
    with context.database.session() as session:
        entry = factories.make_submission(session, status=status)
        for name, value in {**ENTRY, **values}.items():
            factories.make_field(session, entry, name=name, value=value)
        return uuid.UUID(str(entry.id))


def essays(context: Context) -> list[LibraryDocument]:
    return list(
        context.database.scalars(
            select(LibraryDocument)
            .where(LibraryDocument.submission_id.is_not(None), LibraryDocument.status == "ready")
            .order_by(LibraryDocument.created_at)
        )
    )


def test_an_approved_essay_is_found_without_a_name(context: Context) -> None:
    approved(context)
    assert add_essays(context).written == 1
    (essay,) = essays(context)
    assert (essay.title, essay.kind) == ("M. Q., grade 4", "essay")
    text = text_of(context, essay.id)
    for name in ("Marisol", "Mari ", "Quintero", "Ernesto", "Okafor", "Lakeview", "Diego", "0142", "example.org"):
        assert name.lower() not in text.lower(), name
    assert "bake bread with our father on Sundays. I love you, Dad." in text
    assert "My name is M. and my dad is E. Everyone at L. knows the Q. My little brother D." in text
    hits = LibrarySource(context.database).search("Who bakes bread with the children?", 3, SearchScope("essay"))
    assert [hit.title for hit in hits] == ["M. Q., grade 4"]


@pytest.mark.parametrize("status", ["rejected", "superseded", "failed", "suggested", "escalated", "processing"])
def test_what_nobody_approved_stays_out(context: Context, status: str) -> None:
    approved(context, status)
    assert add_essays(context).written == 0 and essays(context) == []


def change(context: Context, entry: uuid.UUID, text: str | None = None, **values: object) -> None:
    with context.database.session() as session:
        session.execute(update(Submission).where(Submission.id == entry).values(updated_at=utcnow(), **values))
        if text is not None:
            session.execute(
                update(SubmissionField)
                .where(SubmissionField.submission_id == entry, SubmissionField.name == "essay_text")
                .values(value=text)
            )


def test_an_essay_goes_with_its_entry(context: Context) -> None:
    entry = approved(context)
    add_essays(context)
    assert add_essays(context).written == 0
    change(context, entry, "He sings while he cooks.", status="resolved")
    assert refresh_essays(context).written == 1
    assert text_of(context, essays(context)[0].id) == "He sings while he cooks."
    change(context, entry, status="rejected")
    assert refresh_essays(context).removed == 1 and essays(context) == []
    change(context, entry, status="resolved")
    assert refresh_essays(context).written == 1 and len(essays(context)) == 1


def test_what_a_person_removed_stays_out(context: Context) -> None:
    entry = approved(context)
    add_essays(context)
    remove_document(context, essays(context)[0].id)
    change(context, entry)
    assert add_essays(context).written == 0


def test_an_office_without_essays_is_left_without(context: Context) -> None:
    approved(context)
    assert refresh_essays(context).written == 0
    assert context.database.scalar(select(LibraryPassage)) is None


def test_initials() -> None:
    assert initials("María de la Cruz") == "M. C."
    assert initials("Mr. Ernesto O'Neil") == "E. O."
    assert initials(None) == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I hope that Hope will come.", "I hope that H. will come."),
        ("José y jose cantan. JOSE!", "J. y J. cantan. J.!"),
        ("Anne-Marie's bike, Marie laughs", "A.-M. bike, M. laughs"),
        ("Our coach Dan and Uncle Teo cheer. Teo is loud.", "Our coach D. and Uncle T. cheer. T. is loud."),
        ("My sisters Ana, Lucía and Pilar laugh. Pilar most.", "My sisters A., L. and P. laugh. P. most."),
        ("Me llamo Itzel. Itzel es mi nombre", "Me llamo I. I. es mi nombre"),
        ("Samuel is Sam, Samule by mistake.", "S. is S., S. by mistake."),
        ("My dad is the best Dad.", "My dad is the best Dad."),
    ],
)
def test_names_become_initials(text: str, wanted: str) -> None:
    names = {"student_name": "Hope José", "teacher_name": "Anne-Marie Samuel", "father_figure_name": "Dad"}
    assert without_names(text, names) == wanted


_LETTERS = st.sampled_from("abcdefghijklmnoprstuvzáéíóúñü")
#: A particle, a title or a word of kinship by itself is no name.
_WORDS = st.text(_LETTERS, min_size=3, max_size=9).filter(lambda word: word not in NO_NAMES).map(str.capitalize)
_NAME = st.lists(_WORDS, min_size=1, max_size=3).map(" ".join)
_FILLER = st.sampled_from(
    ["my father said to", "cooks with", "and then", ".", ",", "\n", "¿y", "loves", "'s hand"]
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    student=_NAME,
    father=_NAME,
    teacher=_NAME,
    school=_NAME.map(lambda name: f"{name} School"),
    phone=st.from_regex(r"555-01[0-9]{2}", fullmatch=True),
    shapes=st.lists(
        st.tuples(_FILLER, st.integers(0, 4), st.sampled_from([str, str.upper, str.lower])), max_size=12
    ),
)
def test_no_value_of_the_entry_is_left(student, father, teacher, school, phone, shapes) -> None:
    entry = {
        "student_name": student,
        "father_figure_name": father,
        "teacher_name": teacher,
        "school_name": school,
        "phone": phone,
        "email": "someone@example.org",
    }
    values = list(entry.values())
    text = " ".join(f"{filler} {shape(values[index])}" for filler, index, shape in shapes)
    kept = without_names(text + " someone@example.org", entry)
    for value in values:
        assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", kept, re.IGNORECASE), (value, kept)


def test_two_who_add_the_essays_at_once(context: Context) -> None:
    for number in range(12):
        approved(context, essay_text=f"We bake bread number {number} with our father on Sundays. I love you, Dad.")
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(lambda _: add_essays(context).written, range(4)))
    assert sum(done) == len(essays(context)) == 12


def test_two_entries_with_the_same_essay(context: Context) -> None:
    approved(context)
    approved(context)
    assert add_essays(context).written == len(essays(context)) == 2

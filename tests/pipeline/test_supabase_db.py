"""The record of an entry: saved whole, updated by a person, restored."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.database import Database
from core.errors import NotFoundError
from core.models import FieldEvidence, Submission, SubmissionField
from pipeline.pages.page_model import Box, Source
from pipeline.schema import FIELD_NAMES, EvidenceBox, FieldReading, SubmissionRecord
from pipeline.supabase_db import (
    get_field_values,
    get_record_by_id,
    keep_fields,
    restore_fields,
    save_record,
    update_record,
)
from pipeline.validation.certainty import field_is_weak
from pipeline.validation.policy import Policy
from tests.support import factories

LINE = [
    EvidenceBox(page=1, box=Box(0.125, 0.25, 0.5, 0.375)),
    EvidenceBox(page=1, box=Box(0.125, 0.375, 0.25, 0.5)),
]


@pytest.fixture
def session(database_url: str) -> Iterator[Session]:
    """A session whose work is rolled back."""
    database = Database(database_url)
    with Session(database.engine) as opened:
        yield opened
        opened.rollback()
    database.dispose()


@pytest.fixture
def entry(session: Session) -> Submission:
    """An entry with a record."""
    submission = factories.make_submission(session)
    save_record(session, reading(submission), run_no=1)
    return submission


def reading(submission: Submission) -> SubmissionRecord:
    """What a run made of the entry: a school over two lines, an essay of three words."""
    return SubmissionRecord(
        submission_id=str(submission.id),
        profile="plain",
        student_name="Rosa Field",
        school_name="Lakeview Elementary",
        essay_text="My dad sings.",
        word_count=3,
        ocr_confidence_avg=0.75,
        readings={
            "school_name": FieldReading(
                value="Lakeview Elementary", confidence=0.75, source=Source.OCR, method="label", evidence=LINE
            ),
            "grade": FieldReading(confidence=0.5, source=Source.OCR),
        },
    )


def shown(submission: Submission) -> tuple[object, ...]:
    return (submission.student_name, submission.school_name, submission.grade, submission.word_count)


def test_what_is_saved_is_read_back(session: Session, entry: Submission) -> None:
    record = get_record_by_id(session, entry.id)
    assert (record.student_name, record.word_count, record.profile) == ("Rosa Field", 3, "plain")
    assert record.readings["school_name"] == reading(entry).readings["school_name"]
    assert shown(entry) == ("Rosa Field", "Lakeview Elementary", None, 3)


def test_a_field_without_a_value_has_no_source_and_no_confidence(session: Session, entry: Submission) -> None:
    grade = get_record_by_id(session, entry.id).readings["grade"]
    assert (grade.source, grade.confidence) == (None, 0.0)


def test_saving_again_replaces_every_field_and_its_evidence(session: Session, entry: Submission) -> None:
    save_record(session, SubmissionRecord(submission_id=str(entry.id), grade="4"), run_no=2)
    fields = session.scalars(select(SubmissionField).where(SubmissionField.submission_id == entry.id)).all()
    assert [field.run_no for field in fields] == [2] * len(FIELD_NAMES)
    pieces = select(func.count()).where(FieldEvidence.field_id.in_([field.id for field in fields]))
    assert session.scalar(pieces) == 0
    assert shown(entry) == (None, None, "4", None)


def test_an_update_is_a_persons_and_keeps_the_evidence(session: Session, entry: Submission) -> None:
    before = update_record(session, entry.id, {"school_name": "Lakeside", "word_count": "4"})
    assert before == {"school_name": "Lakeview Elementary", "word_count": "3"}
    reading = get_record_by_id(session, entry.id).readings["school_name"]
    assert (reading.value, reading.source, reading.confidence) == ("Lakeside", Source.PERSON, 1.0)
    assert reading.evidence == LINE and reading.is_decided
    assert shown(entry) == ("Rosa Field", "Lakeside", None, 4)


def test_a_confirmed_value_stays_as_read_and_names_the_person(session: Session, entry: Submission) -> None:
    read = get_record_by_id(session, entry.id).readings["school_name"]
    person = factories.make_profile(session)
    update_record(session, entry.id, {"school_name": read.value}, person.id)
    confirmed = get_record_by_id(session, entry.id).readings["school_name"]
    assert (confirmed.decided_by, confirmed.decided_at is not None) == (str(person.id), True)
    assert confirmed.model_copy(update={"decided_by": None, "decided_at": None}) == read
    assert not field_is_weak(confirmed.model_copy(update={"confidence": 0.5}), Policy())


def test_a_value_taken_from_a_reading_is_of_its_source(session: Session, entry: Submission) -> None:
    listed = FieldReading(value="Lakeside", confidence=0.85, source=Source.SCHOOL_LIST, method="school list")
    update_record(session, entry.id, {"school_name": "Lakeside"}, origins={"school_name": listed})
    taken = get_record_by_id(session, entry.id).readings["school_name"]
    assert (taken.source, taken.confidence, taken.method) == (Source.SCHOOL_LIST, 0.85, "school list")
    assert taken.is_decided
    update_record(session, entry.id, {"school_name": "Lakeside West"}, origins={"school_name": listed})
    assert get_record_by_id(session, entry.id).readings["school_name"].source is Source.PERSON


def test_a_field_that_was_never_read_is_added(session: Session) -> None:
    submission = factories.make_submission(session)
    assert update_record(session, submission.id, {"grade": "K"}) == {"grade": None}
    assert get_field_values(session, submission.id) == {"grade": "K"}


def test_restoring_undoes_an_update(session: Session, entry: Submission) -> None:
    names = ["school_name", "grade", "word_count"]
    kept, before = keep_fields(session, entry.id, names), get_record_by_id(session, entry.id)
    update_record(session, entry.id, {"school_name": None, "grade": "4", "word_count": "9"})
    changed = restore_fields(session, entry.id, kept)
    assert changed == {
        "school_name": (None, "Lakeview Elementary"),
        "grade": ("4", None),
        "word_count": ("9", "3"),
    }
    assert get_record_by_id(session, entry.id) == before
    assert shown(entry) == ("Rosa Field", "Lakeview Elementary", None, 3)


def test_restoring_removes_a_field_that_was_not_there(session: Session) -> None:
    submission = factories.make_submission(session)
    kept = keep_fields(session, submission.id, ["grade"])
    update_record(session, submission.id, {"grade": "4"})
    restore_fields(session, submission.id, kept)
    assert (get_field_values(session, submission.id), submission.grade) == ({}, None)


def test_no_such_entry(session: Session) -> None:
    with pytest.raises(NotFoundError):
        get_record_by_id(session, uuid.uuid4())

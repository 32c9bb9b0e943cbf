"""From what is missing to a letter, its answer, and what is left of it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.confined.mupdf import pymupdf
from core.errors import ConflictError, InvalidInputError
from core.models import (
    AddressedTo,
    AsideKind,
    ErasureReason,
    Letter,
    LetterItem,
    LetterState,
    OutgoingMail,
    ReviewEvent,
    SetAside,
    Submission,
    SubmissionField,
)
from pipeline.supabase_db import update_record
from services.context import Context
from services.entries.change import edit_record
from services.entries.decision import lock_entry
from services.erasure.erase import erase_submissions
from services.erasure.held_export import export_held, find_held
from services.erasure.scope import HeldKind
from services.letters.answers import answer_item, await_again, find_letters, give_up, list_letters
from services.letters.items import IncompleteGroup, LetterItemView, items_of_submission, list_incomplete
from services.letters.wording import change_texts, office_texts, usual_wording
from services.letters.writing import (
    LetterRequest,
    WrittenLetters,
    letter_pdf,
    letter_text,
    plan_letters,
    write_letters,
)
from services.mails.mails import send_waiting
from services.review.asides import aside_of, set_aside
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.undo import undo_decision
from tests.support import factories
from tests.support.erasure.scan import where_found
from tests.support.mail_server import MailServer
from tests.support.office import make_person
from tests.support.review import desk

SCHOOL = "Lakeview Elementary School"
UNTIL = utcnow().date() + timedelta(days=10)


@pytest.fixture
def office(context: Context, mail_server: MailServer) -> Iterator[Context]:
    """The context with a mail server, and a school that has an address."""
    context.redis.flushdb()
    with context.database.session() as session:
        factories.make_school(session, name=SCHOOL, email="school@example.org")
    yield replace(context, settings=context.settings.model_copy(update=mail_server.settings))


@pytest.fixture
def reviewer(office: Context) -> uuid.UUID:
    return make_person(office, "reviewer")


def lacking(context: Context, *missing: str, **values: Any) -> uuid.UUID:
    """An escalated entry that lacks these fields."""
    names = list(missing or ("grade",))
    with context.database.session() as session:
        made = desk.make_escalated(context, session)
        for name, value in values.items():
            setattr(made.submission, name, value)
        made.submission.missing_fields = names
        session.execute(
            update(SubmissionField)
            .where(SubmissionField.submission_id == made.submission.id, SubmissionField.name.in_(names))
            .values(value=None, confidence=0, source=None, page=None, x0=None, y0=None, x1=None, y1=None)
        )
        return made.submission.id


def address(context: Context, submission_id: uuid.UUID, value: str, confidence: float = 0.99) -> None:
    context.database.execute(
        update(SubmissionField)
        .where(SubmissionField.submission_id == submission_id, SubmissionField.name == "email")
        .values(value=value, confidence=confidence, source="text_layer")
    )


def groups(context: Context, by: AddressedTo) -> list[IncompleteGroup]:
    return list_incomplete(context, by).groups


def asking(*ids: uuid.UUID, by: AddressedTo = AddressedTo.SCHOOL, times: int = 0, **more: Any) -> LetterRequest:
    return LetterRequest(by, dict.fromkeys(ids, times), UNTIL, **more)


def item_of(context: Context, submission_id: uuid.UUID) -> LetterItemView:
    return items_of_submission(context, submission_id)[0]


def asked(context: Context, reviewer: uuid.UUID, *ids: uuid.UUID, **more: Any) -> WrittenLetters:
    return write_letters(context, reviewer, asking(*ids, **more))


def test_a_school_is_one_group_however_it_is_written(office: Context) -> None:
    for written in (SCHOOL.upper(), SCHOOL.lower(), SCHOOL):
        entry = lacking(office)
        with office.database.session() as session:
            update_record(session, entry, {"school_name": written})
    (group,) = groups(office, AddressedTo.SCHOOL)
    assert (group.key, group.address, len(group.submissions)) == (SCHOOL, "school@example.org", 3)


def test_what_is_missing_by_school_and_by_parents(office: Context) -> None:
    two = [lacking(office, student_name="Ana Ruiz"), lacking(office, "grade", "phone", student_name="Bo Okoro")]
    nowhere = lacking(office, school_name=None, student_name="Cy Dale")
    lacking(office, status="completed", needs_review=False)
    with office.database.session() as session:
        # For its grade a value is proposed: nobody is asked.
        desk.make_proposal(office, session).submission.missing_fields = ["grade"]
    address(office, two[0], "Ruiz@Example.org")
    address(office, two[1], "hard@to.read", confidence=0.3)
    address(office, nowhere, "no address")
    schools = groups(office, AddressedTo.SCHOOL)
    assert [(group.key, group.address) for group in schools] == [("", None), (SCHOOL, "school@example.org")]
    assert [one.missing for one in schools[1].submissions] == [("grade",), ("grade", "phone")]
    parents = groups(office, AddressedTo.PARENT)
    assert [(group.key, len(group.submissions)) for group in parents] == [("", 2), ("ruiz@example.org", 1)]


def test_a_letter_by_mail_and_one_to_print(office: Context, reviewer: uuid.UUID, mail_server: MailServer) -> None:
    ids = [lacking(office, student_name="Ana Ruiz", language="es"), lacking(office, school_name=None)]
    plan = plan_letters(office, asking(*ids))
    assert [(one.recipient, one.language) for one in plan.letters] == [(None, "en"), ("school@example.org", "es")]
    english, spanish = (plan.letters[1].texts[code][1] for code in ("en", "es"))
    assert f"Dear {SCHOOL}" in english and "– Ana Ruiz: Grade" in english
    assert f"A la atención de {SCHOOL}" in spanish and ": Grado" in spanish and "office@example.org" in spanish
    assert "{" not in english + spanish and "\n\n\n" not in english, "no reminder, and no hole where it would be"
    done = asked(office, reviewer, *ids)
    assert (len(done.printed), done.mailed, done.left_out) == (1, 1, 0)
    [mail] = office.database.scalars(select(OutgoingMail.id))
    assert send_waiting(office, mail)
    [got] = mail_server.to("school@example.org")
    assert "Ana Ruiz" in got.get_content() and got["Subject"].startswith("Sus formularios")
    letters = list_letters(office).rows
    assert {letter.mail_state for letter in letters} == {None, "sent"}
    with pymupdf.open("pdf", letter_pdf(find_letters(office, [letter.id for letter in letters]))) as document:
        text = [page.get_text() for page in document]
    assert len(text) == 2 and any("Ana Ruiz" in page and "atención" in page for page in text)


def doubt(context: Context, submission_id: uuid.UUID, name: str, **values: Any) -> None:
    """The field was read, and is in doubt."""
    context.database.execute(
        update(SubmissionField)
        .where(SubmissionField.submission_id == submission_id, SubmissionField.name == name)
        .values(**values)
    )


def ask_for(context: Context, who: uuid.UUID, submission_id: uuid.UUID, *fields: str, note: str = "") -> None:
    with context.database.session() as session:
        entry = lock_entry(session, submission_id)
        set_aside(session, entry, who, AsideKind.ASKED, fields=fields, note=note)


def is_out_of_the_queue(context: Context, submission_id: uuid.UUID) -> bool:
    with context.database.session() as session:
        found = aside_of(session, submission_id)
    return found is not None and not found.returned


def test_what_a_reviewer_left_open_is_not_asked_for(office: Context, reviewer: uuid.UUID) -> None:
    """A value that is there, one that was proposed, and a text that is no grade are the reviewer's work."""
    doubted = lacking(office, "grade", "school_name")
    doubt(office, doubted, "school_name", value="Lakevlew")
    unfit = lacking(office)
    doubt(office, unfit, "grade", unfit=True)
    short = lacking(office, "essay_text")
    doubt(office, short, "essay_text", value="My father drives the night bus.")
    with office.database.session() as session:
        left = desk.make_proposal(office, session)
    assert left.suggestion
    decided = decide_suggestion(office, reviewer, left.suggestion.id, 1, {"school_name": FieldAnswer("approve")})
    assert decided.missing == ["grade"]
    [group] = groups(office, AddressedTo.SCHOOL)
    assert group.key == "", "its school is in doubt"
    assert [(one.id, one.missing, one.school_name) for one in group.submissions] == [(doubted, ("grade",), None)]
    edit_record(office, reviewer, unfit, 1, {"grade": ""})
    listed = {one.id for group in groups(office, AddressedTo.SCHOOL) for one in group.submissions}
    assert listed == {doubted, unfit}, "a person says that there is no grade"


def test_what_a_reviewer_asks_for(office: Context, reviewer: uuid.UUID) -> None:
    """Exactly these fields, whatever is missing, until the letter is late, an answer came or it was given up."""
    with office.database.session() as session:
        entry = desk.make_proposal(office, session).submission.id
        session.execute(update(Submission).values(word_count=36))
    ask_for(office, reviewer, entry, "teacher_name", "essay_text", note="The page is torn.")
    [group] = groups(office, AddressedTo.SCHOOL)
    [one] = group.submissions
    assert (group.key, one.missing) == (SCHOOL, ("teacher_name", "essay_text"))
    assert one.note == "The page is torn." and one.asks is not None
    done = asked(office, reviewer, entry)
    [letter] = find_letters(office, [row.id for row in list_letters(office).rows])
    assert "Teacher, the rest of the essay (we have 36 words of it)" in letter.body and done.mailed == 1
    until = office.database.one(select(SetAside.until))
    assert until.date() == UNTIL + timedelta(days=1)
    item = item_of(office, entry)
    assert item.remaining == ("teacher_name", "essay_text") and is_out_of_the_queue(office, entry)
    give_up(office, reviewer, item.id)
    assert not is_out_of_the_queue(office, entry)
    ask_for(office, reviewer, entry, "teacher_name")
    answer_item(office, reviewer, item.id, item.version, {"teacher_name": "Ms. Boone"}, "Answer")
    assert not is_out_of_the_queue(office, entry) and item_of(office, entry).state is LetterState.ANSWERED


def begins(context: Context, *ids: uuid.UUID, by: AddressedTo = AddressedTo.SCHOOL) -> set[tuple[str, str]]:
    """How the letters begin, in English and Spanish."""
    plan = plan_letters(context, asking(*ids, by=by))
    return {tuple(letter.texts[code][1].splitlines()[0] for code in ("en", "es")) for letter in plan.letters}  # type: ignore[misc]


@pytest.mark.parametrize(
    ("school", "teacher", "english", "spanish"),
    [
        (SCHOOL, None, f"Dear {SCHOOL},", f"A la atención de {SCHOOL}:"),
        (SCHOOL, "Ms.\nAbernathy", "Dear Ms. Abernathy,", "A la atención de Ms. Abernathy:"),
        (None, "Ms. Abernathy", "Dear Ms. Abernathy,", "A la atención de Ms. Abernathy:"),
        (None, None, "Dear Sir or Madam,", "A la atención de quien corresponda:"),
        (" ", "null", "Dear Sir or Madam,", "A la atención de quien corresponda:"),
    ],
)
def test_a_letter_to_a_school_begins_right(
    office: Context, school: str | None, teacher: str | None, english: str, spanish: str
) -> None:
    entry = lacking(office, school_name=school)
    doubt(office, entry, "teacher_name", value=teacher, confidence=0.95)
    assert begins(office, entry) == {(english, spanish)}


def test_a_teacher_of_some_or_in_doubt_is_not_addressed(office: Context) -> None:
    one, other = lacking(office), lacking(office)
    doubt(office, one, "teacher_name", value="Ms. Abernathy", confidence=0.95)
    assert begins(office, one, other) == {(f"Dear {SCHOOL},", f"A la atención de {SCHOOL}:")}
    doubt(office, one, "teacher_name", confidence=0.4)
    assert begins(office, one) == {(f"Dear {SCHOOL},", f"A la atención de {SCHOOL}:")}


def test_a_letter_to_a_family_begins_right(office: Context) -> None:
    first, second, nameless = (
        lacking(office, student_name="Ana Ruiz"),
        lacking(office, student_name="Bo Ruiz"),
        lacking(office, student_name=None),
    )
    parents = AddressedTo.PARENT
    assert begins(office, first, by=parents) == {("Dear family of Ana Ruiz,", "Estimada familia de Ana Ruiz:")}
    assert begins(office, nameless, by=parents) == {("Dear family,", "Estimada familia:")}
    for entry in (first, second):
        address(office, entry, "ruiz@example.org")
    assert begins(office, first, second, by=parents) == {("Dear family,", "Estimada familia:")}


@pytest.mark.parametrize("by", AddressedTo)
def test_a_letter_names_its_season_and_writes_days_as_its_language_does(
    context: Context, by: AddressedTo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the letters of an office that has never given its season a name."""
    monkeypatch.setattr("services.seasons.utcnow", lambda: datetime(2025, 3, 1, tzinfo=UTC))
    texts = office_texts(context)
    lacking(context)
    [group] = groups(context, by)
    for language, day in (("en", "November 29, 2026"), ("es", "29 de noviembre de 2026")):
        subject, body = letter_text(language, texts, by, group.key, group.submissions, date(2026, 11, 29))
        assert " 2025:" in subject and " 2025." in body and day in body


def test_the_subject_of_a_letter_needs_the_season(office: Context, reviewer: uuid.UUID) -> None:
    given = {code: (t.subject, t.body, t.reminder) for code in ("en", "es") for t in [usual_wording(code)]}
    for code in given:
        with pytest.raises(InvalidInputError) as caught:
            change_texts(office, reviewer, 0, "", "", {**given, code: ("Something is missing", *given[code][1:])})
        assert caught.value.told.code == "letter_place_wanting"


def test_of_two_who_ask_one_does(office: Context, reviewer: uuid.UUID) -> None:
    entry = lacking(office)
    asked(office, reviewer, entry)
    with pytest.raises(ConflictError):
        asked(office, reviewer, entry)
    [letter] = plan_letters(office, asking(entry, times=1)).letters
    assert "We asked for this on" in letter.texts["en"][1] and "Ya se lo pedimos" in letter.texts["es"][1]
    assert letter.submissions[0].asked[0].answer_until == UNTIL
    both = LetterRequest(AddressedTo.SCHOOL, {entry: 1, lacking(office): 0}, UNTIL)
    [mixed] = plan_letters(office, both).letters
    assert mixed.texts["en"][1].count("(asked for on ") == 1 and "We asked" not in mixed.texts["en"][1]
    done = write_letters(office, reviewer, replace(both, chosen={entry: 1, lacking(office): 3}))
    assert (done.mailed, done.left_out) == (1, 1)


@pytest.mark.parametrize(
    ("change", "code"),
    [({"chosen": {}}, "letter_nothing_chosen"), ({"until": utcnow().date() - timedelta(days=1)}, "letter_until")],
)
def test_what_cannot_be_asked(office: Context, reviewer: uuid.UUID, change: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        write_letters(office, reviewer, replace(asking(lacking(office)), **change))
    assert caught.value.told.code == code


def test_an_answer_in_parts_and_taken_back(office: Context, reviewer: uuid.UUID) -> None:
    entry = lacking(office, "grade", "student_name", student_name=None)
    asked(office, reviewer, entry)
    item = item_of(office, entry)
    with pytest.raises(InvalidInputError):
        answer_item(office, reviewer, item.id, item.version, {"grade": " "}, "Answer")
    first = answer_item(office, reviewer, item.id, item.version, {"grade": "5", "student_name": ""}, "Answer")
    assert first.remaining == ("student_name",)
    item = item_of(office, entry)
    assert item.state is LetterState.ASKED and item.answered_by is not None
    second = answer_item(
        office, reviewer, item.id, item.version, {"student_name": "Ana Ruiz", "city": "x"}, "Answer"
    )
    assert item_of(office, entry).state is LetterState.ANSWERED
    with office.database.session() as session:
        rows = session.scalars(select(ReviewEvent).where(ReviewEvent.kind == "edited")).all()
        assert {(row.field_name, row.reason, row.actor_id) for row in rows} == {
            ("grade", "Answer", reviewer),
            ("student_name", "Answer", reviewer),
        }
    undo_decision(office, reviewer, second.decision_id)
    item = item_of(office, entry)
    assert (item.state, item.remaining, item.answered_at) == (LetterState.ASKED, ("student_name",), None)


def test_an_answer_settles_the_entry(office: Context, reviewer: uuid.UUID) -> None:
    entry = lacking(office)
    asked(office, reviewer, entry)
    item = item_of(office, entry)
    assert item.settleable
    with pytest.raises(ConflictError):
        answer_item(office, reviewer, item.id, item.version + 1, {"grade": "5"}, "Answer", settle=True)
    done = answer_item(office, reviewer, item.id, item.version, {"grade": "5"}, "Answer", settle=True)
    assert office.database.get_one(Submission, entry).status == "resolved"
    assert item_of(office, entry).state is LetterState.ANSWERED
    undo_decision(office, reviewer, done.decision_id)
    assert item_of(office, entry).state is LetterState.ASKED


def test_what_came_otherwise_is_not_needed(office: Context, reviewer: uuid.UUID) -> None:
    entry = lacking(office)
    asked(office, reviewer, entry)
    edit_record(office, reviewer, entry, item_of(office, entry).version, {"grade": "3"})
    assert item_of(office, entry).state is LetterState.NOT_NEEDED


def test_an_entry_is_given_up(office: Context, reviewer: uuid.UUID) -> None:
    entry = lacking(office)
    asked(office, reviewer, entry)
    give_up(office, reviewer, item_of(office, entry).id)
    item = item_of(office, entry)
    assert item.state is LetterState.GIVEN_UP and item.given_up_by and item.remaining == ("grade",)
    with pytest.raises(ConflictError):
        give_up(office, reviewer, item.id)
    [group] = groups(office, AddressedTo.SCHOOL)
    assert group.submissions[0].asked[0].given_up
    await_again(office, item.id)
    assert item_of(office, entry).state is LetterState.ASKED


def test_the_texts_of_a_season(office: Context, reviewer: uuid.UUID) -> None:
    usual = {code: usual_wording(code) for code in ("en", "es")}
    given = {code: (text.subject, text.body, text.reminder) for code, text in usual.items()}
    own = {**given, "en": ("About {season}", "{missing}\n\nuntil {until}, {contact}. {office}", "")}
    change_texts(office, reviewer, 0, " The  desk ", "555-0100", own)
    texts = office_texts(office)
    assert (texts.office, texts.contact, texts.own, texts.version) == ("The desk", "555-0100", {"en"}, 1)
    [letter] = plan_letters(office, asking(lacking(office))).letters
    assert letter.texts["en"][1].endswith("555-0100. The desk")
    with pytest.raises(ConflictError):
        change_texts(office, reviewer, 0, "", "", given)
    for bad, code in (
        ("{missing} {until}", "letter_place_wanting"),
        ("{missing} {until} {contact} {child}", "letter_place_unknown"),
        ("{missing} {until} {contact} }", "letter_braces"),
    ):
        with pytest.raises(InvalidInputError) as caught:
            change_texts(office, reviewer, 1, "", "", {**given, "es": ("Falta {season}", bad, "")})
        assert caught.value.told.code == code


def test_without_a_way_to_answer_nothing_goes_out(context: Context) -> None:
    person = make_person(context, "reviewer")
    with pytest.raises(InvalidInputError) as caught:
        write_letters(context, person, asking(lacking(context)))
    assert caught.value.told.code == "letter_no_contact"


def test_an_erasure_leaves_nothing_of_the_child(office: Context, reviewer: uuid.UUID) -> None:
    entry, other = lacking(office, student_name="Zebulon Quarrington"), lacking(office, student_name="Ana Ruiz")
    asked(office, reviewer, entry, other)
    alone = lacking(office, student_name="Zebulon Quarrington", school_name=None)
    asked(office, reviewer, alone)
    assert find_held(office, [entry]).counts[HeldKind.LETTERS] == 1
    assert export_held(office, entry, None)
    office.database.execute(update(OutgoingMail).values(state="sent", sent_at=utcnow()))
    admin = make_person(office, "admin")
    for one in (entry, alone):
        erase_submissions(office, [one], admin, ErasureReason.ASKED)
    assert where_found(office, ["Zebulon", "Quarrington"]) == []
    with office.database.session() as session:
        [letter] = session.scalars(select(Letter))
        assert (letter.subject, letter.body, letter.addressee) == ("", "", "")
        assert [item.submission_id for item in session.scalars(select(LetterItem))] == [other]
        assert session.scalars(select(OutgoingMail)).all() == []
    assert item_of(office, other).state is LetterState.ASKED
    with pytest.raises(ConflictError):
        letter_pdf(find_letters(office, [letter.id]))

"""What is said of a batch stands where a page gives nothing: before reading, after it, and taken back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from core.errors import ConflictError, InvalidInputError, NotFailedError, NotFoundError
from core.models import (
    AsideKind,
    Audit,
    AuditField,
    ErasureReason,
    ReviewEvent,
    Run,
    School,
    Submission,
    SubmissionField,
)
from pipeline.supabase_db import get_record_by_id
from services.accounts.person import Person, person_of
from services.batches import giving
from services.batches.default_values import DefaultsView, Effect, SaidOfBatch, defaults_of, preview_defaults
from services.batches.giving import apply_defaults, retry_defaults, run_defaults, stop_defaults, undo_defaults
from services.context import Context
from services.entries.change import edit_record
from services.entries.decision import lock_entry
from services.erasure.erase import erase_submissions
from services.recovery.kinds import BATCH_DEFAULTS
from services.recovery.work import fail_work
from services.review.asides import aside_of, set_aside
from services.runs.inputs import first_reading, joint_changes_of
from services.runs.run import run_submission
from services.season_admin.seasons import close_season, open_season
from services.seasons import current_season
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.erasure.child import ESSAY, OTHER_ESSAY
from tests.support.office import entries_of, uploads_of
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.reading.entries import ESSAY as FIRST_ESSAY
from tests.support.site import person

CHILDREN = (("Marisol Quintero", FIRST_ESSAY), ("Theo Okafor", ESSAY), ("Lucy Garrison", OTHER_ESSAY))
NO_SCHOOL = {**COMPLETE, "School": ""}
SCHOOL = {"school_name": "Juniper Hills Elementary School"}


def read(context: Context, ana: Person, forms: Sequence[dict[str, str]], **said: str) -> uuid.UUID:
    """A batch of files, each read and decided."""
    # Of different children: nothing was sent twice.
    several = [
        acroform({**form, "Student's Name": name}, essay)
        for form, (name, essay) in zip(forms, CHILDREN, strict=False)
    ]
    files = [IncomingFile(f"{number}.pdf", data) for number, data in enumerate(several)]
    batch_id = submit_files(context, ana.id, files, said=SaidOfBatch(defaults=said))
    run_ids = [run_id for upload in uploads_of(context, batch_id) for run_id in analyse_upload(context, upload.id)]
    for run_id in run_ids:
        assert run_submission(context, run_id)
    return batch_id


def view_of(context: Context, batch_id: uuid.UUID) -> DefaultsView | None:
    with context.database.session() as session:
        return defaults_of(session, batch_id)


def give(context: Context, batch_id: uuid.UUID) -> tuple[int, int]:
    """Let a worker give the values; how many entries took them, and how many were open."""
    view = view_of(context, batch_id)
    assert view is not None and view.applying and run_defaults(context, view.id)
    done = view_of(context, batch_id)
    assert done is not None and done.status == "done" and done.items_done == done.items_total
    return done.reached, done.held


def run_due(context: Context) -> None:
    due = context.database.scalars(select(Run.run_id).where(Run.status == "queued"))
    for run_id in due:
        assert run_submission(context, run_id)


def field(context: Context, submission_id: uuid.UUID, name: str) -> SubmissionField:
    return context.database.one(select(SubmissionField).filter_by(submission_id=submission_id, name=name))


def test_an_entry_that_lacks_the_school_alone_completes_by_what_was_said_before(
    context: Context, ana: Person
) -> None:
    context = replace(context, settings=context.settings.model_copy(update={"audit_share": 1.0}))
    batch_id = read(context, ana, [NO_SCHOOL, {**COMPLETE, "Grade": "5"}], **SCHOOL, grade="7")
    without, own = entries_of(context, batch_id)
    assert (without.status, without.needs_review, without.school_name) == (
        "completed",
        False,
        SCHOOL["school_name"],
    )
    given = field(context, without.id, "school_name")
    assert (given.source, given.confidence, given.page) == ("batch_default", pytest.approx(0.9), None)
    assert given.way == {"code": "way_default_given_by", "params": {"who": "Ana Ruiz"}}
    # What the page gives stays.
    assert (own.school_name, own.grade, without.grade) == ("Lakeview Elementary School", "5", "4")
    with context.database.session() as session:
        run = session.get_one(Run, f"{without.id}:1")
        audited = session.scalars(
            select(AuditField.name).join(Audit).where(Audit.submission_id == without.id)
        ).all()
    # What stands on no page is not asked of an auditor.
    assert "student_name" in audited and "school_name" not in audited
    # A joint pass begins without it, and the values of the others do not count it.
    assert first_reading(context.store, run)[0].school_name is None
    assert joint_changes_of(context, own.upload_id, [f"{own.id}:1"]) == {f"{own.id}:1": []}


def test_after_reading_waiting_entries_are_decided_anew_and_it_is_taken_back_as_one(
    context: Context, ana: Person
) -> None:
    batch_id = read(context, ana, [NO_SCHOOL, {**NO_SCHOOL, "Grade": "5"}, COMPLETE])
    waiting, typed, own = entries_of(context, batch_id)
    assert {waiting.status, typed.status} <= {"suggested", "escalated"} and own.status == "completed"
    edit_record(context, ana.id, typed.id, typed.version, {"school_name": "Alder School"})
    given, planned, _ = preview_defaults(context, ana, batch_id, {**SCHOOL, "grade": ""})
    assert given == SCHOOL
    effects = {one.id: [value.effect for value in one.values] for one in planned}
    assert effects == {waiting.id: [Effect.CHANGES], typed.id: [Effect.KEEPS], own.id: [Effect.KEEPS]}
    assert view_of(context, batch_id) is None

    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    assert entries_of(context, batch_id)[0].school_name is None, "a worker does it"
    with pytest.raises(ConflictError, match="still being filled in"):
        apply_defaults(context, ana, batch_id, {"grade": "2"}, 1)
    assert give(context, batch_id) == (1, 0)
    run_due(context)
    done, kept, _ = entries_of(context, batch_id)
    assert (done.status, done.run_no, done.school_name) == ("completed", 2, SCHOOL["school_name"])
    assert kept.school_name == "Alder School"
    with context.database.session() as session:
        told = session.scalars(select(ReviewEvent).filter_by(kind="defaults_changed")).one()
        assert (told.submission_id, told.actor_id) == (waiting.id, ana.id)
    with pytest.raises(ConflictError):
        apply_defaults(context, ana, batch_id, {"grade": "2"}, 0)
    with pytest.raises(InvalidInputError):
        apply_defaults(context, ana, batch_id, SCHOOL, 1)

    view = view_of(context, batch_id)
    assert view is not None and view.undoable and view.id == change_id and view.given_by == "Ana Ruiz"
    undo_defaults(context, ana, batch_id, change_id)
    assert give(context, batch_id) == (1, 0)
    run_due(context)
    back, kept, _ = entries_of(context, batch_id)
    assert back.status in ("suggested", "escalated") and back.school_name is None
    assert back.missing_fields == ["school_name"] and kept.school_name == "Alder School"
    with pytest.raises(ConflictError):
        undo_defaults(context, ana, batch_id, change_id)


def test_an_entry_that_a_person_has_touched_takes_it_and_waits_on(context: Context, ana: Person) -> None:
    batch_id = read(context, ana, [{**NO_SCHOOL, "Grade": ""}])
    (entry,) = entries_of(context, batch_id)
    edit_record(context, ana.id, entry.id, entry.version, {"student_name": "Marisol Quintero Vega"})
    with context.database.session() as session:
        set_aside(session, lock_entry(session, entry.id), ana.id, AsideKind.ASKED, fields=["school_name", "grade"])
    apply_defaults(context, ana, batch_id, {**SCHOOL, "language": "es"}, 0)
    assert give(context, batch_id) == (1, 0)
    (entry,) = entries_of(context, batch_id)
    assert (entry.run_no, entry.school_name, entry.missing_fields) == (1, SCHOOL["school_name"], ["grade"])
    assert "MISSING_SCHOOL_NAME" not in entry.review_reason_codes and "MISSING_GRADE" in entry.review_reason_codes
    assert entry.needs_review and entry.student_name == "Marisol Quintero Vega"
    # Its words tell the language.
    assert (entry.language, entry.language_given) == ("en", False)
    with context.database.session() as session:
        assert get_record_by_id(session, entry.id).readings["school_name"].evidence == []
        assert aside_of(session, entry.id) is None, "an answer came"


def test_values_are_checked_like_those_that_a_person_types(context: Context, ana: Person) -> None:
    batch_id = read(context, ana, [NO_SCHOOL])
    with context.database.session() as session:
        season = session.scalars(select(Submission.season_id)).one()
        session.add(School(season_id=season, name="Alder School", name_key="alder school"))
    for wrong in ({"grade": "14"}, {"school_name": "Nowhere School"}, {"language": "fr"}):
        with pytest.raises(InvalidInputError):
            preview_defaults(context, ana, batch_id, wrong)
    assert preview_defaults(context, ana, batch_id, {"school_name": "alder  SCHOOL"})[0] == {
        "school_name": "Alder School"
    }
    with pytest.raises(NotFoundError):
        preview_defaults(context, person_of(person(context, "uploader")), batch_id, SCHOOL)


def test_what_was_said_of_a_child_alone_goes_with_it(context: Context, ana: Person) -> None:
    batch_id = read(context, ana, [NO_SCHOOL, {**NO_SCHOOL, "Grade": "5"}], **SCHOOL)
    for number, entry in enumerate(entries_of(context, batch_id)):
        assert view_of(context, batch_id) is not None, number
        erase_submissions(context, [entry.id], ana.id, ErasureReason.ASKED)
    assert view_of(context, batch_id) is None


def typed(context: Context, ana: Person, batch_id: uuid.UUID) -> None:
    """Let a person touch the entries: values are written into them, and no reading is decided anew."""
    for entry in entries_of(context, batch_id):
        edit_record(context, ana.id, entry.id, entry.version, {"student_name": f"{entry.student_name} Vega"})


def schools(context: Context, batch_id: uuid.UUID) -> list[str | None]:
    return [entry.school_name for entry in entries_of(context, batch_id)]


def test_the_rules_of_the_season_are_made_once_for_all_entries(
    context: Context, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = read(context, ana, [NO_SCHOOL, {**NO_SCHOOL, "Grade": "5"}, {**NO_SCHOOL, "Grade": "6"}])
    typed(context, ana, batch_id)
    made: list[uuid.UUID] = []
    policy = giving.season_policy
    monkeypatch.setattr(giving, "season_policy", lambda *args: made.append(args[1]) or policy(*args))
    apply_defaults(context, ana, batch_id, SCHOOL, 0)
    assert give(context, batch_id) == (3, 0) and len(made) == 1


def test_a_change_is_stopped_between_two_entries_and_taken_back_from_those_that_have_it(
    context: Context, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = read(context, ana, [NO_SCHOOL, {**NO_SCHOOL, "Grade": "5"}, {**NO_SCHOOL, "Grade": "6"}])
    typed(context, ana, batch_id)
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    given, stops = giving._given, [True]

    def then_stop(*args: Any) -> bool:
        went_on = given(*args)
        if stops:
            stop_defaults(context, ana, batch_id, change_id)
            stops.clear()
        return went_on

    monkeypatch.setattr(giving, "_given", then_stop)
    assert run_defaults(context, change_id)
    view = view_of(context, batch_id)
    assert view is not None and (view.status, view.reached, view.items_total) == ("stopped", 1, 3)
    assert schools(context, batch_id) == [SCHOOL["school_name"], None, None]
    with pytest.raises(ConflictError):
        stop_defaults(context, ana, batch_id, change_id)
    # The rest takes them when they are applied again.
    assert apply_defaults(context, ana, batch_id, SCHOOL, 1) == change_id
    assert give(context, batch_id) == (2, 0) and set(schools(context, batch_id)) == {SCHOOL["school_name"]}
    undo_defaults(context, ana, batch_id, change_id)
    assert give(context, batch_id) == (3, 0) and schools(context, batch_id) == [None, None, None]


def test_taken_back_under_way_it_gives_nothing_more(context: Context, ana: Person) -> None:
    batch_id = read(context, ana, [NO_SCHOOL])
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    undo_defaults(context, ana, batch_id, change_id)
    assert not run_defaults(context, change_id)
    assert give(context, batch_id) == (0, 0) and schools(context, batch_id) == [None]


def test_a_season_that_closes_meanwhile_ends_it(context: Context, ana: Person) -> None:
    batch_id = read(context, ana, [NO_SCHOOL])
    typed(context, ana, batch_id)
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    with context.database.session() as session:
        season_id = current_season(session).id
    close_season(context, None, season_id)
    with pytest.raises(InvalidInputError, match="is closed"):
        run_defaults(context, change_id)
    fail_work(context, BATCH_DEFAULTS, change_id, InvalidInputError("closed"))
    assert schools(context, batch_id) == [None]
    with pytest.raises(InvalidInputError, match="is closed"):
        undo_defaults(context, ana, batch_id, change_id)
    open_season(context, None, season_id)
    retry_defaults(context, change_id)
    assert give(context, batch_id) == (1, 0) and schools(context, batch_id) == [SCHOOL["school_name"]]
    with pytest.raises(NotFailedError):
        retry_defaults(context, change_id)

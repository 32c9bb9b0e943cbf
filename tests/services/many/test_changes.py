"""Changes of many entries: previewed, applied at the versions of the preview, stopped, undone as one."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.errors import ConflictError, InvalidInputError, NotFoundError, StorageError
from core.models import (
    BulkChange,
    BulkChangeItem,
    BulkKind,
    ErasureReason,
    ReviewDecision,
    ReviewEvent,
    School,
    SchoolAlias,
    Submission,
)
from core.models.leases import ESCALATION_HOLDS
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries.change import edit_record
from services.entries.listing import SubmissionFilter
from services.erasure.erase import erase_submissions
from services.erasure.held_export import find_held
from services.erasure.scope import HeldKind
from services.many.bulk_change import Stage, run_change
from services.many.bulk_request import (
    BULK_CHANGE,
    ChangeRequest,
    apply_previewed,
    changeable_fields,
    drop_change,
    request_change,
    retry_change,
    stop_change,
    take_back,
)
from services.recovery.kinds import BULK_CHANGES
from services.recovery.work import fail_work
from services.saved_lists import list_filters, save_filter
from tests.support import factories
from tests.support.review import desk
from tests.support.site import person

OLD, NEW = "Lincoln Elem.", "Lincoln Elementary"


@pytest.fixture
def reviewer(context: Context) -> Person:
    return person_of(person(context, "reviewer", display_name="Ben Okoro"))


@pytest.fixture
def entries(context: Context) -> dict[str, uuid.UUID]:
    """Entries of one school: settled, waiting, open with somebody, being read; and one of another school."""
    made = {}
    with context.database.session() as session:
        other = factories.make_profile(session, "reviewer")
        for name, status in (("Ana Ruiz", "completed"), ("Bo Li", "resolved"), ("Wei Chen", "processing")):
            entry = desk.make_entry(
                context, session, status=status, student_name=name, school_name=OLD, grade="4", needs_review=False
            )
            factories.make_run(session, entry.submission, status="settled", outcome="completed")
            made[name] = entry.submission.id
        for name in ("Cleo Vance", "Dov Stern"):
            entry = desk.make_escalated(context, session, student_name=name, school_name=OLD)
            made[name] = entry.submission.id
        assert entry.escalation is not None
        ESCALATION_HOLDS.take(session, entry.escalation.id, other.id, timedelta(hours=1))
        made["Eve Adams"] = desk.make_entry(
            context, session, status="completed", student_name="Eve Adams", school_name="Juniper Hill", grade="4"
        ).submission.id
    return made


def renamed(context: Context, reviewer: Person, **values: object) -> uuid.UUID:
    asked = ChangeRequest(BulkKind.RENAME, "school_name", NEW, OLD, wanted=SubmissionFilter(), **values)  # type: ignore[arg-type]
    change = request_change(context, reviewer, asked)
    assert run_change(context, change)
    return change


def schools(context: Context) -> dict[str, str | None]:
    with context.database.session() as session:
        rows = session.execute(select(Submission.student_name, Submission.school_name)).all()
    return {row.student_name: row.school_name for row in rows}


def statuses(context: Context, change: uuid.UUID) -> dict[str | None, str]:
    return {item.student_name: item.status for item in BULK_CHANGE.list_items(context, change).rows}


def test_the_preview_says_what_becomes_of_each(
    context: Context, reviewer: Person, entries: dict[str, uuid.UUID]
) -> None:
    change = renamed(context, reviewer)
    assert schools(context)["Ana Ruiz"] == OLD
    assert statuses(context, change) == {
        "Ana Ruiz": "ready",
        "Bo Li": "ready",
        "Cleo Vance": "ready",
        "Dov Stern": "blocked",
        "Wei Chen": "blocked",
    }
    found = BULK_CHANGE.find(context, change)
    assert (found.status, found.items_total, found.requested_by) == ("ready", 5, "Ben Okoro")
    (held,) = [
        i for i in BULK_CHANGE.list_items(context, change, status="blocked").rows if i.student_name == "Dov Stern"
    ]
    assert held.reason is not None and held.reason.code == "open_elsewhere"


def test_what_completes_and_what_lacks(context: Context, reviewer: Person, entries: dict[str, uuid.UUID]) -> None:
    asked = ChangeRequest(BulkKind.SET, "grade", "5", ids=[entries["Cleo Vance"], entries["Ana Ruiz"]])
    change = request_change(context, reviewer, asked)
    run_change(context, change)
    assert BULK_CHANGE.find(context, change).effects == {"completes": 1}
    emptied = request_change(
        context,
        reviewer,
        ChangeRequest(BulkKind.SET, "grade", "", ids=[entries["Ana Ruiz"], entries["Cleo Vance"]]),
    )
    run_change(context, emptied)
    (lacks,) = BULK_CHANGE.list_items(context, emptied, effect="lacks").rows
    assert (lacks.student_name, lacks.missing) == ("Ana Ruiz", ["grade"])
    assert statuses(context, emptied)["Cleo Vance"] == "same"


def test_applied_and_undone_as_one(context: Context, reviewer: Person, entries: dict[str, uuid.UUID]) -> None:
    before = schools(context)
    change = renamed(context, reviewer, reason="As on the list")
    # One changes between preview and change, one between change and undoing.
    edit_record(context, reviewer.id, entries["Bo Li"], 1, {"grade": "6"})
    apply_previewed(context, reviewer, change)
    with pytest.raises(ConflictError):
        apply_previewed(context, reviewer, change)
    assert run_change(context, change) and not run_change(context, change)
    assert schools(context) == before | {"Ana Ruiz": NEW, "Cleo Vance": NEW}
    assert statuses(context, change)["Bo Li"] == "lost"
    with context.database.session() as session:
        events = session.scalars(select(ReviewEvent).where(ReviewEvent.after_value == NEW)).all()
        assert {(one.kind, one.reason, one.actor_id) for one in events} == {
            ("edited", "As on the list", reviewer.id)
        }
        assert len(session.scalars(select(ReviewDecision).where(ReviewDecision.bulk_id == change)).all()) == 2
    edit_record(context, reviewer.id, entries["Ana Ruiz"], 2, {"grade": "7"})
    other = person_of(person(context, "reviewer", display_name="Ida Falk"))
    take_back(context, other, change)
    run_change(context, change)
    assert schools(context) == before | {"Ana Ruiz": NEW}
    found = BULK_CHANGE.find(context, change)
    assert (found.status, found.undone_by, found.applied, found.undoable) == ("undone", "Ida Falk", 2, False)
    (kept,) = BULK_CHANGE.list_items(context, change, status="kept").rows
    assert kept.student_name == "Ana Ruiz" and kept.reason is not None
    assert [one.id for one in BULK_CHANGE.list_requests(context).rows] == [change]


def test_a_school_of_the_list_is_renamed_and_gets_its_name_back(
    context: Context, reviewer: Person, entries: dict[str, uuid.UUID]
) -> None:
    with context.database.session() as session:
        factories.make_school(session, name=OLD)
    change = renamed(context, reviewer, with_school=True)
    assert BULK_CHANGE.find(context, change).school == OLD
    apply_previewed(context, reviewer, change)
    run_change(context, change)

    def listed() -> tuple[list[str], list[str]]:
        with context.database.session() as session:
            return list(session.scalars(select(School.name))), list(session.scalars(select(SchoolAlias.alias)))

    assert listed() == ([NEW], [OLD])
    take_back(context, reviewer, change)
    run_change(context, change)
    assert listed() == ([OLD], [])


def test_stopped_crashed_and_gone_on_with(
    context: Context, reviewer: Person, entries: dict[str, uuid.UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    change = renamed(context, reviewer)
    apply_previewed(context, reviewer, change)

    def crash(stage: Stage, done: int = 1) -> bool:
        raise StorageError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(Stage, "goes_on", crash)
        with pytest.raises(StorageError):
            run_change(context, change)
    # The worker died between the change of an entry and the note of it.
    context.database.execute(
        update(BulkChangeItem).where(BulkChangeItem.status == "changed").values(status="ready")
    )
    fail_work(context, BULK_CHANGES, change, StorageError("gone"))
    assert BULK_CHANGE.find(context, change).status == "failed"
    context.database.execute(
        update(BulkChangeItem).where(BulkChangeItem.submission_id == entries["Bo Li"]).values(status="lost")
    )
    retry_change(context, change)
    monkeypatch.setattr(Stage, "goes_on", lambda stage, done=1: stop_change(context, change) or False)
    run_change(context, change)
    monkeypatch.undo()
    assert BULK_CHANGE.find(context, change).status == "stopped"
    changed = [name for name, status in statuses(context, change).items() if status == "changed"]
    assert {name for name, school in schools(context).items() if school == NEW} >= set(changed)
    take_back(context, reviewer, change)
    run_change(context, change)
    assert NEW not in [schools(context)[name] for name in changed if name]


def test_refused(context: Context, reviewer: Person, entries: dict[str, uuid.UUID]) -> None:
    assert "student_name" not in changeable_fields() and "essay_text" not in changeable_fields()
    assert {"school_name", "grade", "teacher_name"} <= set(changeable_fields())
    for asked in (
        ChangeRequest(BulkKind.SET, "student_name", "Ana", ids=list(entries.values())),
        ChangeRequest(BulkKind.SET, "grade", "room 9", ids=list(entries.values())),
        ChangeRequest(BulkKind.SET, "grade", "5", ids=[uuid.uuid4()]),
        ChangeRequest(BulkKind.RENAME, "school_name", OLD, OLD),
        ChangeRequest(BulkKind.RENAME, "school_name", NEW, " "),
    ):
        with pytest.raises(InvalidInputError):
            request_change(context, reviewer, asked)
    change = renamed(context, reviewer)
    other = person_of(person(context, "reviewer"))
    for refused in (apply_previewed, drop_change):
        with pytest.raises(NotFoundError):
            refused(context, other, change)
    for impossible in (lambda: stop_change(context, change), lambda: take_back(context, other, change)):
        with pytest.raises(ConflictError):
            impossible()
    drop_change(context, reviewer, change)
    assert BULK_CHANGE.list_requests(context).rows == []


def test_an_erasure_leaves_nothing_of_the_child(
    context: Context, reviewer: Person, entries: dict[str, uuid.UUID]
) -> None:
    asked = ChangeRequest(BulkKind.SET, "grade", "5", wanted=SubmissionFilter(text="ana ru"))
    change = request_change(context, reviewer, asked)
    run_change(context, change)
    save_filter(context, reviewer, "hers", SubmissionFilter(text="ana ru"))
    save_filter(context, reviewer, "theirs", SubmissionFilter(text="lincoln"))
    counts = find_held(context, [entries["Ana Ruiz"]]).counts
    assert (counts[HeldKind.BULK_CHANGES], counts[HeldKind.SAVED_FILTERS]) == (1, 1)
    erase_submissions(context, [entries["Ana Ruiz"]], None, ErasureReason.ASKED)
    assert [one.name for one in list_filters(context, reviewer)] == ["theirs"]
    with context.database.session() as session:
        assert session.scalars(select(BulkChangeItem)).all() == []
        assert session.scalars(select(BulkChange)).all() == [], "its value and its reason were the child's"


def test_an_erasure_leaves_a_change_of_others_too(
    context: Context, reviewer: Person, entries: dict[str, uuid.UUID]
) -> None:
    change = request_change(context, reviewer, ChangeRequest(BulkKind.SET, "grade", "5"))
    run_change(context, change)
    erase_submissions(context, [entries["Ana Ruiz"]], None, ErasureReason.ASKED)
    with context.database.session() as session:
        assert session.scalars(select(BulkChange.new_value)).all() == ["5"]
        left = set(session.scalars(select(BulkChangeItem.submission_id)))
    assert left and left <= set(entries.values()) - {entries["Ana Ruiz"]}

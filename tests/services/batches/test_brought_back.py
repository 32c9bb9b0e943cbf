"""A value of the batch that was taken back stays away, in whatever way its entry comes back afterwards."""

from __future__ import annotations

import ast
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import select, update

from core.models import DuplicatePair, Escalation, PairDecision, RereadItem, Submission, SubmissionField
from services.accounts.person import Person
from services.batches import giving
from services.batches.default_values import plan_defaults
from services.batches.giving import apply_defaults, run_defaults, undo_defaults
from services.context import Context
from services.entries.change import EDITABLE, edit_record
from services.entries.listing import SubmissionFilter
from services.many.reread import start_reread, take_back_items, take_items, work_item
from services.review import undo
from services.review.escalations import resolve_escalation
from services.review.pair_decisions import decide_pair
from services.review.undo import last_decision, reopen_record, undo_decision, undo_pair
from services.uploads import resplit
from services.uploads.resplit import resplit_upload, undo_resplit
from tests.services.batches.test_defaults import NO_SCHOOL, SCHOOL, field, give, read, run_due, view_of
from tests.support.code import id_of, sources, syntax_tree
from tests.support.office import entries_of, uploads_of
from tests.support.reading.entries import COMPLETE
from tests.support.reading.stacks import planned, versions_of

#: Of each way: the entries before, and what takes the last of them out, which returns what brings it back.
Back = Callable[[], object]
Out = Callable[[Context, Person, list[Submission]], Back]
NO_GRADE = {**NO_SCHOOL, "Grade": ""}


def _settled(context: Context, ana: Person, entry: Submission, action: str, values: dict[str, str]) -> None:
    asked = context.database.one(select(Escalation).filter_by(submission_id=entry.id, status="pending"))
    resolve_escalation(context, ana.id, asked.id, asked.version, action, values, "why")


def _undo_last(context: Context, ana: Person) -> None:
    decision_id = last_decision(context, ana.id)
    assert decision_id is not None
    undo_decision(context, ana.id, decision_id)


def rejected(context: Context, ana: Person, entries: list[Submission]) -> Back:
    _settled(context, ana, entries[-1], "reject", {})
    return lambda: _undo_last(context, ana)


def another_field_typed(context: Context, ana: Person, entries: list[Submission]) -> Back:
    _settled(context, ana, entries[-1], "settle", {"grade": "4"})
    return lambda: _undo_last(context, ana)


def rejected_and_reopened(context: Context, ana: Person, entries: list[Submission]) -> Back:
    _settled(context, ana, entries[-1], "reject", {})

    def reopen() -> None:
        (found,) = [one for one in entries_of(context, entries[-1].batch_id) if one.id == entries[-1].id]
        reopen_record(context, ana.id, found.id, found.version)

    return reopen


def not_kept_of_a_pair(context: Context, ana: Person, entries: list[Submission]) -> Back:
    first, second = entries
    pair_id = uuid.uuid4()
    pair = DuplicatePair(
        id=pair_id,
        season_id=first.season_id,
        first_id=first.id,
        second_id=second.id,
        strength="sure",
        likenesses=["name"],
    )
    with context.database.session() as session:
        session.add(pair)
    decide_pair(context, ana.id, pair_id, 1, PairDecision.KEEP_FIRST)
    return lambda: undo_pair(context, ana.id, pair_id)


def divided_otherwise(context: Context, ana: Person, entries: list[Submission]) -> Back:
    (upload,) = uploads_of(context, entries[-1].batch_id)
    turned = resplit_upload(context, ana.id, [upload.id], versions_of(entries), [planned((upload, 1, 180))])
    return lambda: undo_resplit(context, ana.id, turned.split_id)


def _work(context: Context) -> None:
    keys = context.database.scalars(select(RereadItem.id))
    for key in keys:
        work_item(context, key)


def read_anew(context: Context, ana: Person, entries: list[Submission]) -> Back:
    reread = start_reread(context, ana, wanted=SubmissionFilter())
    _work(context)
    keys = context.database.scalars(select(RereadItem.id))
    assert take_items(context, ana, reread, keys) == 1
    _work(context)
    run_due(context)

    def take_back() -> None:
        assert take_back_items(context, ana, reread) == 1
        _work(context)

    return take_back


def last_of(context: Context, batch_id: uuid.UUID) -> Submission:
    return entries_of(context, batch_id)[-1]


def taken_back(context: Context, ana: Person, batch_id: uuid.UUID, change_id: uuid.UUID) -> None:
    undo_defaults(context, ana, batch_id, change_id)
    view = view_of(context, batch_id)
    assert view is not None and run_defaults(context, view.id)
    run_due(context)


@pytest.mark.parametrize(
    ("forms", "out"),
    [
        ([NO_GRADE], rejected),
        ([NO_GRADE], another_field_typed),
        ([NO_GRADE], rejected_and_reopened),
        ([NO_SCHOOL, NO_SCHOOL], not_kept_of_a_pair),
        ([NO_SCHOOL], divided_otherwise),
    ],
)
def test_what_was_taken_back_stays_away(
    context: Context, ana: Person, forms: list[dict[str, str]], out: Out
) -> None:
    batch_id = read(context, ana, forms)
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    assert give(context, batch_id) == (len(forms), 0)
    run_due(context)
    back = out(context, ana, entries_of(context, batch_id))
    taken_back(context, ana, batch_id, change_id)
    back()
    run_due(context)
    entry = last_of(context, batch_id)
    assert entry.status in ("suggested", "escalated") and entry.needs_review
    assert entry.school_name is None and "school_name" in entry.missing_fields
    assert field(context, entry.id, "school_name").source is None
    with context.database.session() as session:
        assert not any(plan.changes for plan in plan_defaults(session, batch_id, {}))


@pytest.mark.parametrize("out", [rejected, rejected_and_reopened, read_anew])
def test_the_language_and_a_new_reading(
    context: Context, ana: Person, monkeypatch: pytest.MonkeyPatch, out: Out
) -> None:
    """An earlier version had not read what the stored reading has, so that the values are written."""
    batch_id = read(context, ana, [{**COMPLETE, "Grade": ""} if out is not read_anew else COMPLETE])
    entry = last_of(context, batch_id)
    with context.database.session() as session:
        school = (SubmissionField.submission_id == entry.id) & (SubmissionField.name == "school_name")
        session.execute(update(SubmissionField).where(school).values(value=None, source=None, confidence=0))
        unread = {"school_name": None, "language": None, "missing_fields": ["school_name"], "needs_review": True}
        session.execute(update(Submission).where(Submission.id == entry.id).values(status="escalated", **unread))
    monkeypatch.setattr(giving, "_handed_on", lambda *_: None)
    change_id = apply_defaults(context, ana, batch_id, {**SCHOOL, "language": "es"}, 0)
    assert give(context, batch_id) == (1, 0)
    entry = last_of(context, batch_id)
    assert (entry.school_name, entry.language) == (SCHOOL["school_name"], "es")
    back = out(context, ana, [entry])
    taken_back(context, ana, batch_id, change_id)
    back()
    entry = last_of(context, batch_id)
    assert entry.status in EDITABLE and entry.needs_review
    assert (entry.school_name, entry.language, entry.language_given) == (None, None, False)
    assert field(context, entry.id, "school_name").source is None


@pytest.mark.parametrize(
    ("form", "out", "of"), [(NO_GRADE, rejected, undo), (NO_SCHOOL, divided_otherwise, resplit)]
)
def test_what_is_taken_back_while_its_entry_comes_back_stays_away(
    context: Context, ana: Person, monkeypatch: pytest.MonkeyPatch, form: dict[str, str], out: Out, of: ModuleType
) -> None:
    batch_id = read(context, ana, [form])
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    give(context, batch_id)
    run_due(context)
    back = out(context, ana, entries_of(context, batch_id))
    renewed = giving.brought_back
    with ThreadPoolExecutor(1) as pool:
        taking: list[Future[None]] = []

        def with_a_change_meanwhile(*args: Any) -> None:
            renewed(*args)
            taking.append(pool.submit(taken_back, context, ana, batch_id, change_id))
            wait(taking, 1)

        monkeypatch.setattr(of, "brought_back", with_a_change_meanwhile)
        back()
        taking[0].result(30)
    run_due(context)
    assert last_of(context, batch_id).school_name is None


def test_after_an_undo_that_renewed_the_decision_before_it_is_undone(context: Context, ana: Person) -> None:
    batch_id = read(context, ana, [NO_GRADE])
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    give(context, batch_id)
    run_due(context)
    entry = last_of(context, batch_id)
    edit_record(context, ana.id, entry.id, entry.version, {"father_figure_name": "Ernesto Quintero"})
    rejected(context, ana, entries_of(context, batch_id))
    taken_back(context, ana, batch_id, change_id)
    _undo_last(context, ana)
    assert field(context, entry.id, "father_figure_name").value == "Ernesto Quintero"
    _undo_last(context, ana)
    assert field(context, entry.id, "father_figure_name").value != "Ernesto Quintero"
    assert last_of(context, batch_id).school_name is None


def test_a_reopening_that_renewed_is_undone(context: Context, ana: Person) -> None:
    batch_id = read(context, ana, [NO_GRADE])
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    give(context, batch_id)
    run_due(context)
    reopen = rejected_and_reopened(context, ana, entries_of(context, batch_id))
    taken_back(context, ana, batch_id, change_id)
    reopen()
    _undo_last(context, ana)
    assert last_of(context, batch_id).status == "rejected"
    _undo_last(context, ana)
    assert last_of(context, batch_id).school_name is None


def test_whatever_brings_an_entry_back_tells_so_in_one_place() -> None:
    """The place that renews its values."""
    telling = [
        id_of(path)
        for path in sources("services")
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "event"
        and any(isinstance(given, ast.Constant) and given.value == "undone" for given in node.args)
    ]
    assert telling == ["services/batches/giving.py"]

"""A value typed while those of the batch are given or taken back stays, and undone it leaves no old one."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from services.accounts.person import Person
from services.batches import giving
from services.batches.giving import apply_defaults, run_defaults, undo_defaults
from services.context import Context
from services.entries.change import edit_record
from services.review.undo import undo_decision
from tests.services.batches.test_defaults import (
    NO_SCHOOL,
    SCHOOL,
    entries_of,
    field,
    give,
    read,
    run_due,
    schools,
    view_of,
)
from tests.support.site import person

NO_GRADE = {**NO_SCHOOL, "Grade": ""}


@pytest.mark.parametrize("taken_back", [False, True])
def test_what_was_typed_stays(
    context: Context, ana: Person, monkeypatch: pytest.MonkeyPatch, taken_back: bool
) -> None:
    batch_id = read(context, ana, [NO_GRADE, NO_GRADE])
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    if taken_back:
        assert give(context, batch_id) == (2, 0)
        run_due(context)
        undo_defaults(context, ana, batch_id, change_id)
    late = entries_of(context, batch_id)[1]
    ben, given = person(context, "reviewer").id, giving._given
    typed: list[uuid.UUID] = []

    def typed_meanwhile(*args: Any) -> bool:
        if not typed:
            edit_record(context, ben, late.id, late.version, {"school_name": "Alder School"})
            typed.append(late.id)
        return given(*args)

    monkeypatch.setattr(giving, "_given", typed_meanwhile)
    view = view_of(context, batch_id)
    assert view is not None and run_defaults(context, view.id)
    run_due(context)
    assert schools(context, batch_id) == [None if taken_back else SCHOOL["school_name"], "Alder School"]
    assert field(context, late.id, "school_name").decided_by == ben
    view = view_of(context, batch_id)
    assert view is not None and (view.status, view.reached, view.items_done, view.items_total) == ("done", 1, 2, 2)


@pytest.mark.parametrize("form", [NO_GRADE, NO_SCHOOL])
def test_an_edit_that_is_undone_brings_no_value_back_that_was_taken_back(
    context: Context, ana: Person, form: dict[str, str]
) -> None:
    batch_id = read(context, ana, [form])
    change_id = apply_defaults(context, ana, batch_id, SCHOOL, 0)
    give(context, batch_id)
    run_due(context)
    (entry,) = entries_of(context, batch_id)
    edited = edit_record(context, ana.id, entry.id, entry.version, {"school_name": "Alder School"})
    undo_defaults(context, ana, batch_id, change_id)
    assert give(context, batch_id) == (0, 0)
    undo_decision(context, ana.id, edited.decision_id)
    (entry,) = entries_of(context, batch_id)
    assert entry.school_name is None and "school_name" in entry.missing_fields
    assert field(context, entry.id, "school_name").source is None
    assert entry.status in ("suggested", "escalated") and entry.needs_review

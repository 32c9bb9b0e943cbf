"""A person types a value while a worker gives the values of the batch, or takes them back: it stays."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from services.accounts.person import Person
from services.batches import giving
from services.batches.giving import apply_defaults, run_defaults, undo_defaults
from services.context import Context
from services.entries.change import edit_record
from tests.services.batches.test_defaults import (  # noqa: F401
    NO_SCHOOL,
    SCHOOL,
    ana,
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
    context: Context,
    ana: Person,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    taken_back: bool,
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

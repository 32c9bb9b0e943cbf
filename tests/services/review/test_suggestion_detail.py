from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from core.errors import NotFoundError
from services.context import Context
from services.review.details import suggestion_detail
from tests.support.review import desk


def proposals(context: Context, count: int) -> list[uuid.UUID]:
    made = []
    for _ in range(count):
        with context.database.session() as session:
            entry = desk.make_proposal(context, session)
            assert entry.suggestion is not None
            made.append(entry.suggestion.id)
    return made


def test_neighbours_in_the_queue(context: Context) -> None:
    first, second, third = proposals(context, 3)
    item = suggestion_detail(context, second)
    assert (item.previous_id, item.next_id) == (first, third)
    assert suggestion_detail(context, first).previous_id is None


def test_fields_in_the_order_of_the_form_and_the_rest_apart(context: Context) -> None:
    item = suggestion_detail(context, proposals(context, 1)[0])
    assert [field.name for field in item.fields] == ["school_name", "grade"]
    assert not {"school_name", "grade"} & {field.name for field in item.others}
    assert item.fields[1].places and not item.fields[1].confirms


def test_of_nothing(context: Context) -> None:
    with pytest.raises(NotFoundError):
        suggestion_detail(context, uuid.uuid4())


def test_a_proposal_that_differs_by_case_alone_is_a_confirmation(context: Context) -> None:
    item = suggestion_detail(context, proposals(context, 1)[0])
    school = replace(item.fields[0], current="Lakeview ELEMENTARY", proposed="Lakeview Elementary.")
    assert school.confirms and not replace(school, proposed="Lakeview").confirms

"""What the tables of the statistics page count."""

from __future__ import annotations

from services.stats.counts import Counts, Sums
from services.stats.figures import tables_of
from services.stats.occurrences import Kind

_COUNTS: Counts = {
    (Kind.OFFERED, ("grade", "not_read_at_first", "second_reading")): Sums(4),
    (Kind.OFFERED, ("grade", "nothing", "nothing")): Sums(6),
    (Kind.DECIDED, ("grade", "not_read_at_first", "second_reading", "approved")): Sums(3),
    (Kind.DECIDED, ("grade", "not_read_at_first", "second_reading", "edited")): Sums(1),
    (Kind.DECIDED, ("grade", "nothing", "nothing", "edited")): Sums(5),
    (Kind.DECIDED, ("grade", "nothing", "nothing", "rejected")): Sums(1),
}


def test_a_field_without_a_proposed_value_is_not_one_that_was_not_approved() -> None:
    tables = tables_of(_COUNTS, _COUNTS)
    (by_field,) = tables["acceptance_by_field"].rows
    assert by_field.values["offered"] == 10 and by_field.values["edited"] == 6
    assert by_field.values["acceptance"] == by_field.values["acceptance_before"] == 0.75
    by_origin = {row.values["origin"]: row.values["acceptance"] for row in tables["acceptance_by_origin"].rows}
    assert by_origin == {"second_reading": 0.75, "nothing": None}
    one_by_one = {row.values["origin"]: row.values["acceptance"] for row in tables["proposals"].rows}
    assert one_by_one == {"second_reading": 0.75, "nothing": None}

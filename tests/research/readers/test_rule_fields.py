"""What a plain sentence states of a field."""

from __future__ import annotations

import pytest

from research.readers.rules.blocks import Part
from research.readers.rules.fields import fields_told, stated


@pytest.mark.parametrize(
    ("sentence", "cost"),
    [
        ("A club pays $480 a year, or half of that where most members get free lunches.", "$480 a year"),
        ("Day tickets are £5, free for children.", "£5; free for children"),
        ("The kits are free.", "free"),
        ("It is a free workshop.", "free"),
        ("Free for members, £3 for guests.", "Free for members; £3 for guests"),
    ],
)
def test_what_is_free_beside_an_amount_is_no_price(sentence: str, cost: str) -> None:
    assert stated(sentence, "cost") == cost


def test_a_weekday_in_the_name_of_an_item_is_none_of_its_hours() -> None:
    assert stated("Workshop Saturdays has eight parts.", "opening_hours", "Workshop Saturdays") == ""
    said = "Workshop Saturdays opens on Saturdays from nine to twelve"
    assert stated(f"{said}.", "opening_hours", "Workshop Saturdays") == said


def test_nor_is_it_where_an_entry_or_a_page_of_its_own_names_it() -> None:
    said = ["Workshop Saturdays has eight parts.", "It opens on Saturdays from nine to twelve."]
    told = fields_told("Workshop Saturdays", [Part("", one, one) for one in said], ["opening_hours"])
    assert [part.text for _, part in told["opening_hours"]] == said[1:]


def test_a_spanish_budget_names_a_cost() -> None:
    assert stated("El presupuesto es de 300 euros.", "presupuesto") == "300 euros"

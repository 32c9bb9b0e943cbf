"""Numbers of a sentence that another text has, written otherwise."""

from __future__ import annotations

import pytest

from research.citations.claims import quantities_implied, quantities_in


@pytest.mark.parametrize(
    ("sentence", "said", "missing"),
    [
        ("40 schools took part", "Some forty schools joined.", []),
        ("It cost 1.5 million", "a budget of 1,500,000 dollars", []),
        ("She paid 40 dollars", "costs $40", []),
        ("Creció un 12 %", "creció doce puntos", ["12"]),
        ("It cost 41", "It cost 40", ["41"]),
    ],
)
def test_numbers_are_compared_by_value(sentence: str, said: str, missing: list[str]) -> None:
    known = quantities_in(said)
    assert [one.text for one in quantities_in(sentence) if not one.is_in(known)] == missing


@pytest.mark.parametrize("said", ["en el tercer trimestre", "en el trimestre tercero", "in the third term"])
def test_an_ordinal_is_no_quantity_but_may_be_told_in_digits(said: str) -> None:
    assert quantities_in(said) == []
    assert [one.text for one in quantities_in("el 3.er trimestre") if one.is_in(quantities_implied(said))] == ["3"]


def test_per_cent_in_spanish_is_no_hundred() -> None:
    assert [one.text for one in quantities_in("subió al 19 por ciento un año después")] == ["19"]

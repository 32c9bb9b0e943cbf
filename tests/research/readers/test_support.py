"""Values that a model gives, and the words that should say them."""

from __future__ import annotations

import pytest

from research.readers.model.support import value_of

QUOTE = "Lantern Nights cost each family $40 a year, and Denby pays for books"
LONG = f"{QUOTE} from the first Monday in March until the last one in June"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("$40 a year", "$40 a year"),
        ("$40 for each family, books from Denby", "$40 for each family, books from Denby"),
        ("$90 a year", QUOTE),
        ("$40 a year, from Marlow", QUOTE),
        ("praised by every ministry", QUOTE),
        ("", QUOTE),
    ],
)
def test_a_value_that_its_words_do_not_hold_gives_way_to_them(value: str, shown: str) -> None:
    assert value_of(value, QUOTE, "en") == shown


def test_without_a_short_quotation_there_is_no_value() -> None:
    assert value_of("$90 a year", LONG, "en") is None
    assert value_of("$40 " * 50, LONG, "en") is None


def test_a_translated_value_keeps_its_numbers_and_names() -> None:
    quote = (
        "Las tardes de Denby cuestan a cada familia unos cuarenta dólares al año durante los cursos de "
        "segundo y de tercero"
    )
    assert value_of("about 40 dollars a year in Denby", quote, None) == "about 40 dollars a year in Denby"
    assert value_of("about 50 dollars a year", quote, None) is None

"""Values that a model gives, and the words that should say them."""

from __future__ import annotations

import pytest

from research.document import Reference
from research.readers.protocol import SourceText
from research.readers.support import supported, value_of
from research.sources.base import page_passages

QUOTE = "Lantern Nights cost each family $40 a year, from half past six, and Denby pays for books"
LONG = f"{QUOTE} from the first Monday in March until the last one in June"
SPANISH = "Cuesta cuarenta dólares, para niños de cero a tres, los martes a las seis y media, y uno trae su silla"


def source(text: str, language: str) -> SourceText:
    return SourceText(Reference(key="denby", title="Denby Library"), "", page_passages([(text, None)]), language)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("$40 a year", "$40 a year"),
        ("$40 for each family, books from Denby", "$40 for each family, books from Denby"),
        ("paid by Denby Library", "paid by Denby Library"),
        ("no charge for books", "no charge for books"),
        ("at 6:30", "at 6:30"),
        ("at 6:45", QUOTE),
        ("$90 a year", QUOTE),
        ("$40 a year, from Marlow", QUOTE),
        ("", QUOTE),
    ],
)
def test_a_value_with_other_numbers_or_names_gives_way_to_its_words(value: str, shown: str) -> None:
    assert value_of(value, QUOTE, source(QUOTE, "en"), "en") == shown


def test_of_a_value_with_long_words_the_clauses_stay_that_they_tell() -> None:
    value = "trial of 960 families: $40 a year; books paid by Denby"
    assert value_of(value, LONG, source(LONG, "en"), "en") == "$40 a year; books paid by Denby"


def test_without_a_short_quotation_there_is_no_value() -> None:
    assert value_of("$90 a year", LONG, source(LONG, "en"), "en") is None
    assert value_of("$40 " * 101, LONG, source(LONG, "en"), "en") is None


def test_a_value_of_several_parts_is_kept_whole() -> None:
    assert value_of("$40 " * 60, LONG, source(LONG, "en"), "en") == ("$40 " * 60).strip()


@pytest.mark.parametrize("value", ["ages 0 to 3, with 1 chair", "every Tuesday at 6:30", "$40"])
def test_a_translated_value_keeps_its_numbers(value: str) -> None:
    assert value_of(value, SPANISH, source(SPANISH, "es"), "en") == value
    assert value_of(f"{value}, or 50", SPANISH, source(SPANISH, "es"), "en") == SPANISH


def test_a_page_may_quote_another_language() -> None:
    quote = "Mi cuñada fue martes y jueves, de seis y media a ocho y media creo que eran, y en el salón de arriba"
    page = source(f"Some said it in Spanish: {quote}", "en")
    assert value_of("Tuesdays and Thursdays, 6:30–8:30", quote, page, "en") == "Tuesdays and Thursdays, 6:30–8:30"


@pytest.mark.parametrize("value", ["until 9 May", "1st Tuesday"])
def test_ordinals_are_figures_too(value: str) -> None:
    quote = "open on the first Tuesday of each month until the ninth of May"
    assert value_of(value, quote, source(quote, "en"), "en") == value
    assert value_of(f"{value}, 4 hours", quote, source(quote, "en"), "en") == quote


@pytest.mark.parametrize("value", ["Barcelona", "Marlow, each June", "10:00"])
def test_a_first_name_and_an_hour_must_be_said(value: str) -> None:
    quote = "10 pupils walk"
    assert value_of(value, quote, source(quote, "en"), "en") == quote


@pytest.mark.parametrize("quote", ["from 10 to noon", "at ten", "10 am", "10:00", "a las diez", "9-10"])
def test_a_full_hour_is_said_in_many_ways(quote: str) -> None:
    assert value_of("Daily at 10:00", quote, source(quote, "en"), "en") == "Daily at 10:00"


def test_of_words_in_another_language_than_the_page_days_are_translated_and_names_are_not() -> None:
    quote = "Lo lleva la profesora Marta, los martes por la tarde"
    page = source(f"The club meets every week in the hall. {quote}. All are welcome there.", "en")
    assert supported("Led by Marta on Tuesdays", quote, page, "en")
    assert not supported("Led by Hanna Ostrow on Tuesdays", quote, page, "en")


def test_a_value_tells_in_its_language_and_quotes_nothing_of_another() -> None:
    quote = "El programa es de abuelos también: papá es el que está, dice don Celso"
    page = source(quote, "es")
    mixed = 'also for grandfathers: "papá es el que está" (father is the one who is there)'
    assert value_of(mixed, quote, page, "en") == "also for grandfathers"
    assert value_of("for abuelos, dice don Celso a los que están", quote, page, "en") == quote

import pytest

from pipeline.extraction.values.kinds import parse_date, parse_number


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("09/21/2014", None, "2014-09-21"),
        ("9-21-14", "en", "2014-09-21"),
        ("03/04/2014", "es", "2014-04-03"),
        ("21/09/2014", "en", "2014-09-21"),
        ("1 2 1 1 2 0 1 4", "en", "2014-12-11"),
        ("|0|9| |2|1| |2|0|1|4|", "en", "2014-09-21"),
        ("21 de septiembre de 2014", "es", "2014-09-21"),
        ("Sept. 21st, 2014", "en", "2014-09-21"),
        ("2014-09-21", "es", "2014-09-21"),
        ("02/30/2014", "en", None),
        ("(402) 555-0123", "en", None),
        ("1/2/2014 or 1/3/2014", "en", None),
    ],
)
def test_dates(text: str, language: str | None, value: str | None) -> None:
    assert parse_date(text, language).value == value


def test_a_date_in_the_order_of_another_language_is_less_certain() -> None:
    assert parse_date("21/09/2014", "en").certainty < parse_date("21/09/2014", "es").certainty


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("11", "11"),
        ("07", "7"),
        ("1,200", "1200"),
        ("2,5", "2.5"),
        ("11 years", "11"),
        ("5 or 6", None),
        ("-", None),
    ],
)
def test_numbers(text: str, value: str | None) -> None:
    assert parse_number(text).value == value

import pytest

from pipeline.extraction.values.kinds import (
    email_is_valid,
    ends_in_public_suffix,
    find_email,
    find_phone,
    phone_is_possible,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("call (312) 555-0134 please", "(312) 555-0134"),
        ("3125550134", "3125550134"),
        ("312.555.0134", "312.555.0134"),
    ],
)
def test_numbers_as_written(text: str, number: str) -> None:
    assert find_phone(text) == number
    assert phone_is_possible(number)


@pytest.mark.parametrize("text", ["2/27/2026", "2026-02-27", "Room 214", "no number"])
def test_dates_and_rooms_are_no_numbers(text: str) -> None:
    assert find_phone(text) is None


def test_an_address_with_stray_spaces() -> None:
    assert find_email("mail: vega.m @ example.org 555") == "vega.m@example.org"


def test_a_cut_address_is_found_but_not_valid() -> None:
    assert find_email("vega.marisol@exam") == "vega.marisol@exam"
    assert not email_is_valid("vega.marisol@exam")


@pytest.mark.parametrize(
    ("address", "ends"),
    [
        ("d.vega@example.org", True),
        ("office@lincoln.k12.tx.us", True),
        ("d.vega@example.orga", False),
        ("d.vega@exampleorg", False),
        ("d.vega@", False),
    ],
)
def test_domains_end_in_a_suffix_of_the_public_list(address: str, ends: bool) -> None:
    assert ends_in_public_suffix(address) is ends

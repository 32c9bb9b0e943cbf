"""Names that people give themselves."""

from __future__ import annotations

import pytest

from core.errors import InvalidInputError
from services.accounts.person import MAX_LENGTH, normal_name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Zoë  Nuñez-O'Hara \n", "Zoë Nuñez-O'Hara"),
        ("A\r\nBcc: x", "A Bcc: x"),
        ("\u202eada\u200b", "ada"),
        ("", ""),
    ],
)
def test_a_name_is_one_visible_line(typed: str, kept: str) -> None:
    assert normal_name(typed) == kept


def test_a_book_is_no_name() -> None:
    assert normal_name("n" * MAX_LENGTH)
    with pytest.raises(InvalidInputError, match="at most 100"):
        normal_name("n" * (MAX_LENGTH + 1))

from __future__ import annotations

import pytest

from core.plain_data import token_count as count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("ñandú", 3), ("\ud800", 1)]
)
def test_a_third_of_the_bytes_rounded_up(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens

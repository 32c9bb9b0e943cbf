import pytest

from core.plain_data import token_count


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abc", 1), ("abcd", 2), ("niño", 2), ("日本語", 3)])
def test_tokens_are_bytes_by_three_rounded_up(text: str, tokens: int) -> None:
    assert token_count(text) == tokens

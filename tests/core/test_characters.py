import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plain_data import storable

#: Every character, lone surrogates too, and more often those that are dropped.
ANY_TEXT = st.text(st.characters() | st.sampled_from("\x00\x07\x0b\x1f\x7f\x85\ud800\udfff\ufffe\r\n\u2028"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Miriam Stone", "Miriam Stone"),
        ("Mir\x00iam Sto\x07ne", "Miriam Stone"),
        ("Abel\ud83d Stone", "Abel Stone"),
        ("One.\x0bTwo.\r\nThree.\rFour.\u2028Five.", "One.\nTwo.\nThree.\nFour.\nFive."),
        ("a\tb\nc", "a\tb\nc"),
        ("Núñez \U0001f600 李", "Núñez \U0001f600 李"),
    ],
)
def test_what_cannot_be_stored_is_dropped(text: str, kept: str) -> None:
    assert storable(text) == kept


@given(ANY_TEXT)
def test_any_text_can_be_stored(text: str) -> None:
    kept = storable(text)
    kept.encode()
    assert not any(char < " " and char not in "\n\t" for char in kept)
    assert storable(kept) == kept

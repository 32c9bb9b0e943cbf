from __future__ import annotations

from contextlib import suppress

import pytest
from zxcvbn import matching

from core.errors import InvalidInputError
from services.accounts.passwords import MAX_LENGTH, hash_new_password, password_fits, require_acceptable


def test_a_hash_fits_its_password_only() -> None:
    stored = hash_new_password("four quiet words here", "ana@example.org")
    assert stored.startswith("scrypt:") and "quiet" not in stored
    assert password_fits(stored, "four quiet words here")
    assert not password_fits(stored, "four quiet words her")


@pytest.mark.parametrize(
    "weak", ["", "short", "aaaaaaaaaaaaaaaa", "Long.Name@example.org", "long.name.of.me", "x" * (MAX_LENGTH + 1)]
)
def test_weak_ones_are_refused(weak: str) -> None:
    email = "long.name.of.me@example.org" if "of.me" in weak else "long.name@example.org"
    with pytest.raises(InvalidInputError):
        hash_new_password(weak, email)


@pytest.mark.parametrize(
    ("weak", "code"),
    [
        ("password1234", "password_common"),
        ("contraseña123", "password_common"),
        ("Bienvenido2024", "password_common"),
        ("Ana.Ruiz2024", "password_common"),
        ("p@$$w0rd1234", "password_common"),
        ("qwertyuiop[]", "password_keyboard"),
        ("abcabcabcabcabc", "password_repeats"),
        ("abcdefghijklm", "password_sequence"),
    ],
)
def test_what_is_guessed_early_is_refused_with_advice(weak: str, code: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        hash_new_password(weak, "ana.ruiz@example.org")
    assert refused.value.message is not None and refused.value.message.code == code


@pytest.mark.parametrize("good", ["four quiet words here", "tres gatos leen despacio", "Vq8-rm2x.TTo"])
def test_good_ones_pass(good: str) -> None:
    assert hash_new_password(good, "ana.ruiz@example.org")


#: Every sign that zxcvbn's own table has for a letter, in an order that is no word.
SIGNS = "4@8({[<369&#!1/|0$5+7%2"


@pytest.mark.parametrize(
    "hostile",
    [SIGNS[:12], SIGNS[:16], SIGNS, SIGNS + SIGNS[::-1], "2{%#7" * 13, "aB3$xyz lorem ipsum " * 10],
    ids=len,
)
def test_a_hostile_one_is_weighed_in_few_steps(hostile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    real = matching.dictionary_match

    def counted(text: str, *given: object, **named: object) -> object:
        looked_at.append(text)
        return real(text, *given, **named)

    monkeypatch.setattr(matching, "dictionary_match", counted)
    with suppress(InvalidInputError):
        require_acceptable(hostile, "ana@example.org")
    # With its own table zxcvbn looks a text of all signs up thousands of times.
    assert 0 < len(looked_at) <= 40 and max(map(len, looked_at)) <= 32


def test_an_account_without_a_password_fits_none() -> None:
    assert not password_fits(None, "nobody signs in with this")


def test_a_book_is_not_hashed() -> None:
    stored = hash_new_password("four quiet words here", "ana@example.org")
    assert not password_fits(stored, "x" * 1_000_000)

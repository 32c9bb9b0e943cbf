from __future__ import annotations

import pytest

from core.errors import InvalidInputError
from services.accounts.passwords import MAX_LENGTH, hash_new_password, password_fits


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


def test_an_account_without_a_password_fits_none() -> None:
    assert not password_fits(None, "nobody signs in with this")


def test_a_book_is_not_hashed() -> None:
    stored = hash_new_password("four quiet words here", "ana@example.org")
    assert not password_fits(stored, "x" * 1_000_000)

from __future__ import annotations

import pytest

from core.errors import InvalidInputError, LinkExpiredError, SignInError
from services.accounts.mailed_links import accept_invitation, invite_user, invited_person
from services.accounts.people import create_user
from services.accounts.person import Role
from services.accounts.sign_in import sign_in
from services.context import Context

PASSWORD = "four quiet words here"


def test_an_invited_person_gets_in_after_accepting(context: Context) -> None:
    token = invite_user(context, "Eva@Example.org", Role.REVIEWER, "Eva")
    with pytest.raises(SignInError):
        sign_in(context, "eva@example.org", "")
    accept_invitation(context, token, PASSWORD)
    person = sign_in(context, "EVA@example.org", PASSWORD)
    assert (person.role, person.name) == (Role.REVIEWER, "Eva")


def test_inviting_again_replaces_the_invitation(context: Context) -> None:
    old = invite_user(context, "eva@example.org", Role.UPLOADER)
    new = invite_user(context, "eva@example.org", Role.AUDITOR)
    assert invited_person(context, new).role is Role.AUDITOR
    with pytest.raises(LinkExpiredError):
        invited_person(context, old)


@pytest.mark.parametrize("email", ["", "eva", "eva@", "a b@example.org", "eva@example.org\nbcc:x@example.org"])
def test_what_is_no_address(context: Context, email: str) -> None:
    with pytest.raises(InvalidInputError):
        invite_user(context, email, Role.UPLOADER)


def test_an_open_account_is_not_taken_over(context: Context) -> None:
    create_user(context, "eva@example.org", Role.ADMIN, PASSWORD)
    with pytest.raises(InvalidInputError):
        invite_user(context, "EVA@example.org", Role.UPLOADER)
    with pytest.raises(InvalidInputError):
        create_user(context, "eva@example.org", Role.ADMIN, PASSWORD)

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import InvalidInputError, LinkExpiredError, SignInError
from services.accounts.mailed_links import (
    Invitation,
    accept_invitation,
    hand_over_invitation,
    invite_user,
    invited_person,
    issue_token,
    person_to_reset,
    request_password_reset,
    reset_password,
)
from services.accounts.people import change_password, create_user, person_by_email, set_active
from services.accounts.person import Role
from services.accounts.sessions import AddressFamily, Client, create_session, find_session
from services.accounts.sign_in import sign_in
from services.context import Context

PASSWORD = "four quiet words here"
OTHER = "five other words stand here"
EVA = "eva@example.org"


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


def by_invitation(context: Context, _eva: uuid.UUID, invitation: str) -> None:
    accept_invitation(context, invitation, OTHER)


def by_reset(context: Context, _eva: uuid.UUID, _invitation: str) -> None:
    reset_password(context, request_password_reset(context, EVA), OTHER)


@pytest.mark.parametrize("choose", [by_invitation, by_reset])
def test_a_first_password_ends_every_other_link(
    context: Context, choose: Callable[[Context, uuid.UUID, str], None]
) -> None:
    invitation = invite_user(context, EVA, Role.REVIEWER)
    eva = invited_person(context, invitation)
    reset = request_password_reset(context, EVA)
    secret = create_session(context, eva, Client(AddressFamily.UNKNOWN, ""))
    choose(context, eva.id, invitation)
    for look, token in ((invited_person, invitation), (person_to_reset, reset)):
        with pytest.raises(LinkExpiredError):
            look(context, token)
    assert find_session(context, secret) is None
    assert sign_in(context, EVA, OTHER).id == eva.id


def by_the_owner(context: Context, eva: uuid.UUID) -> None:
    change_password(context, eva, PASSWORD, OTHER)


def by_closing(context: Context, eva: uuid.UUID) -> None:
    set_active(context, eva, False)
    set_active(context, eva, True)


@pytest.mark.parametrize("change", [by_the_owner, by_closing])
def test_a_link_dies_with_the_password_or_the_account(
    context: Context, change: Callable[[Context, uuid.UUID], None]
) -> None:
    create_user(context, "ada@example.org", Role.ADMIN, PASSWORD)
    eva = create_user(context, EVA, Role.REVIEWER, PASSWORD)
    link = request_password_reset(context, EVA)
    change(context, eva)
    with pytest.raises(LinkExpiredError):
        reset_password(context, link, "words of somebody else")


def test_an_invitation_opens_no_account_that_has_a_password(context: Context) -> None:
    eva = create_user(context, EVA, Role.REVIEWER, PASSWORD)
    with context.database.session() as session:
        left = issue_token(session, eva, "invitation")
    with pytest.raises(LinkExpiredError):
        accept_invitation(context, left, OTHER)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("jose\u0301@example.org", "jos\u00e9@example.org"),
        ("ana@xn--bcher-kva.example.org", "ana@bücher.example.org"),
    ],
)
def test_an_address_is_found_in_each_of_its_spellings(context: Context, typed: str, stored: str) -> None:
    admin = create_user(context, "ada@example.org", Role.ADMIN, PASSWORD)
    handed = hand_over_invitation(context, Invitation(typed, Role.UPLOADER), admin, by_mail=False)
    assert handed.email == stored and handed.token
    accept_invitation(context, handed.token, PASSWORD)
    assert sign_in(context, typed, PASSWORD).email == sign_in(context, stored.upper(), PASSWORD).email == stored


def test_a_closed_account_is_not_invited(context: Context) -> None:
    create_user(context, "ada@example.org", Role.ADMIN, PASSWORD)
    invite_user(context, EVA, Role.UPLOADER)
    set_active(context, person_by_email(context, EVA), False)
    with pytest.raises(InvalidInputError):
        invite_user(context, EVA, Role.ADMIN)


def test_of_links_asked_for_at_once_only_one_works(context: Context) -> None:
    create_user(context, EVA, Role.REVIEWER, PASSWORD)
    together = threading.Barrier(6)

    def ask(_: int) -> str:
        together.wait()
        return request_password_reset(context, EVA)

    with ThreadPoolExecutor(6) as pool:
        tokens = list(pool.map(ask, range(6)))
    assert sum(_is_live(context, token) for token in tokens) == 1


def _is_live(context: Context, token: str) -> bool:
    try:
        person_to_reset(context, token)
    except LinkExpiredError:
        return False
    return True


@pytest.mark.parametrize("role", Role)
def test_whoever_invites_reads_what_each_role_may_do(role: Role) -> None:
    assert role.purpose.endswith(".")

"""Invitations, roles and closed accounts: here and at Supabase Auth."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update

from core.errors import AuthUnavailableError, InvalidInputError
from core.models import Profile
from services.accounts.at_auth import tell_all_due
from services.accounts.people import set_active, set_role
from services.accounts.person import Role
from services.reconcile import reconcile
from tests.support.servers import supabase_auth_server as shapes
from tests.support.site import person
from tests.web.at_auth.conftest import PASSWORD, Office, attempt, is_signed_in


def invite(office: Office, email: str, role: str = "reviewer"):
    """Invite as an admin does; the link's path, or the page that refuses."""
    ada, _ = office.add("ada", "admin")
    page = office.signed_in(ada.email).post(
        "/admin/users", data={"email": email, "role": role, "display_name": "Eva Sol"}
    )
    found = re.search(r'value="http://localhost(/sign-in/link[^"]+)"', page.text)
    return found[1].replace("&amp;", "&") if found else page


def accept(office: Office, path: str, password: str = PASSWORD):
    browser = office.browser()
    given = dict(part.split("=") for part in path.partition("?")[2].split("&"))
    assert browser.get(path).status_code == 200
    chooses = browser.post("/sign-in/link", data=given).location
    assert browser.post(chooses, data={"password": password, "display_name": "Eva"}).location == "/"
    return browser


def test_an_invitation(office: Office) -> None:
    browser = accept(office, invite(office, "Eva@example.org"))
    assert is_signed_in(browser)
    [user] = [user for user in office.auth.users.values() if user.email == "eva@example.org"]
    assert user.password == PASSWORD and user.app_metadata["role"] == "reviewer"
    profile = office.context.database.get_one(Profile, user.id)
    assert (profile.email, profile.role, profile.display_name) == ("eva@example.org", "reviewer", "Eva")
    assert not profile.auth_due and profile.password_hash is None
    assert office.auth.letters == []


def test_an_invitation_that_was_not_accepted_can_be_made_again(office: Office) -> None:
    ada, _ = office.add("ada", "admin")
    browser = office.signed_in(ada.email)
    for role in ("uploader", "reviewer"):
        assert browser.post("/admin/users", data={"email": "eva@example.org", "role": role}).status_code == 200
    [user] = [user for user in office.auth.users.values() if user.email == "eva@example.org"]
    assert user.app_metadata["role"] == "reviewer"


def test_who_has_accepted_is_not_invited_again(office: Office) -> None:
    office.add("ana", "reviewer")
    refused = invite(office, "ana@example.org", "admin")
    assert refused.status_code == 400 and "An account with this e-mail address already exists" in refused.text


def test_people_who_had_their_password_here_are_taken_along(office: Office) -> None:
    old = person(office.context, "reviewer", email="old@example.org", password_hash="x", display_name="Olga")
    office.context.database.execute(
        update(Profile).where(Profile.id == old.id).values(last_sign_in_at=old.created_at)
    )
    browser = accept(office, invite(office, "old@example.org", "uploader"))
    assert is_signed_in(browser)
    assert office.row(old).role == "reviewer" and str(old.id) in office.auth.users


def test_who_was_made_at_supabase_is_taken_in(office: Office) -> None:
    user = office.auth.add("eva@example.org", "of the dashboard")
    assert attempt(office.browser(), user.email, "of the dashboard").status_code == 401
    assert is_signed_in(accept(office, invite(office, "eva@example.org")))
    assert user.password == PASSWORD and user.app_metadata["role"] == "reviewer"


def test_two_accounts_of_one_address(office: Office) -> None:
    person(office.context, "reviewer", email="eva@example.org")
    office.auth.add("eva@example.org").confirmed = False
    refused = invite(office, "eva@example.org")
    assert refused.status_code == 400 and "another account" in refused.text


def test_an_invitation_while_auth_is_away(office: Office) -> None:
    ada, _ = office.add("ada", "admin")
    browser = office.signed_in(ada.email)
    office.auth.failures.append(shapes.BROKEN)
    refused = browser.post("/admin/users", data={"email": "eva@example.org", "role": "reviewer"})
    assert refused.status_code == 503 and "Nothing was changed" in refused.text
    assert "eva@example.org" not in browser.get("/admin/users").text


def test_a_demotion_counts_at_once_in_both(office: Office) -> None:
    ana, user = office.add("ana", "admin")
    office.add("ada", "admin")
    browser = office.signed_in(ana.email)
    set_role(office.context, ana.id, Role.AUDITOR)
    assert not is_signed_in(browser)
    assert user.app_metadata["role"] == "auditor" and not office.row(ana).auth_due


def test_a_demotion_while_auth_is_away_counts_here_and_is_told_later(office: Office) -> None:
    ana, user = office.add("ana", "admin")
    ada, _ = office.add("ada", "admin")
    office.auth.failures.append(shapes.BROKEN)
    set_role(office.context, ana.id, Role.AUDITOR)
    assert (office.row(ana).role, user.app_metadata["role"]) == ("auditor", "admin")
    assert "Auth not updated yet" in office.signed_in(ada.email).get("/admin/users").text
    reconcile(office.context)
    assert user.app_metadata["role"] == "auditor" and not office.row(ana).auth_due


def test_a_closed_account_is_banned(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    browser = office.signed_in(ana.email)
    set_active(office.context, ana.id, False)
    assert user.banned and not is_signed_in(browser)
    set_active(office.context, ana.id, True)
    assert not user.banned and attempt(office.browser(), ana.email).status_code == 302


def test_closing_while_auth_is_away(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    office.auth.failures.append(shapes.BROKEN)
    set_active(office.context, ana.id, False)
    assert not office.row(ana).is_active and not user.banned
    assert attempt(office.browser(), ana.email).status_code == 401
    assert tell_all_due(office.context) == 1
    assert user.banned


@pytest.mark.parametrize("answered", [False, True])
def test_a_promotion_while_auth_is_away_counts_nowhere(office: Office, answered: bool) -> None:
    """Also where Auth did take it and the answer was lost."""
    ana, user = office.add("ana", "reviewer")
    office.auth.failures.append(shapes.BROKEN)
    if answered:
        user.app_metadata["role"] = "admin"
    with pytest.raises(AuthUnavailableError):
        set_role(office.context, ana.id, Role.ADMIN)
    assert office.row(ana).role == "reviewer" and office.row(ana).auth_due
    reconcile(office.context)
    assert user.app_metadata["role"] == "reviewer" and not office.row(ana).auth_due


def test_reopening_while_auth_is_away_counts_nowhere(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    set_active(office.context, ana.id, False)
    office.auth.failures.append(shapes.TOO_MANY)
    with pytest.raises(AuthUnavailableError):
        set_active(office.context, ana.id, True)
    assert not office.row(ana).is_active and user.banned


def test_a_promotion(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    set_role(office.context, ana.id, Role.ADMIN)
    assert (office.row(ana).role, user.app_metadata["role"], office.row(ana).auth_due) == ("admin", "admin", False)


def test_the_last_admin_stays(office: Office) -> None:
    ada, user = office.add("ada", "admin")
    with pytest.raises(InvalidInputError):
        set_active(office.context, ada.id, False)
    with pytest.raises(InvalidInputError):
        set_role(office.context, ada.id, Role.UPLOADER)
    assert not user.banned and user.app_metadata["role"] == "admin"


def test_whom_auth_does_not_know_waits_for_nothing(office: Office) -> None:
    old = person(office.context, "reviewer")
    set_active(office.context, old.id, False)
    assert not office.row(old).auth_due

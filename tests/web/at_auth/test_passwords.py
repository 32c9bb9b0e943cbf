"""What else asks for a password or sets one: it is the one at Supabase Auth."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.models import BrowserSession, Profile
from services.accounts.people import create_user
from services.accounts.person import Role
from tests.support.servers import supabase_auth_server as shapes
from tests.web.at_auth.conftest import PASSWORD, Office, attempt, is_signed_in

NEW = "another four quiet words"


def change(browser, current: str = PASSWORD, password: str = NEW):
    return browser.post("/account/password", data={"current": current, "password": password})


def test_a_new_password(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    other, browser = office.signed_in(ana.email), office.signed_in(ana.email)
    assert change(browser).status_code == 302
    assert user.password == NEW and is_signed_in(browser) and not is_signed_in(other)
    # What the new password granted, and nothing of before.
    assert office.auth.open_grants(user) == 1
    assert "password_changed" in office.events() and office.row(ana).password_hash is None


@pytest.mark.parametrize(("current", "password", "status"), [("wrong", NEW, 401), (PASSWORD, "short", 400)])
def test_one_that_is_refused(office: Office, current: str, password: str, status: int) -> None:
    ana, user = office.add("ana", "reviewer")
    browser = office.signed_in(ana.email)
    assert change(browser, current, password).status_code == status
    assert user.password == PASSWORD and is_signed_in(browser)


def test_one_that_auth_refuses(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    office.auth.weak.add(NEW)
    browser = office.signed_in(ana.email)
    refused = change(browser)
    assert refused.status_code == 400 and "did not accept this password" in refused.text
    assert user.password == PASSWORD and is_signed_in(browser)


def test_one_that_is_longer_than_auth_hashes(office: Office) -> None:
    ana, _ = office.add("ana", "reviewer")
    refused = change(office.signed_in(ana.email), password="ñandú volador " * 6)
    assert refused.status_code == 400 and "at most 72" in refused.text


def test_it_is_asked_for_again(office: Office) -> None:
    ada, user = office.add("ada", "admin")
    browser = office.signed_in(ada.email)
    with office.context.database.session() as session:
        long_ago = utcnow().replace(year=2020)
        session.execute(update(BrowserSession).values(confirmed_at=long_ago))
    form = {"email": "eva@example.org", "role": "reviewer"}
    assert "Never set a password?" in browser.post("/admin/users", data=form).text
    assert browser.post("/admin/users", data=form | {"confirm_password": "wrong"}).status_code == 401
    office.auth.failures.append(shapes.BROKEN)
    assert browser.post("/admin/users", data=form | {"confirm_password": PASSWORD}).status_code == 503
    assert browser.post("/admin/users", data=form | {"confirm_password": PASSWORD}).status_code == 200
    # Asking leaves nothing open at Auth.
    assert office.auth.open_grants(user) == 1


def test_the_password_of_somebody_else_confirms_nothing(office: Office) -> None:
    ada, _ = office.add("ada", "admin")
    browser = office.signed_in(ada.email)
    own = office.auth.users.pop(str(ada.id))
    office.auth.add(own.email, "of another account")
    assert browser.post("/confirm", data={"confirm_password": "of another account"}).status_code == 401


def test_the_first_admin(office: Office) -> None:
    made = create_user(office.context, "ada@example.org", Role.ADMIN, PASSWORD)
    assert office.auth.users[str(made)].app_metadata["role"] == "admin"
    assert attempt(office.browser(), "ada@example.org").status_code == 302
    assert office.context.database.scalars(select(Profile.password_hash)) == [None]

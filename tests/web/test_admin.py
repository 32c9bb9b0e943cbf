"""People."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from core.models import Profile
from services.accounts.people import PAGE_SIZE, every_user
from services.context import Context


def test_inviting_shows_a_link_that_works(app, signed_in) -> None:
    data = {"email": "eva@example.org", "display_name": "Eva Lund", "role": "reviewer"}
    page = signed_in("admin").post("/admin/users", data=data).text
    link = re.search(r'value="http://localhost(/invitation/[^"]+)"', page)
    assert link is not None and "Invited" in page
    assert "Eva Lund" in app.test_client().get(link[1]).text


@pytest.mark.parametrize(("email", "role"), [("nonsense", "reviewer"), ("eva@example.org", "king")])
def test_an_invitation_that_does_not_fit(signed_in, email: str, role: str) -> None:
    assert signed_in("admin").post("/admin/users", data={"email": email, "role": role}).status_code == 400


def test_a_reset_link(app, signed_in, people, context: Context) -> None:
    page = signed_in("admin").post(f"/admin/users/{people['reviewer'].id}/password-reset").text
    link = re.search(r'value="http://localhost(/password-reset/[^"]+)"', page)
    assert link is not None
    assert people["reviewer"].email in app.test_client().get(link[1]).text


def test_roles_and_shutting(signed_in, people, context: Context) -> None:
    client, reviewer = signed_in("admin"), people["reviewer"]
    client.post(f"/admin/users/{reviewer.id}/role", data={"role": "auditor"})
    client.post(f"/admin/users/{reviewer.id}/active", data={"active": "no"})
    with context.database.session() as session:
        profile = session.scalars(select(Profile).where(Profile.id == reviewer.id)).one()
        assert (profile.role, profile.is_active, profile.session_version) == ("auditor", False, 3)


@pytest.mark.parametrize(("what", "data"), [("role", {"role": "uploader"}), ("active", {"active": "no"})])
def test_the_last_admin_stays(signed_in, people, what: str, data: dict[str, str]) -> None:
    client = signed_in("admin")
    response = client.post(f"/admin/users/{people['admin'].id}/{what}", data=data)
    assert response.status_code == 400 and "last admin" in response.text
    assert client.get("/admin/users").status_code == 200


def test_people_are_listed_page_by_page(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        session.add_all(
            Profile(email=f"{number:03}@example.org", role="uploader", is_active=number % 2 == 0)
            for number in range(2 * PAGE_SIZE)
        )
        session.flush()
        wanted = select(Profile.email).order_by(Profile.is_active.desc(), Profile.email)
        addresses = session.scalars(wanted).all()
    client, address, shown = signed_in("admin"), "/admin/users", []
    while True:
        page = client.get(address).text
        shown += re.findall(r"<small>([^<]+@[^<]+)</small>", page)
        after = re.search(r'rel="next" href="([^"]+)"', page)
        if after is None:
            break
        address = after[1]
    assert shown == addresses
    assert [user.email for user in every_user(context)] == addresses

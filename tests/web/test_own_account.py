"""A person's own page: what they set there holds in every browser."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from core.models import NoticeKind, Profile
from services.context import Context
from services.mails.notices import notice_choices
from tests.support.site import sign_in_as


def root_of(client: FlaskClient, path: str = "/account") -> str:
    return client.get(path).text.partition("<head>")[0]


def test_language_and_theme_come_along(app: Flask, signed_in, people: dict[str, Profile]) -> None:
    desk = signed_in("reviewer")
    told = desk.post("/account/appearance", data={"language": "es", "theme": "dark"}, follow_redirects=True).text
    assert '<html lang="es" data-theme="dark">' in told
    laptop = app.test_client()
    laptop.set_cookie("language", "en")
    assert 'lang="en" data-theme="auto"' in root_of(laptop, "/sign-in"), "the cookie's, while nobody is signed in"
    sign_in_as(laptop, people["reviewer"])
    assert 'lang="es" data-theme="dark"' in root_of(laptop)
    # The buttons of the head change the same.
    laptop.post("/language", data={"language": "en"})
    laptop.post("/theme", data={"theme": "light"})
    assert 'lang="en" data-theme="light"' in root_of(desk)
    assert 'lang="en" data-theme="auto"' in root_of(signed_in("officer")), "another person's is their own"
    desk.post("/account/appearance", data={"language": "fr", "theme": "pink"})
    assert 'lang="en" data-theme="light"' in root_of(desk)


def test_the_name_and_what_is_too_long_for_one(signed_in) -> None:
    client = signed_in("reviewer")
    assert (
        "Ana Ruiz"
        in client.post("/account/name", data={"display_name": " Ana  Ruiz "}, follow_redirects=True).text
    )
    refused = client.post("/account/name", data={"display_name": "x" * 101})
    assert refused.status_code == 400 and "at most 100 characters" in refused.text
    assert "Changed their name" in signed_in("admin").get("/admin/events").text


@pytest.mark.parametrize(("role", "boxes"), [("reviewer", 3), ("uploader", 2), ("auditor", 0), ("officer", 0)])
def test_the_notices_of_a_role(signed_in, context: Context, people, role: str, boxes: int) -> None:
    client = signed_in(role)
    page = client.get("/account").text
    assert page.count('name="notice"') == boxes
    assert ("No mail server is set up" in page) == bool(boxes)
    client.post("/account/notices", data={"notice": ["own_batch_waits", "nonsense"]})
    assert notice_choices(context, people[role].id) == {NoticeKind.OWN_BATCH_WAITS}

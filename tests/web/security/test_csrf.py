"""No form and no fetch changes anything without the page's token."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.support.routes import routes
from tests.support.site import sign_in_as


@pytest.fixture
def guarded(app: Flask) -> Flask:
    app.config["WTF_CSRF_ENABLED"] = True
    return app


def test_every_post_asks_for_the_token(guarded: Flask, people) -> None:
    client = guarded.test_client()
    sign_in_as(client, people["admin"])
    changing = [route for route in routes(guarded) if route.method != "GET"]
    assert len(changing) > 10
    for route in changing:
        response = client.open(route.url, method=route.method, headers={"Accept": "application/json"})
        assert (response.status_code, response.json["error"]["code"]) == (400, "form_expired"), route


def test_the_page_carries_the_token_for_forms_and_fetch(guarded: Flask) -> None:
    client = guarded.test_client()
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/sign-in").text)
    assert found
    assert client.post("/theme", data={"csrf_token": found[1], "theme": "dark"}).status_code == 302
    assert client.post("/theme", headers={"X-CSRFToken": found[1]}).status_code == 302


def test_every_form_that_posts_carries_it() -> None:
    from core.config import ROOT

    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        forms = re.findall(r'<form method="post".*?</form>', text, flags=re.DOTALL)
        assert all("csrf" in form for form in forms), path.name

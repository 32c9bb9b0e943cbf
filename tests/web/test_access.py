"""Every route declares who may use it, and holds to it."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from core.models import Profile
from flask_app import create_app
from services.accounts.person import Role
from services.context import Context
from tests.support.every_page import filled
from tests.support.routes import Route, other_methods, routes
from tests.support.site import sign_in_as
from web.access import ALLOWED, Area, access, rule_of, sets_up_second_factor


def test_every_route_declares_its_access(app: Flask) -> None:
    assert not [endpoint for endpoint, view in app.view_functions.items() if rule_of(view) is None]
    assert {rule_of(view) for view in app.view_functions.values()} <= {"public", *ALLOWED}


def test_a_route_that_declares_nothing_is_shut(own_app: Flask) -> None:
    own_app.add_url_rule("/forgotten", "forgotten", lambda: "open")
    assert own_app.test_client().get("/forgotten").status_code == 403


@pytest.fixture
def guarded(app: Flask) -> Flask:
    """The site as it is served: forms need their token."""
    app.config["WTF_CSRF_ENABLED"] = True
    return app


def sent(client: FlaskClient, route: Route, **headers: str) -> TestResponse:
    """The answer to a request that another site's page could send, held to what is true of every answer."""
    given = {"Origin": "https://elsewhere.example", **headers}
    response = client.open(route.url, method=route.method, headers=given, buffered=True)
    assert not [name for name, _ in response.headers if name.lower().startswith("access-control-")], route
    assert response.headers["Cache-Control"] in kept_by(route.endpoint), route
    assert response.headers["X-Content-Type-Options"] == "nosniff", route
    assert response.status_code < 500, (route, response.status_code)
    return response


def kept_by(endpoint: str) -> tuple[str, ...]:
    """What may be said about keeping an answer: no proxy keeps any, and no browser shows one without asking."""
    return ("no-cache", "no-store") if endpoint == "static" else ("no-store", "private, no-cache")


def form_token(client: FlaskClient) -> str:
    """The token of this client's forms."""
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/account", follow_redirects=True).text)
    assert found is not None
    return found[1]


def half_signed_in(app: Flask, admin: Profile) -> FlaskClient:
    """An admin who has given the password and not the code of the second factor."""
    client = app.test_client()
    with client.session_transaction() as session:
        session["whose_code"] = [str(admin.id), admin.session_version, None, int(time.time())]
    assert client.get("/sign-in/code").status_code == 200
    return client


@pytest.mark.parametrize("half", [False, True])
def test_nobody_gets_in_unsigned(guarded: Flask, people: dict[str, Profile], half: bool) -> None:
    client = half_signed_in(guarded, people["admin"]) if half else guarded.test_client()
    token = form_token(client)
    for route in routes(guarded):
        if route.endpoint == "auth.sign_out":
            continue  # It ends what the walk is done with.
        response = sent(client, route, **{"X-CSRFToken": token})
        if rule_of(guarded.view_functions[route.endpoint]) == "public":
            assert response.status_code != 403, route
        elif route.method == "GET":
            assert response.status_code == 302 and response.location.startswith("/sign-in"), route
        else:
            assert response.status_code == 401, route


def test_who_has_to_set_up_a_second_factor_gets_nowhere_else(context: Context, people: dict[str, Profile]) -> None:
    settings = context.settings.model_copy(update={"require_second_factor": True})
    app = create_app(settings, replace(context, settings=settings))
    client = app.test_client()
    sign_in_as(client, people["admin"])
    token = form_token(client)
    for route in routes(app):
        view = app.view_functions[route.endpoint]
        if rule_of(view) == "public" or sets_up_second_factor(view):
            continue
        response = sent(client, route, **{"X-CSRFToken": token})
        led = response.status_code == 302 and response.location == "/account/second-factor"
        assert led if route.method == "GET" else response.status_code == 403, route


@pytest.mark.parametrize("role", list(Role))
def test_each_role_gets_where_it_may_and_nowhere_else(guarded: Flask, signed_in, role: Role) -> None:
    client = signed_in(role.value)
    token = form_token(client)
    for route in routes(guarded):
        if rule_of(guarded.view_functions[route.endpoint]) == "public" and route.method != "GET":
            continue
        rule = rule_of(guarded.view_functions[route.endpoint])
        response = sent(client, route, **{"X-CSRFToken": token})
        refused = rule != "public" and role not in ALLOWED[str(rule)]
        assert (response.status_code == 403) == refused, (route, response.status_code)
        if response.status_code == 400:
            assert "This form has expired" not in response.text, "the token was not taken"


def test_no_method_but_those_of_a_route_does_anything(guarded: Flask, signed_in) -> None:
    client = signed_in("admin")
    for route in other_methods(guarded):
        response = sent(client, route, Accept="application/json")
        answered = route.method in ("HEAD", "OPTIONS")
        assert response.status_code != 200 or (answered and not response.data), route


def test_no_page_with_content_is_kept(guarded: Flask, context: Context, signed_in) -> None:
    for role, pages in filled(context).items():
        client = signed_in(role) if role else guarded.test_client()
        assert [url for url in pages if sent(client, Route("", "GET", url)).status_code == 200]


def test_a_client_is_told_in_json(client: FlaskClient) -> None:
    response = client.get("/submissions", headers={"Accept": "application/json"})
    assert response.status_code == 401
    assert response.json["error"]["code"] == "sign_in_needed"


def test_declaring_keeps_the_view() -> None:
    def view() -> str:
        return "unchanged"

    assert access("admin")(view) is view
    assert rule_of(view) == "admin"
    with pytest.raises(TypeError):
        Area("two_rules", __name__).get("/elsewhere", "reader")(view)

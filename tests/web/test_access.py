"""Every route declares who may use it, and holds to it."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from services.accounts.roles import Role
from tests.support.routes import routes
from web.access import ALLOWED, access, rule_of


def test_every_route_declares_its_access(app: Flask) -> None:
    assert not [endpoint for endpoint, view in app.view_functions.items() if rule_of(view) is None]
    assert {rule_of(view) for view in app.view_functions.values()} <= {"public", *ALLOWED}


def test_a_route_that_declares_nothing_is_shut(own_app: Flask) -> None:
    own_app.add_url_rule("/forgotten", "forgotten", lambda: "open")
    assert own_app.test_client().get("/forgotten").status_code == 403


def test_nobody_gets_in_unsigned(app: Flask, client: FlaskClient) -> None:
    for route in routes(app):
        response = client.open(route.url, method=route.method, buffered=True)
        if rule_of(app.view_functions[route.endpoint]) == "public":
            assert response.status_code != 403, route
        elif route.method == "GET":
            assert response.status_code == 302 and response.location.startswith("/sign-in"), route
        else:
            assert response.status_code == 401, route


@pytest.mark.parametrize("role", list(Role))
def test_each_role_gets_where_it_may_and_nowhere_else(app: Flask, signed_in, role: Role) -> None:
    for route in routes(app):
        rule = rule_of(app.view_functions[route.endpoint])
        response = signed_in(role.value).open(route.url, method=route.method, buffered=True)
        refused = rule != "public" and role not in ALLOWED[str(rule)]
        assert (response.status_code == 403) == refused, (route, response.status_code)
        assert response.status_code < 500, route


def test_a_client_is_told_in_json(client: FlaskClient) -> None:
    response = client.get("/submissions", headers={"Accept": "application/json"})
    assert response.status_code == 401
    assert response.json["error"]["code"] == "sign_in_needed"


def test_declaring_keeps_the_view() -> None:
    def view() -> str:
        return "unchanged"

    assert access("admin")(view) is view
    assert rule_of(view) == "admin"
